"""Who of the staff runs a tournament and who keeps its score sheets: appointing and dismissing.

Who makes a tournament is its organiser. Nobody but staff has a duty, and the last organiser stays.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import StaffRole, Tournament, TournamentStaff
from tournaments.services.lifecycle import lock

__all__ = [
    "StaffRole",
    "appoint",
    "appoint_in_all",
    "dismiss",
    "same_staff",
    "take_charge",
]


def appoint(*, tournament_id: int, user_id: int, role: StaffRole) -> bool:
    """Give a member of the staff a duty; whether that was anything new.

    Raises `TournamentRefusal(NOT_STAFF)` for somebody who is not staff.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if not User.objects.filter(pk=user_id, is_active=True, is_staff=True).exists():
            raise TournamentRefusal(
                TournamentCode.NOT_STAFF,
                _("Only a member of the staff can be given a duty."),
                field="user",
            )
        _duty, is_new = TournamentStaff.objects.get_or_create(
            tournament=tournament, user_id=user_id, role=role
        )
    return is_new


def appoint_in_all(*, name: str, user_id: int, role: StaffRole) -> None:
    """Give a member of the staff a duty in every tournament of a name. Raises as `appoint`."""
    with transaction.atomic():
        for pk in Tournament.objects.filter(name=name).order_by("pk").values_list("pk", flat=True):
            appoint(tournament_id=pk, user_id=user_id, role=role)


def dismiss(*, tournament_id: int, user_id: int, role: StaffRole) -> bool:
    """Take a duty away; whether there was one.

    Raises `TournamentRefusal(LAST_ORGANISER)` where nobody would be left to run it.
    """
    with transaction.atomic():
        duties = lock(tournament_id).staff
        found = duties.filter(user=user_id, role=role)
        if not found.exists():
            return False
        others = duties.filter(role=StaffRole.ORGANISER).exclude(user=user_id)
        if role == StaffRole.ORGANISER and not others.exists():
            raise TournamentRefusal(
                TournamentCode.LAST_ORGANISER,
                _("Appoint another organiser first; somebody has to run it."),
                field="user",
            )
        found.delete()
    return True


def take_charge(tournament: Tournament, organiser_id: int | None) -> None:
    """Make somebody the organiser of a tournament that he has just made; None for nobody."""
    if organiser_id is not None:
        TournamentStaff.objects.create(
            tournament=tournament, user_id=organiser_id, role=StaffRole.ORGANISER
        )


def same_staff(original: Tournament, made: Tournament) -> None:
    """Give a tournament of a series the staff that its template has."""
    TournamentStaff.objects.bulk_create(
        TournamentStaff(tournament=made, user_id=user, role=role)
        for user, role in original.staff.values_list("user_id", "role")
    )
