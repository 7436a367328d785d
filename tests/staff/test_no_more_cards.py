"""Staff who play, or look on, see no more cards than anybody else in their place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tables import snapshots
from tables.frames import write_frame
from tables.models import Deal
from tests.live.secrets_search import cards_anywhere
from tests.showcase import Showcase, make_showcase, url_names

pytestmark = pytest.mark.django_db

READS = ("tables:api-deal", "tables:api-history", "tables:deal", "tables:replay", "tables:result")


def _raised(user: User) -> User:
    """The same user, who may do everything now."""
    user.is_staff = user.is_superuser = True
    user.save()
    return User.objects.get(pk=user.pk)


def _seen(showcase: Showcase, user: User) -> dict[str, Any]:
    """What the socket's first frame and every page of the running deal give a user."""
    viewer = snapshots.viewer_of(table=showcase.table, user_id=user.pk)
    frame = json.loads(write_frame(snapshots.snapshot(viewer, timezone.now())))
    client = Client(raise_request_exception=False)
    client.force_login(user)
    found: dict[str, Any] = {"frame": _timeless(frame)}
    for name in READS:
        answer = client.get(reverse(name, args=[showcase.live_deal]))
        found[name] = (answer.status_code, cards_anywhere(answer.content.decode()))
    table = client.get(reverse("tables:table", args=[showcase.table]))
    found["table"] = cards_anywhere(table.content.decode())
    return found


def _timeless(frame: Any) -> Any:
    """A frame without what passes between two looks."""
    if isinstance(frame, dict):
        return {key: _timeless(one) for key, one in frame.items() if not key.endswith("_ms")}
    return [_timeless(one) for one in frame] if isinstance(frame, list) else frame


@pytest.mark.parametrize("role", ["player", "other"])
def test_rights_show_neither_who_sits_there_nor_who_looks_on_another_card(role: str) -> None:
    """Frame, table, deal, replay, result and API are the same before and after he became root."""
    showcase = make_showcase()
    user = showcase.people[role]
    before = _seen(showcase, user)
    assert _seen(showcase, _raised(user)) == before
    assert before["tables:api-deal"][0] == (200 if role == "player" else 404)


def test_no_page_of_the_admin_names_a_card_or_a_secret_of_a_running_deal() -> None:
    """Not for a superuser either, in no list and on no row of any model."""
    showcase = make_showcase()
    live = Deal.objects.get(public_id=showcase.live_deal)
    opened = json.loads(live.events.get(seq=1).payload)
    client = Client()
    client.force_login(showcase.people["superuser"])
    told = []
    for address in _admin_pages(live):
        html = client.get(address).content.decode()
        if cards_anywhere(html) or opened["secret"] in html:
            told.append(address)
    assert told == []


def _admin_pages(live: Deal) -> list[str]:
    """Every list, and the pages of what belongs to the running deal and its match."""
    pages = [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model in admin.site._registry
    ]
    rows = [live, live.match, live.match.table, *live.events.all(), *live.match.seats.all()]
    for row in rows:
        kind = f"{row._meta.app_label}_{row._meta.model_name}"
        pages.append(reverse(f"admin:{kind}_change", args=[row.pk]))
    return pages


def test_events_of_a_deal_are_shown_in_the_admin_once_it_is_over() -> None:
    """The search above would find a card that is shown."""
    showcase = make_showcase()
    deal = Deal.objects.get(public_id=showcase.played_deal)
    dealt = deal.events.get(kind="cards_dealt")
    client = Client()
    client.force_login(showcase.people["superuser"])
    page = client.get(reverse("admin:tables_dealevent_change", args=[dealt.pk]))
    assert cards_anywhere(page.content.decode()) != set()


def test_the_pages_that_are_compared_are_there() -> None:
    """A name that was changed would compare nothing."""
    assert set(READS) <= url_names().keys()
