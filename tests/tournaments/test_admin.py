"""The admin of tables and tournaments: look at everything, change nothing, no secret early."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from tables import services as table_services
from tables.models import Deal, DealEvent
from tables.rules.commands import Drop
from tests.pages import page_of, queries_of
from tests.tables.helpers import a_match, dealt
from tests.tournaments.helpers import NOW, next_round, started
from tournaments.models import Entry, Round, RoundTable, Schedule, Shape, Tournament

pytestmark = pytest.mark.django_db

MODELS: list[Any] = [
    model for app in ("tables", "tournaments") for model in apps.get_app_config(app).get_models()
]


@pytest.fixture
def desk(client: Client) -> Client:
    """A superuser's browser."""
    client.force_login(User.objects.create_superuser("root", password="open-deck-7"))
    return client


def base(model: Any) -> str:
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


def a_running_deal() -> tuple[Deal, str]:
    """A deal that is being played, and its secret."""
    deal, state = dealt(a_match())
    return deal, state.secret


def one_of_each() -> None:
    """A row of every model that a deal and a round need."""
    tournament = started(Shape.KNOCKOUT, 7)
    next_round(tournament)
    deal, state = dealt(a_match())
    assert state.turn is not None
    drop = Drop(state.turn)
    table_services.play(deal_id=deal.pk, command=drop, command_id="drop", now=NOW)


def test_every_model_of_both_apps_is_in_the_admin() -> None:
    assert len(MODELS) >= 12
    assert [model for model in MODELS if not admin.site.is_registered(model)] == []


def test_every_list_and_row_can_be_looked_at(desk: Client) -> None:
    one_of_each()
    looked_at = 0
    for model in MODELS:
        with translation.override("en"):
            many = str(model._meta.verbose_name_plural)
        assert many in page_of(desk, base(model)).lower()
        for row in model.objects.order_by("-pk")[:1]:
            assert "History" in page_of(desk, f"{base(model)}{row.pk}/change/")
            looked_at += 1
        page_of(desk, f"{base(model)}?q=nothing")
    assert looked_at >= 10


def test_nothing_can_be_added_changed_or_deleted_even_by_a_superuser(desk: Client) -> None:
    one_of_each()
    for model in MODELS:
        row = model.objects.order_by("-pk").first() or model(pk=1)
        before = list(model.objects.values())
        # These two have forms of their own; what is sent here is refused by them.
        refused = 200 if model in (Tournament, Schedule) else 403
        assert desk.get(f"{base(model)}add/").status_code == refused
        assert desk.post(f"{base(model)}add/", {}).status_code == refused
        if before:
            answer = desk.post(f"{base(model)}{row.pk}/change/", {"name": "x"})
            assert answer.status_code == (409 if model is Tournament else 403)
            assert desk.post(f"{base(model)}{row.pk}/delete/", {"post": "yes"}).status_code == 403
        action = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
        desk.post(base(model), action)
        assert list(model.objects.values()) == before


def test_the_events_of_a_running_deal_are_shown_without_what_they_say(desk: Client) -> None:
    deal, secret = a_running_deal()
    for event in deal.events.all():
        html = page_of(desk, f"{base(DealEvent)}{event.pk}/change/")
        assert "shown when the deal is over" in html
        assert secret not in html
        assert "&quot;at&quot;" not in html
    assert secret not in page_of(desk, base(DealEvent))


def test_the_events_of_a_finished_deal_are_shown_whole(desk: Client) -> None:
    one_of_each()
    event = DealEvent.objects.filter(kind="cards_dealt", deal__over_at__isnull=False).get()
    html = page_of(desk, f"{base(DealEvent)}{event.pk}/change/")
    assert "wild_card" in html
    assert "shown when the deal is over" not in html


@pytest.mark.parametrize(
    ("model", "lookup"),
    [
        (DealEvent, "payload__contains=5H"),
        (DealEvent, "payload__startswith={"),
        (Deal, "events__payload__contains=5H"),
        (Tournament, "next_secret__startswith=a"),
        (Round, "lot_secret__startswith=a"),
        (RoundTable, "round__lot_secret__startswith=a"),
        (Entry, "tournament__next_secret__startswith=a"),
    ],
)
def test_no_secret_can_be_guessed_at_through_a_list(desk: Client, model: Any, lookup: str) -> None:
    a_running_deal()
    assert desk.get(f"{base(model)}?{lookup}").status_code == 400


def test_the_search_does_not_look_into_events(desk: Client) -> None:
    deal, secret = a_running_deal()
    assert f"/{deal.events.get(seq=1).pk}/change/" in page_of(desk, base(DealEvent))
    for sought in (secret[:12], "cards_dealt", "hands"):
        assert "/change/" not in page_of(desk, f"{base(DealEvent)}?q={sought}")


def test_no_field_of_a_table_that_is_named_a_secret_is_shown(desk: Client) -> None:
    a_running_deal()
    names = {field.name for model in MODELS[:6] for field in model._meta.fields}
    assert "payload" in names
    for model in MODELS:
        if model._meta.app_label == "tables":
            shown = admin.site.get_model_admin(model).get_exclude(desk.get("/").wsgi_request)
            hidden = {f.name for f in model._meta.fields if "secret" in f.name}
            assert hidden <= set(shown or ())


def test_the_secret_of_the_next_draw_is_not_shown(desk: Client) -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    next_round(tournament)
    tournament.refresh_from_db()
    html = page_of(desk, f"{base(Tournament)}{tournament.pk}/change/")
    assert tournament.next_commitment in html
    assert tournament.next_secret not in html
    assert tournament.next_secret not in page_of(desk, base(Tournament))


def test_the_secret_of_a_rounds_lots_is_not_shown(desk: Client) -> None:
    opened = next_round(started(Shape.KNOCKOUT, 7))
    html = page_of(desk, f"{base(Round)}{opened.pk}/change/")
    assert opened.lot_commitment in html
    assert opened.draw_secret in html
    assert opened.lot_secret not in html
    assert opened.lot_secret not in page_of(desk, base(Round))


def test_lists_take_as_many_queries_for_many_rows_as_for_few(desk: Client) -> None:
    one_of_each()
    few = {model: len(queries_of(desk, base(model))) for model in MODELS}
    one_of_each()
    one_of_each()
    many = {model: len(queries_of(desk, base(model))) for model in MODELS}
    assert many == few


def test_a_player_does_not_get_in(client: Client) -> None:
    client.force_login(User.objects.create_user("asha", password="open-deck-7"))
    assert client.get(base(Tournament)).status_code == 302
