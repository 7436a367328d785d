"""An organiser acts on his own tournaments, an arbiter at his own tables, nobody else at all."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.test import Client

from rummy_site.roles import ARBITERS, OPERATORS, ORGANISERS, SUPPORT
from tests.staff.helpers import member
from tests.tournaments.helpers import NOW, a_tournament, players, terms
from tests.tournaments.sheets import in_person
from tournaments import access, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Shape, StaffRole, Tournament
from tournaments.play import owner_of
from tournaments.services import duties

pytestmark = pytest.mark.django_db

CHECKS = ("may_organise", "may_arbitrate", "may_mute")


def _may(user: Any, tournament: Tournament) -> dict[str, bool]:
    return {check: getattr(access, check)(user, tournament) for check in CHECKS}


def _called(tournament: Tournament, user: User, role: StaffRole) -> User:
    """The user with a duty, read anew, so that no permission is remembered."""
    duties.appoint(tournament_id=tournament.pk, user_id=user.pk, role=role)
    return User.objects.get(pk=user.pk)


@pytest.mark.parametrize(
    ("group", "role", "allowed"),
    [
        (ORGANISERS, StaffRole.ORGANISER, {"may_organise", "may_arbitrate", "may_mute"}),
        (ORGANISERS, StaffRole.ARBITER, {"may_arbitrate", "may_mute"}),
        (ARBITERS, StaffRole.ARBITER, {"may_arbitrate", "may_mute"}),
        (ARBITERS, StaffRole.ORGANISER, {"may_arbitrate", "may_mute"}),
        (OPERATORS, StaffRole.ORGANISER, set()),
        (SUPPORT, StaffRole.ORGANISER, set()),
    ],
)
def test_a_duty_lets_somebody_do_what_his_role_permits(
    group: str, role: StaffRole, allowed: set[str]
) -> None:
    """Neither the duty nor the group alone is enough, and the duty in one opens no other."""
    own, other = a_tournament(), a_tournament(name="Another")
    user = _called(own, member("olga", group), role)
    assert {check for check, may in _may(user, own).items() if may} == allowed
    assert set(_may(user, other).values()) == {False}
    assert access.may_serve_owner(user, owner_of(own))
    assert not access.may_serve_owner(user, owner_of(other))


def test_who_may_run_every_tournament_needs_no_duty() -> None:
    """The chief organiser, and any superuser."""
    user = member("chief", ORGANISERS)
    user.user_permissions.add(Permission.objects.get(codename="run_every_tournament"))
    superuser = User.objects.create_superuser("root", password="!")
    for one in (User.objects.get(pk=user.pk), superuser):
        assert set(_may(one, a_tournament()).values()) == {True}


def test_neither_players_nor_visitors_nor_those_dismissed_may_do_anything() -> None:
    """Permissions count for staff whose account is open."""
    tournament = a_tournament()
    user = _called(tournament, member("olga", ORGANISERS), StaffRole.ORGANISER)
    for change in ({"is_staff": False}, {"is_staff": True, "is_active": False}):
        User.objects.filter(pk=user.pk).update(**change)
        again = User.objects.get(pk=user.pk)
        assert set(_may(again, tournament).values()) == {False}
        assert not access.may_serve_owner(again, owner_of(tournament))
    assert set(_may(AnonymousUser(), tournament).values()) == {False}


def test_lists_hold_the_tournaments_that_somebody_may_act_on() -> None:
    """His own; all for who may run all; none for who may run none."""
    own, judged = a_tournament(name="Own"), a_tournament(name="Judged")
    a_tournament(name="Another")
    user = _called(own, member("olga", ORGANISERS), StaffRole.ORGANISER)
    user = _called(judged, user, StaffRole.ARBITER)

    def names(condition: Any) -> list[str]:
        rows = Tournament.objects.filter(condition).order_by("name")
        return list(rows.values_list("name", flat=True))

    assert names(access.organised_by(user)) == ["Own"]
    assert names(access.arbitrated_by(user)) == ["Judged", "Own"]
    assert len(names(access.organised_by(User.objects.create_superuser("root")))) == 3
    assert names(access.organised_by(member("sup", SUPPORT))) == []
    assert names(access.organised_by(AnonymousUser())) == []


# Duties


def _organisers(tournament: Tournament) -> list[str]:
    duty = tournament.staff.filter(role=StaffRole.ORGANISER).order_by("user__username")
    return list(duty.values_list("user__username", flat=True))


def test_who_makes_or_copies_a_tournament_runs_it() -> None:
    """And what nobody made is run by those who may run every one."""
    maker, copier = member("maker"), member("copier")
    made = a_tournament(organiser_id=maker.pk)
    copied = services.copy(tournament_id=made.pk, actor="copier", organiser_id=copier.pk, now=NOW)
    assert _organisers(made) == ["maker"]
    assert _organisers(copied) == ["copier"]
    assert _organisers(a_tournament()) == []


def test_a_duty_is_given_once_and_taken_away_and_again() -> None:
    """Pressing twice does no harm."""
    tournament, user = a_tournament(), member()
    for _ in range(2):
        duties.appoint(tournament_id=tournament.pk, user_id=user.pk, role=StaffRole.ARBITER)
    assert tournament.staff.count() == 1
    for _ in range(2):
        duties.dismiss(tournament_id=tournament.pk, user_id=user.pk, role=StaffRole.ARBITER)
    assert tournament.staff.count() == 0


def test_only_staff_is_given_a_duty() -> None:
    """A player who is given one by mistake would not be able to do it."""
    tournament, [player] = a_tournament(), players(1)
    with pytest.raises(TournamentRefusal) as refused:
        duties.appoint(tournament_id=tournament.pk, user_id=player.pk, role=StaffRole.ARBITER)
    assert refused.value.code is TournamentCode.NOT_STAFF


def test_the_last_organiser_stays_until_another_is_there() -> None:
    """Somebody has to run it."""
    first, second = member("first"), member("second")
    tournament = a_tournament(organiser_id=first.pk)

    def dismiss() -> None:
        duties.dismiss(tournament_id=tournament.pk, user_id=first.pk, role=StaffRole.ORGANISER)

    with pytest.raises(TournamentRefusal) as refused:
        dismiss()
    assert refused.value.code is TournamentCode.LAST_ORGANISER
    duties.appoint(tournament_id=tournament.pk, user_id=second.pk, role=StaffRole.ORGANISER)
    dismiss()
    assert _organisers(tournament) == ["second"]


# Edges


def test_an_organiser_of_another_tournament_neither_leads_nor_keeps_score_here() -> None:
    """His permissions are as good as anybody's; this is not his."""
    tournament = in_person(Shape.SINGLE, 3, terms=terms("points"))
    services.open_due(tournament_id=tournament.pk, now=NOW)
    stranger = _called(a_tournament(), member("olga", ORGANISERS), StaffRole.ORGANISER)
    client = Client()
    client.force_login(stranger)
    seating = client.get(f"/tournaments/{tournament.public_id}/seating/").content.decode()
    assert "/sheet/" not in seating
    assert "/go-on/" not in seating
    assert client.post(f"/tournaments/{tournament.public_id}/go-on/").status_code == 403
    table = tournament.rounds.get().tables.get().match.table
    assert client.get(f"/tables/{table.public_id}/sheet/").status_code == 403
    assert "/sheet/" not in client.get(f"/tables/{table.public_id}/").content.decode()
    own = _called(tournament, stranger, StaffRole.ORGANISER)
    client.force_login(own)
    assert client.get(f"/tables/{table.public_id}/sheet/").status_code == 200
    assert "/sheet/" in client.get(f"/tables/{table.public_id}/").content.decode()
