"""Organisers at their desk: who they are, and forms as a browser sends them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import Group, User
from django.test import Client

from rummy_site.roles import ORGANISERS
from staff.models import StaffAction
from tests.pages import logged_in, text_of
from tests.tournaments.helpers import a_tournament
from tournaments.admin.setup.draft import shown_of, usual_draft
from tournaments.admin.setup.sent import as_sent
from tournaments.models import Shape, StaffRole, Tournament, TournamentStaff
from tournaments.services.drafting import draft_of
from tournaments.structure.due import Times

LIST = "/admin/tournaments/tournament/"


def organiser(name: str = "olga") -> User:
    """A member of the staff who sets up tournaments."""
    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=ORGANISERS))
    return user


def in_charge(user: User, tournament: Tournament) -> Client:
    """The browser of an organiser who runs a tournament."""
    TournamentStaff.objects.create(tournament=tournament, user=user, role=StaffRole.ORGANISER)
    return logged_in(user)


def change_of(tournament: Tournament) -> str:
    """The address of a tournament's set-up."""
    return f"{LIST}{tournament.pk}/change/"


def page(tournament: Tournament, rest: str) -> str:
    """The address of another page of it."""
    return f"{LIST}{tournament.pk}/{rest}"


def new_form(kind: Shape = Shape.KNOCKOUT, **typed: Any) -> dict[str, Any]:
    """What is sent of a new form in which only this was typed."""
    return sent(shown_of(usual_draft(kind), is_new=True), typed)


def form_of(tournament: Tournament, **typed: Any) -> dict[str, Any]:
    """What is sent of the form of a tournament that was opened now, with this typed into it."""
    shown = shown_of(draft_of(tournament))
    return sent(shown, {"version": str(tournament.version), **typed})


def sent(shown: Any, typed: dict[str, Any]) -> dict[str, Any]:
    """Fields as a browser sends them; a switch typed `False` is not sent."""
    data: dict[str, Any] = dict(as_sent(shown).lists()) | typed
    return {name: value for name, value in data.items() if value is not False}


OPENS = datetime(2026, 6, 1, 17, tzinfo=UTC)
CLOSES = OPENS + timedelta(hours=1)


def at_the_door(name: str = "Door cup", **changes: Any) -> Tournament:
    """A tournament with a check-in."""
    times = Times(check_in_opens_at=OPENS, check_in_closes_at=CLOSES)
    return a_tournament(name=name, times=times, **changes)


def desk(tournament: Tournament, name: str = "olga") -> Client:
    """The browser of who runs it."""
    return in_charge(organiser(name), tournament)


def read(html: str) -> str:
    """What stands on a page of the desk."""
    inner = html.partition('class="desk"')[2]
    return text_of(f"<main>{inner}</main>")


def lines(action: str) -> list[StaffAction]:
    """What the audit log says of an action."""
    return list(StaffAction.objects.filter(action=f"tournaments.{action}").order_by("pk"))
