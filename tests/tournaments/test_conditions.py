"""Entry conditions as players and organisers meet them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    players,
    run_out,
    started,
    terms,
    wallet,
)
from tests.tournaments.level_helpers import level_terms
from tests.tournaments.test_staffing import states
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Rating, Shape, Tournament
from tournaments.selectors.players import age_of
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.rebuys import Rebuy

pytestmark = pytest.mark.django_db


def asking(**conditions: Any) -> Tournament:
    """An open tournament with entry conditions."""
    rules = EntryRules(conditions=Conditions(**conditions))
    return a_tournament(terms=terms(entering=rules))


def refused(tournament: Tournament, person: User, *, code: str = "") -> str:
    """The sentence with which somebody is refused; he has no entry and keeps his points."""
    with pytest.raises(TournamentRefusal) as refusal:
        enter(tournament, person, code=code)
    assert refusal.value.code is TournamentCode.NOT_ELIGIBLE
    assert states(tournament, [person]) == ["-"]
    assert wallet(person).held == 0
    return refusal.value.sentence


def enter(tournament: Tournament, person: User, *, code: str = "") -> Entry:
    """Join with a code."""
    return services.register(
        tournament_id=tournament.pk, player_id=person.pk, actor="x", code=code, now=NOW
    )


@pytest.mark.parametrize("code", ["", "SPADE", "spad", "spade1", "♠"])
def test_only_the_right_code_opens(code: str) -> None:
    tournament = asking(code="spade")
    [person] = players(1)
    assert "entry code" in refused(tournament, person, code=code)
    assert enter(tournament, person, code=" spade ").state == EntryState.ENTERED


def test_only_who_is_invited_enters_and_an_invitation_can_be_taken_back() -> None:
    tournament = asking(invited_only=True)
    people = players(2)
    ids = [person.pk for person in people]

    def invite() -> int:
        return services.invite(tournament_id=tournament.pk, player_ids=ids, actor="x", now=NOW)

    assert (invite(), invite()) == (2, 0)
    assert services.uninvite(tournament_id=tournament.pk, player_ids=ids[:1]) == 1
    assert "invitation" in refused(tournament, people[0])
    assert enter(tournament, people[1]).state == EntryState.ENTERED


def test_only_members_of_the_group_enter() -> None:
    tournament = asking(groups=("Club",))
    [person] = players(1)
    assert "members of Club" in refused(tournament, person)
    person.groups.add(Group.objects.create(name="Club"))
    assert enter(tournament, person).state == EntryState.ENTERED


def test_a_rating_is_what_the_matches_show_a_player_to_be_worth_at_least() -> None:
    tournament = asking(rating_from=1_400)
    people = players(3)
    Rating.objects.create(player=people[0], mu=31, sigma=7, matches=4)
    Rating.objects.create(player=people[1], mu=30, sigma=7, matches=4)
    assert enter(tournament, people[0]).state == EntryState.ENTERED
    assert "yours is 1,360" in refused(tournament, people[1])
    assert "none yet" in refused(tournament, people[2])


def test_an_age_counts_once_it_is_confirmed_and_from_the_birthday_on() -> None:
    tournament = asking(min_age=18)
    people = players(2)
    assert "18 or older" in refused(tournament, people[0])
    for person, born_on in zip(people, (date(2008, 3, 1), date(2008, 3, 2)), strict=True):
        services.confirm_birth(player_id=person.pk, born_on=born_on, actor="staff", now=NOW)
    assert enter(tournament, people[0]).state == EntryState.ENTERED
    assert "18 or older" in refused(tournament, people[1])
    assert age_of(people[1].pk, date(2026, 3, 2)) == 18


def test_nobody_is_born_tomorrow() -> None:
    [person] = players(1)
    with pytest.raises(TournamentRefusal) as refusal:
        services.confirm_birth(
            player_id=person.pk, born_on=date(2026, 3, 2), actor="staff", now=NOW
        )
    assert refusal.value.field == "born_on"


def test_former_winners_of_a_named_tournament_may_enter() -> None:
    earlier = started(Shape.SINGLE, 2)
    run_out(earlier)
    services.complete(tournament_id=earlier.pk, now=NOW)
    winner = earlier.entries.get(rank=1).player
    loser = earlier.entries.get(rank=2).player
    tournament = asking(winners_of=("something-else", earlier.public_id))
    money.grant(
        asset=money.PLAY_POINTS,
        player_ids=[winner.pk, loser.pk],
        amount=FEE,
        key="k",
        actor="x",
        now=NOW,
    )
    assert "Only winners" in refused(tournament, loser)
    assert enter(tournament, winner).state == EntryState.ENTERED


def test_all_that_is_missing_is_named_at_once() -> None:
    tournament = asking(code="spade", invited_only=True, min_age=18)
    sentence = refused(tournament, players(1)[0])
    assert all(word in sentence for word in ("code", "invitation", "18"))


def test_a_promotional_tournament_takes_no_fee() -> None:
    promotional = terms(stake="promotional")
    with pytest.raises(TournamentRefusal) as refusal:
        a_tournament(terms=promotional, opened=False)
    assert refusal.value.field == "entry_fee"
    free = a_tournament(terms=promotional, entry_fee=0)
    assert enter(free, players(1, points=0)[0]).state == EntryState.ENTERED


def test_a_promotional_tournament_sells_no_chips_for_a_fee() -> None:
    def asked(fee: int) -> Tournament:
        made = level_terms(rebuy=Rebuy(chips=1000, fee=fee), stake="promotional")
        return a_tournament(Shape.LEVELS, terms=made, entry_fee=0, opened=False)

    with pytest.raises(TournamentRefusal) as refusal:
        asked(fee=1)
    assert refusal.value.field == "rebuy.fee"
    assert asked(fee=0).entry_fee == 0


def test_the_entry_code_is_on_no_page_that_players_see(client: Client) -> None:
    tournament = asking(code="open-sesame")
    for address in ("/", f"/tournaments/{tournament.public_id}/"):
        answer = client.get(address, follow=True)
        assert answer.status_code == 200
        assert tournament.name in answer.content.decode()
        assert "sesame" not in answer.content.decode()
