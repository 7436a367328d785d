"""`manage.py demo`: known log-ins on a development site, printed each time.

Refuses on any site that does not run with DEBUG: these passwords are public. What exists already is
left as it is, so running it again costs nothing.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from rummy_site.roles import OPERATORS, ORGANISERS


class DemoLogin(NamedTuple):
    """One log-in of the demo; a `group` makes it staff."""

    name: str
    what: str
    group: str | None = None

    @property
    def password(self) -> str:
        """Public on purpose."""
        return f"{self.name}-demo"


LOGINS: Final = (
    DemoLogin("organiser", "sets up and runs tournaments", ORGANISERS),
    DemoLogin("operator", "audits tournaments and accounts", OPERATORS),
    *(DemoLogin(f"player{n}", "plays") for n in range(1, 7)),
)


class Command(BaseCommand):
    """Make the demo data and print how to log in."""

    help = "Creates demo log-ins on a development site and prints them."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make what is missing, in one transaction, then print all of it."""
        if not settings.DEBUG:
            raise CommandError(
                "The demo log-ins have public passwords; they are made only where DEBUG is on."
            )
        with transaction.atomic():
            for make in DEMO_PARTS:
                make()
        self.stdout.write("Demo log-ins (user / password):")
        for login in LOGINS:
            self.stdout.write(f"  {login.name:<10} / {login.password:<15} {login.what}")


def make_logins() -> None:
    """The demo users that do not exist yet, each in its group."""
    existing = set(User.objects.values_list("username", flat=True))
    for login in LOGINS:
        if login.name in existing:
            continue
        user = User.objects.create_user(
            login.name, password=login.password, is_staff=login.group is not None
        )
        if login.group is not None:
            user.groups.add(Group.objects.get(name=login.group))


# What the demo consists of, in order. Each part leaves alone what is there already.
DEMO_PARTS: Final = (make_logins,)
