"""The staff's pages in Hindi: frame, lists and forms, as somebody reads who knows no English."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.templatetags.admin_list import result_headers
from django.contrib.admin.utils import flatten_fieldsets, label_for_field
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation

from staff.admin_base import ReadOnlyAdmin
from tests.showcase import Showcase, make_showcase
from tests.site.hindi import NAMES, english_in, language_and_texts, reader
from tests.tournaments.desk_helpers import LIST, new_form, organiser
from tests.web.desk import desk_pages

pytestmark = pytest.mark.django_db

ORGANISERS_LISTS = {
    name: f"/admin/tournaments/{name}/" for name in ("tournament", "schedule", "template")
}
KNOWN = NAMES | {
    # Tournaments and people of the tests, roles as groups are named, columns of a file, a key.
    *("Draft", "olga", "operator", "arbiter", "support", "superuser", "system", "PLAY"),
    *("organisers", "arbiters", "operators", "username", "first", "last", "email", "name"),
    # Owners of accounts, keys of entries: searched for as they are written.
    *("esc", "house", "payout"),
}


@pytest.fixture
def showcase() -> Showcase:
    """A site with something of everything."""
    return make_showcase()


def _english(role: User, pages: dict[str, str]) -> dict[str, list[str]]:
    """What is English on those of the pages that are open to somebody."""
    browser, found, shown = reader(role), {}, 0
    for name, address in pages.items():
        answer = browser.get(address)
        if answer.status_code != 200:
            continue
        html = answer.content.decode()
        assert language_and_texts(html)[0] == "hi", name
        shown += 1
        if english := english_in(html, KNOWN):
            found[name] = english
    assert shown
    return found


def test_no_page_of_the_organisers_desk_has_an_english_word_on_it() -> None:
    """What is told of a tournament of one's own, and the three lists that lead there."""
    pages = desk_pages() | ORGANISERS_LISTS
    assert _english(User.objects.get(username="olga"), pages) == {}


@pytest.mark.parametrize("role", ["organiser", "arbiter", "operator", "support"])
def test_no_page_that_they_see_of_the_showcase_has_an_english_word_on_it(
    showcase: Showcase, role: str
) -> None:
    """Control room and deeds, staff, the payout audit and what is behind its figures."""
    assert _english(showcase.people[role], showcase.desk_pages) == {}


@pytest.mark.parametrize("role", ["organiser", "arbiter", "operator", "support"])
def test_no_list_of_rows_that_they_may_open_has_an_english_heading(
    showcase: Showcase, role: str
) -> None:
    """Columns, what lists are filtered by, and the fields of a row."""
    browser, found, shown = reader(showcase.people[role]), {}, 0
    for model, rows in admin.site._registry.items():
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        listed = browser.get(reverse(f"{base}_changelist"))
        if listed.status_code != 200:
            continue
        shown += 1
        seen = listed.context["cl"]
        with translation.override("hi"):
            words = [str(head["text"]) for head in result_headers(seen)]
            words += [str(one.title) for one in seen.filter_specs]
            words += _labels(rows, listed.wsgi_request)
        if english := [word for word in words if english_in(word, KNOWN)]:
            found[base] = english
    assert found == {}
    assert bool(shown) == (role != "support")


def _labels(rows: Any, request: HttpRequest) -> list[str]:
    """What the fields of a row are called, and those of the rows below it."""
    if not issubclass(type(rows), ReadOnlyAdmin):
        return []  # forms of our own, which the pages above are
    names = [(rows, name) for name in flatten_fieldsets(rows.get_fieldsets(request))]
    for inline in rows.get_inline_instances(request):
        names += [(inline, name) for name in flatten_fieldsets(inline.get_fieldsets(request))]
    return [str(label_for_field(name, one.model, one)) for one, name in names]


def test_what_is_wrong_in_the_form_is_said_in_hindi() -> None:
    """By the form, the structure of prizes, the rules and the service."""
    browser = reader(organiser())
    wrong: tuple[dict[str, Any], ...] = (
        {"name": "", "entry_fee": "1,5", "capacity": "1", "min_entries": "99"},
        {"house_fee": "600"},
        {"start_kind": "fixed_time"},
        {"prizes-0-share": "40"},
        {"profile-long_run": "50"},
        {"advance": "5", "seats": "3"},
        {"rating_from": "50", "rating_to": "40"},
        {"asset": "INR"},
        {"stake": "promotional"},
    )
    for typed in wrong:
        sent = new_form(**({"name": "Open cup", "entry_fee": "500"} | typed))
        html = browser.post(f"{LIST}add/", sent).content.decode()
        assert 'class="field-error"' in html or 'class="note bad"' in html, typed
        assert english_in(html, KNOWN) == [], typed
