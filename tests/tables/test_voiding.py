"""Calling off all that an owner's tables are playing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tables import broadcast, services, timers
from tables.deal_sheet import deal_sheet
from tables.errors import TableCode, TableRefusal
from tables.models import MatchStatus
from tables.rules import commands as cm
from tables.rules.errors import Code, RuleViolation
from tables.rules.formats import DealScored
from tables.rules.formats.base import PlayerLeft
from tables.selectors import check_deal
from tables.services import alarms
from tables.snapshots import scoreboard
from tests.pages import page_of, text_of
from tests.tables.helpers import NOW, a_match, dealt, secret_for

LATER = NOW + timedelta(seconds=5)


@pytest.mark.django_db
def test_a_running_deal_is_void_and_counts_for_nothing_in_its_match() -> None:
    match = a_match()
    deal = dealt(match).deal
    assert services.void_matches(owner="club:1", now=LATER) == 1
    match.refresh_from_db()
    deal.refresh_from_db()
    assert (match.status, match.over_at, match.due_at) == (MatchStatus.VOID, LATER, None)
    assert (deal.over_at, deal.result, deal.deadline_at) == (LATER, "", None)
    assert not match.entries.filter(kind=DealScored.__struct_config__.tag).exists()
    assert check_deal(deal).is_sound


@pytest.mark.django_db
def test_nothing_is_due_any_more_and_nothing_can_be_done() -> None:
    match = a_match()
    deal, state = dealt(match)
    services.void_matches(owner="club:1", now=LATER)
    assert timers.soonest(10) == []
    assert alarms.act_on_due(now=NOW + timedelta(hours=1)) == 0
    assert state.turn is not None
    with pytest.raises(RuleViolation) as refusal:
        services.play(
            deal_id=deal.pk, command=cm.DrawClosed(state.turn), command_id="draw", now=LATER
        )
    assert refusal.value.code is Code.DEAL_OVER
    with pytest.raises(TableRefusal) as between:
        services.answer(match_id=match.pk, entry=PlayerLeft(0), now=LATER)
    assert between.value.code is TableCode.MATCH_VOID
    with pytest.raises(TableRefusal):
        services.deal_next(match_id=match.pk, secret_for=secret_for, now=LATER)
    assert scoreboard(match.pk, LATER).step is None


@pytest.mark.django_db
def test_other_owners_and_matches_that_are_over_are_left_alone() -> None:
    theirs = dealt(a_match(owner="club:2")).deal
    ours = a_match()
    assert services.void_matches(owner="club:1", now=LATER) == 1
    assert services.void_matches(owner="club:1", now=LATER + timedelta(seconds=1)) == 0
    ours.refresh_from_db()
    theirs.refresh_from_db()
    assert ours.over_at == LATER
    assert theirs.over_at is None


@pytest.mark.django_db
def test_auto_drop_is_switched_in_no_match_that_was_called_off() -> None:
    match = a_match()
    services.void_matches(owner="club:1", now=LATER)
    with pytest.raises(TableRefusal) as refused:
        services.set_auto_drop(match_id=match.pk, seat=0, on=True)
    assert refused.value.code is TableCode.MATCH_VOID
    assert not match.seats.filter(auto_drop=True).exists()


@pytest.mark.django_db
def test_the_page_of_a_void_deal_says_so_and_shows_its_log() -> None:
    deal = dealt(a_match()).deal
    services.void_matches(owner="club:1", now=LATER)
    sheet = deal_sheet(deal.public_id)
    assert sheet.ending == "The deal was called off and counts for nothing."
    assert sheet.hands == ()
    assert [chapter.title for chapter in sheet.chapters][-1] == "Called off"
    assert sheet.secret


@pytest.mark.django_db
def test_pages_of_what_was_called_off_say_so(client: Client) -> None:
    deal = dealt(a_match()).deal
    services.void_matches(owner="club:1", now=LATER)
    page = text_of(page_of(client, f"/deals/{deal.public_id}/"))
    assert "The deal was called off and counts for nothing." in page
    assert "does not give its result" not in page
    assert "Yes. The cards were dealt in the order that the secret gives" in page
    table = page_of(client, f"/tables/{deal.match.table.public_id}/")
    assert "Called off" in text_of(table) or "called off" in text_of(table)
    assert "state running" not in table


class _Layer:
    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def publish(self, group: str, message: dict[str, Any]) -> None:
        self.sent.append(message)


@pytest.mark.django_db(transaction=True)
def test_sockets_are_told_of_the_void_deal_and_of_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deal = dealt(a_match()).deal
    layer = _Layer()
    monkeypatch.setattr(broadcast, "get_channel_layer", lambda: layer)
    services.void_matches(owner="club:1", now=LATER)
    told = {message["type"]: message for message in layer.sent}
    assert set(told) == {"deal.events", "match.changed"}
    assert told["deal.events"]["deal"] == deal.public_id
    assert '"deal_voided"' in told["deal.events"]["events"][0]
