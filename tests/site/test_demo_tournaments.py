"""The tournaments of `manage.py demo`: four played out, one open, and never a second time."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command
from django.test import Client

from rummy_site.management.commands import demo
from tests.pages import page_of, text_of
from tournaments import money, selectors, services

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def development(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A development site whose tournaments are small."""
    settings.DEBUG = True
    small = demo.Played("Little Kite", "heads_up", "heads_up", 2, (("house_fee", 100),))
    monkeypatch.setattr(demo, "PLAYED", (small,))


def run_demo() -> str:
    out = io.StringIO()
    call_command("demo", stdout=out)
    return out.getvalue()


def test_the_demo_shows_a_tournament_that_is_over_and_one_that_is_open(client: Client) -> None:
    run_demo()
    text = text_of(page_of(client, "/"))
    assert "Open for registration Diwali Knock-out" in text
    assert "7 of 12" in text
    assert "Over Little Kite" in text
    assert "Winner Player 0000" in text


def test_the_demo_again_makes_nothing_new() -> None:
    first = run_demo()
    cards = [one.pk for one in selectors.lobby().tournaments]
    balance = money.trial_balance()
    assert run_demo() == first
    assert [one.pk for one in selectors.lobby().tournaments] == cards
    assert money.trial_balance() == balance


def test_a_tournament_that_was_interrupted_is_played_on_by_the_demo() -> None:
    interrupted = demo.PLAYED[0]
    with pytest.raises(KeyboardInterrupt), _interrupted():
        run_demo()
    unfinished = selectors.unfinished(name=interrupted.name)
    assert unfinished is not None
    run_demo()
    assert selectors.unfinished(name=interrupted.name) is None
    assert selectors.tournament_named(unfinished).state == "completed"
    assert [one.name for one in selectors.lobby().tournaments].count("Little Kite") == 1


@contextmanager
def _interrupted() -> Iterator[None]:
    """Ctrl-C when the prizes are about to be paid."""

    def stop(**_: Any) -> None:
        raise KeyboardInterrupt

    with mock.patch.object(services, "complete", stop):
        yield


def test_what_is_played_has_every_shape_and_names_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    assert {played.shape for played in demo.PLAYED} == set(selectors.Shape.values)
    assert len({played.name for played in demo.PLAYED}) == len(demo.PLAYED)
