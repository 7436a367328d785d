"""An entry code cannot be guessed: five wrong ones, and then one has to wait."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from tests.tournaments.helpers import NOW, a_tournament, players, terms, wallet
from tournaments import services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Tournament, WrongCode
from tournaments.structure.conditions import Conditions, EntryRules

pytestmark = pytest.mark.django_db


def asking(code: str = "spade") -> Tournament:
    return a_tournament(terms=terms(entering=EntryRules(conditions=Conditions(code=code))))


def enter(tournament: Tournament, person: User, code: str, now: datetime = NOW) -> Entry:
    return services.register(
        tournament_id=tournament.pk,
        player_id=person.pk,
        actor=person.username,
        code=code,
        now=now,
    )


def refused(
    tournament: Tournament, person: User, code: str, now: datetime = NOW
) -> TournamentRefusal:
    with pytest.raises(TournamentRefusal) as refusal:
        enter(tournament, person, code, now)
    return refusal.value


def guess(tournament: Tournament, person: User, times: int) -> None:
    """Give wrong codes, a minute apart."""
    for number in range(times):
        answer = refused(tournament, person, f"guess {number}", NOW + timedelta(minutes=number))
        assert answer.code == TournamentCode.NOT_ELIGIBLE


def test_after_five_wrong_codes_even_the_right_one_is_refused_till_the_time_it_says() -> None:
    tournament, [person] = asking(), players(1)
    guess(tournament, person, 5)
    soon = NOW + timedelta(minutes=14, seconds=59)
    for code in ("wrong again", "spade"):
        answer = refused(tournament, person, code, soon)
        assert (answer.code, answer.field) == (TournamentCode.TOO_MANY_CODES, "code")
        assert "18:15 UTC" in answer.sentence
    assert wallet(person).held == 0
    told = NOW + timedelta(minutes=15)
    assert enter(tournament, person, "spade", told).state == EntryState.ENTERED


def test_four_wrong_codes_are_forgiven() -> None:
    tournament, [person] = asking(), players(1)
    guess(tournament, person, 4)
    assert enter(tournament, person, " spade ").state == EntryState.ENTERED


def test_a_refusal_undoes_no_count_and_a_guess_while_waiting_prolongs_nothing() -> None:
    tournament, [person] = asking(), players(1)
    guess(tournament, person, 5)
    refused(tournament, person, "sixth")
    assert WrongCode.objects.filter(tournament=tournament, player=person).count() == 5


def test_guesses_that_are_old_are_forgotten() -> None:
    tournament, [person] = asking(), players(1)
    guess(tournament, person, 5)
    later = NOW + timedelta(hours=1)
    assert refused(tournament, person, "x", later).code == TournamentCode.NOT_ELIGIBLE
    assert WrongCode.objects.get().at == later


def test_who_guesses_in_one_tournament_keeps_nobody_else_and_no_other_waiting() -> None:
    tournament, other, [person, friend] = asking(), asking(), players(2)
    guess(tournament, person, 5)
    assert enter(tournament, friend, "spade").state == EntryState.ENTERED
    assert enter(other, person, "spade").state == EntryState.ENTERED


def test_no_code_is_no_guess_and_none_is_counted_where_none_is_asked() -> None:
    tournament, open_to_all, [person] = asking(), a_tournament(), players(1)
    for _ in range(7):
        assert refused(tournament, person, " ").code == TournamentCode.NOT_ELIGIBLE
    assert enter(open_to_all, person, "whatever").state == EntryState.ENTERED
    enter(open_to_all, person, "whatever")
    assert not WrongCode.objects.exists()


def test_who_is_in_may_give_any_code_again() -> None:
    tournament, [person] = asking(), players(1)
    first = enter(tournament, person, "spade")
    assert enter(tournament, person, "wrong") == first
    assert not WrongCode.objects.exists()
