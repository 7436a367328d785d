"""`manage.py demo`: known log-ins and some tournaments on a development site.

Four tournaments are played out by bots, one is open for registration. Refuses on any site that
does not run with DEBUG: the log-ins' passwords are public. What exists already is left as it is, so
running it again costs nothing; a tournament that was interrupted is played on.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from rummy_site.roles import ARBITERS, OPERATORS, ORGANISERS, SUPPORT
from tournaments import money, play, selectors, services
from tournaments.services import duties
from tournaments.services.duties import StaffRole
from tournaments.structure.prize_text import read_prizes


class DemoLogin(NamedTuple):
    """One log-in of the demo; a `group` makes it staff."""

    name: str
    what: str
    group: str | None = None

    @property
    def password(self) -> str:
        """Public on purpose."""
        return f"{self.name}-demo"

    @property
    def email(self) -> str:
        """Confirmed from the start, so that whoever tries the demo can take welcome points."""
        return f"{self.name}@demo.invalid"


LOGINS: Final = (
    DemoLogin("organiser", "sets up and runs tournaments", ORGANISERS),
    DemoLogin("arbiter", "keeps score and decides in them", ARBITERS),
    DemoLogin("operator", "audits tournaments and accounts", OPERATORS),
    DemoLogin("support", "looks players up", SUPPORT),
    *(DemoLogin(f"player{n}", "plays") for n in range(1, 7)),
)


class Command(BaseCommand):
    """Make the demo data and print how to log in."""

    help = "Creates demo log-ins on a development site and prints them."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make what is missing, then print the log-ins."""
        if not settings.DEBUG:
            raise CommandError(
                "The demo log-ins have public passwords; they are made only where DEBUG is on."
            )
        self.stdout.write("The demo: bots play four tournaments, which takes a minute once.")
        self.stdout.flush()
        for make in DEMO_PARTS:
            make()
        self.stdout.write("Demo log-ins (user / password):")
        for login in LOGINS:
            self.stdout.write(f"  {login.name:<10} / {login.password:<15} {login.what}")


@transaction.atomic
def make_logins() -> None:
    """The demo users that do not exist yet, each in its group."""
    existing = set(User.objects.values_list("username", flat=True))
    for login in LOGINS:
        if login.name in existing:
            continue
        user = User.objects.create_user(
            login.name,
            email=login.email,
            password=login.password,
            is_staff=login.group is not None,
        )
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        if login.group is not None:
            user.groups.add(Group.objects.get(name=login.group))


class Played(NamedTuple):
    """A tournament that bots play to its end; its name is the seed too."""

    name: str
    shape: str
    format: str
    entrants: int
    options: tuple[tuple[str, Any], ...] = ()


PLAYED: Final = (
    Played("Kite Festival", "heads_up", "heads_up", 8, (("house_fee", 100),)),
    Played("Monsoon Cup", "knockout", "deals", 13, (("house_fee", 50), ("prizes", "50,30,20"))),
    Played("Sunday Pool", "single", "pool101", 5),
    Played("Rising Stakes", "levels", "points", 6, (("house_fee", 50),)),
)
OPEN: Final = "Diwali Knock-out"
BOTS: Final = ("Asha", "Bilal", "Chitra", "Dev", "Esha")
FEE: Final = 500
POINTS_GIVEN: Final = 10_000
ACTOR: Final = "demo"


def play_tournaments() -> None:
    """Play those that are not there yet, and on with one that was interrupted."""
    for wanted in PLAYED:
        interrupted = selectors.unfinished(name=wanted.name)
        if interrupted is not None or not selectors.is_there(name=wanted.name):
            call_command(
                "simulate_tournament",
                shape=wanted.shape,
                format=wanted.format,
                entrants=wanted.entrants,
                seed=wanted.name,
                name=wanted.name,
                go_on=interrupted,
                stdout=io.StringIO(),
                **dict(wanted.options),
            )


@transaction.atomic
def open_tournament() -> None:
    """A tournament that is open for registration, with some bots and two players in it."""
    if selectors.is_there(name=OPEN):
        return
    now = timezone.now()
    terms = play.simulated_terms(
        format_name="deals", profile_name=None, prizes=read_prizes("50,30,20")
    )
    tournament = services.create(
        name=OPEN,
        shape=selectors.Shape.KNOCKOUT,
        terms=terms,
        entry_fee=FEE,
        house_fee=FEE // 10,
        capacity=12,
        min_entries=4,
        now=now,
    )
    services.open_registration(tournament_id=tournament.pk, actor=ACTOR, now=now)
    players = [login.name for login in LOGINS if login.group is None]
    people = User.objects.filter(username__in=players).order_by("username")
    bots = _bots()
    money.grant(
        asset=tournament.asset,
        player_ids=[user.pk for user in (*people, *bots)],
        amount=POINTS_GIVEN,
        key="demo:points",
        actor=ACTOR,
        now=now,
    )
    for user, strength in _entrants(people, bots):
        services.register(
            tournament_id=tournament.pk, player_id=user.pk, actor=ACTOR, bot=strength, now=now
        )


@transaction.atomic
def give_duties() -> None:
    """The demo's organiser runs its tournaments, and its arbiter is called to them."""
    for login, role in (("organiser", StaffRole.ORGANISER), ("arbiter", StaffRole.ARBITER)):
        user = User.objects.get(username=login)
        for name in (*(one.name for one in PLAYED), OPEN):
            duties.appoint_in_all(name=name, user_id=user.pk, role=role)


def _bots() -> list[User]:
    """Users that nobody can log in as."""
    found = []
    for name in BOTS:
        bot, is_new = User.objects.get_or_create(
            username=f"bot-{name.lower()}", defaults={"first_name": name}
        )
        if is_new:
            bot.set_unusable_password()
            bot.save(update_fields=["password"])
        found.append(bot)
    return found


def _entrants(people: Iterable[User], bots: Iterable[User]) -> list[tuple[User, str]]:
    """Every bot, and the first two people; the others are left to join by themselves."""
    return [*((bot, "steady") for bot in bots), *((user, "") for user in list(people)[:2])]


# What the demo consists of, in order. Each part leaves alone what is there already.
DEMO_PARTS: Final = (make_logins, play_tournaments, open_tournament, give_duties)
