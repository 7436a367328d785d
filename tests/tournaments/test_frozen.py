"""A wallet that an operator has frozen troubles its owner and nobody else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from ledger.errors import AccountClosed
from tests.ledger.by_nobody import freeze_account
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    join,
    leave,
    players,
    wallet,
)
from tests.tournaments.level_helpers import begun, buy, end_level, entry_of, opened_level
from tests.tournaments.test_staffing import states
from tournaments import money, services
from tournaments.models import EntryNote
from tournaments.services import importing, sweep
from tournaments.structure.due import StartKind, Times

pytestmark = pytest.mark.django_db


def freeze(person: User) -> None:
    """Let nothing in or out of somebody's wallet."""
    account = money.wallet_of(money.PLAY_POINTS, person.pk)
    freeze_account(account=account, actor="operator", reason="a question", now=NOW)


def test_who_waits_with_a_frozen_wallet_is_passed_over_with_a_notice() -> None:
    tournament = a_tournament(capacity=2)
    people = players(4)
    entries = join(tournament, *people)
    freeze(people[2])
    leave(tournament, people[0])
    assert states(tournament, people) == ["withdrawn", "entered", "waiting", "entered"]
    assert EntryNote.objects.get(kind="passed_over").entry_id == entries[2].pk


def test_a_frozen_wallet_cannot_enter_and_is_told_so_by_row_in_a_file() -> None:
    tournament = a_tournament()
    people = players(2)
    freeze(people[0])
    with pytest.raises(AccountClosed):
        join(tournament, people[0])
    content = "\n".join(["username", *(person.username for person in people)]).encode()
    found = importing.preview(tournament_id=tournament.pk, content=content, actor="staff", now=NOW)
    assert [(row.row, row.becomes, len(row.errors)) for row in found.rows] == [
        (2, "", 1),
        (3, "entered", 0),
    ]


def test_whoever_was_frozen_after_he_entered_can_leave_and_be_refunded() -> None:
    tournament = a_tournament()
    [person] = players(1)
    join(tournament, person)
    freeze(person)
    leave(tournament, person)
    assert (wallet(person).held, wallet(person).posted) == (0, FEE)


def test_whoever_was_frozen_after_he_entered_does_not_keep_the_others_from_starting() -> None:
    tournament = a_tournament(capacity=3)
    people = players(3)
    join(tournament, *people)
    freeze(people[0])
    close_and_start(tournament)
    tournament.refresh_from_db()
    assert tournament.state == "running"
    assert wallet(people[0]).held == 0
    received = sum(person_state == "playing" for person_state in states(tournament, people))
    assert money.pool_of(tournament) == received * FEE
    assert services.open_round(tournament_id=tournament.pk, now=NOW) is not None


def test_too_few_who_can_still_pay_call_the_tournament_off() -> None:
    start = NOW + timedelta(hours=1)
    times = Times(kind=StartKind.FIXED_TIME, starts_at=start)
    tournament = a_tournament(times=times)
    people = players(2)
    join(tournament, *people)
    freeze(people[0])
    sweep.act_on_due(now=start)
    tournament.refresh_from_db()
    assert tournament.state == "cancelled"
    assert [wallet(person).held for person in people] == [0, 0]


def test_a_player_is_told_that_his_wallet_is_frozen_and_not_its_number() -> None:
    tournament = a_tournament()
    [person] = players(1)
    freeze(person)
    with pytest.raises(AccountClosed) as refusal:
        join(tournament, person)
    assert "wallet is frozen" in refusal.value.sentence
    assert not any(character.isdigit() for character in refusal.value.sentence)
    assert refusal.value.field is None


def test_a_rebuy_from_a_frozen_wallet_is_refused_in_the_same_words() -> None:
    tournament, (first, second, _) = begun(3)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    freeze(second)
    with pytest.raises(AccountClosed) as refusal:
        buy(tournament, second)
    assert "wallet is frozen" in refusal.value.sentence
    assert refusal.value.field is None
    assert entry_of(tournament, second).rejoins == 0
