"""Reading a deal back: the log makes the result, and a changed log is found out."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from tables.models import Deal
from tables.rules.bots import Strength
from tables.selectors import check_deal, deal_named
from tests.tables.helpers import a_match, dealt, play_out, tampering

pytestmark = pytest.mark.django_db


@pytest.fixture
def deal() -> Deal:
    """A deal that bots have played to its end."""
    match = a_match(4, bot=Strength.STEADY)
    play_out(match)
    return match.deals.get()


def test_a_played_deal_is_sound(deal: Deal) -> None:
    assert check_deal(deal).faults == ()


def test_the_command_tells_every_event_and_says_that_the_deal_is_sound(deal: Deal) -> None:
    out = io.StringIO()
    call_command("replay_deal", deal.public_id, stdout=out)
    lines = out.getvalue().splitlines()
    assert f"committed to {deal.commitment}" in lines[0]
    assert lines[-1].startswith(f"Sound: {deal.version} events make the stored result")


def test_a_deal_is_also_found_by_its_number(deal: Deal) -> None:
    assert deal_named(str(deal.pk)) == deal


@pytest.mark.parametrize("name", ["nothing", "0", "9" * 40, "-1"])
def test_an_unknown_deal_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(CommandError, match=r"^deal: There is no deal"):
        call_command("replay_deal", "--", name)


def test_a_result_changed_behind_the_log_is_found(deal: Deal) -> None:
    Deal.objects.filter(pk=deal.pk).update(result=deal.result.replace("won", "lost"))
    with pytest.raises(CommandError, match="stored result"):
        call_command("replay_deal", deal.public_id, "--quiet")


def _tamper(deal: Deal, kind: str, old: str, new: str) -> None:
    with tampering() as cursor:
        cursor.execute(
            "UPDATE tables_dealevent SET payload = REPLACE(payload, %s, %s)"
            " WHERE deal_id = %s AND kind = %s",
            [old, new, deal.pk, kind],
        )


def test_a_card_changed_in_the_log_is_found(deal: Deal) -> None:
    event = deal.events.filter(kind="cards_dealt").get()
    start = event.payload.index('[0,["') + 5
    old = event.payload[start : start + 2]
    new = "2S" if old != "2S" else "3S"
    _tamper(deal, "cards_dealt", f'[0,["{old}"', f'[0,["{new}"')
    assert not check_deal(deal).is_sound


def test_another_secret_than_the_committed_one_is_found(deal: Deal) -> None:
    secret = deal.events.get(seq=1).payload.split('"secret":"')[1][:64]
    for kind in ("deal_opened", "deal_ended"):
        _tamper(deal, kind, secret, "00" * 32)
    assert any("committed" in fault for fault in check_deal(deal).faults)


def test_a_missing_event_is_found(deal: Deal) -> None:
    with tampering() as cursor:
        cursor.execute("DELETE FROM tables_dealevent WHERE deal_id = %s AND seq = 5", [deal.pk])
    assert not check_deal(deal).is_sound


def test_a_running_deal_is_checked_as_far_as_it_goes() -> None:
    match = a_match()
    deal, _ = dealt(match)
    found = check_deal(deal)
    assert found.is_sound
    assert found.state is not None
    assert not found.state.is_over
