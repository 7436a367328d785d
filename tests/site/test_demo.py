"""`manage.py demo` helps on a development site and does nothing anywhere else."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from ledger.api import is_verified
from rummy_site.management.commands import demo as command
from rummy_site.management.commands.demo import LOGINS
from tournaments.access import may_arbitrate, may_organise
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def demo() -> str:
    out = StringIO()
    call_command("demo", stdout=out)
    return out.getvalue()


@pytest.fixture(autouse=True)
def log_ins_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tournaments of the demo have tests of their own."""
    monkeypatch.setattr(command, "DEMO_PARTS", (command.make_logins,))


@pytest.fixture
def development(settings: pytest.FixtureRequest) -> None:
    settings.DEBUG = True  # type: ignore[attr-defined]


@pytest.mark.usefixtures("development")
def test_demo_prints_every_log_in_and_each_works() -> None:
    printed = demo()
    for login in LOGINS:
        assert login.name in printed
        assert login.password in printed
        assert authenticate(username=login.name, password=login.password) is not None


@pytest.mark.usefixtures("development")
def test_who_tries_the_demo_can_take_the_welcome_points() -> None:
    demo()
    for login in LOGINS:
        assert is_verified(User.objects.get(username=login.name))


@pytest.mark.usefixtures("development")
def test_demo_twice_is_demo_once() -> None:
    first = demo()
    users = list(User.objects.order_by("pk").values())
    assert demo() == first
    assert list(User.objects.order_by("pk").values()) == users


@pytest.mark.usefixtures("development")
def test_demo_leaves_a_changed_log_in_alone() -> None:
    demo()
    player = User.objects.get(username="player1")
    player.set_password("my-own-secret")
    player.save()
    demo()
    assert authenticate(username="player1", password="my-own-secret") is not None


@pytest.mark.usefixtures("development")
def test_only_staff_of_the_demo_reach_the_admin(client: Client) -> None:
    demo()
    for name, status in [("organiser", 200), ("operator", 200), ("player1", 302)]:
        client.force_login(User.objects.get(username=name))
        assert client.get("/admin/").status_code == status


def test_demo_refuses_where_debug_is_off_and_makes_nobody() -> None:
    with pytest.raises(CommandError, match="public passwords"):
        demo()
    assert not User.objects.exists()


@pytest.mark.usefixtures("development")
def test_the_organiser_of_the_demo_runs_its_tournaments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever tries the desk finds something of his own to lead; the arbiter is called to it."""
    parts = (command.make_logins, command.open_tournament, command.give_duties)
    monkeypatch.setattr(command, "DEMO_PARTS", parts)
    demo()
    demo()
    tournament = Tournament.objects.get(name=command.OPEN)
    assert may_organise(User.objects.get(username="organiser"), tournament)
    assert may_arbitrate(User.objects.get(username="arbiter"), tournament)
    assert not may_organise(User.objects.get(username="arbiter"), tournament)
