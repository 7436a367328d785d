"""Trying to break the desk with the rights of its staff: strange addresses, numbers and texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.contrib import admin
from django.db import transaction
from django.test import Client
from django.urls import reverse

from ledger.models import CashRequest, Entry, ReversalRequest
from players.models import Scope
from staff.models import StaffAction
from tests.pages import logged_in
from tests.programs import key_for, program
from tests.showcase import Showcase, make_showcase, url_names
from tournaments.models import Payout

pytestmark = pytest.mark.django_db

HUGE: Final = "9" * 19
TEXTS: Final = (
    *("x" * 5_000, "-1", "9" * 400, "9223372036854775808", HUGE, "1e999", "nan", "[]", "%ff%fe"),
    *("9999-12-31", "0001-01-01", "2024-02-31", "a\x01b", "\u202e", "\ufffe", "' OR 1=1 --", ""),
)
ASKED: Final = (
    *("page", "q", "until", "since", "day", "before", "after", "purpose", "state", "tournament"),
    *("transfer", "chips", "e", "all", "cursor", "form", "account", "owner", "asset", "is_open"),
    *("action", "actor_name", "subject", "batch", "reference", "kind", "key", "journal__code"),
)
DESK: Final = ("approvals", "books:", "desk:", "payouts:", "api-desk", "ledger-")
LOG: Final = ("at_from", "at_to", "period", "who", "action", "kind", "q", "o", "p")


@pytest.fixture
def showcase() -> Showcase:
    return make_showcase()


def unbroken(showcase: Showcase, role: str) -> Client:
    """A browser of the staff, to which a fault is an answer as well."""
    client = logged_in(showcase.people[role])
    client.raise_request_exception = False
    return client


def faults(client: Client, asked: Iterator[tuple[str, dict[str, str]]]) -> list[Any]:
    """What was answered by a fault."""
    found = [(address, said, client.get(address, said).status_code) for address, said in asked]
    return [(address, str(said)[:80]) for address, said, status in found if status >= 500]


def test_no_page_of_the_desk_breaks_by_what_is_asked_of_it(showcase: Showcase) -> None:
    """Everything at once; what is not known to a page is left alone by it."""
    pages = [
        showcase.address_of(name, *parts)
        for name, parts in url_names().items()
        if name.startswith(DESK)
    ]
    pages += showcase.desk_pages.values()
    asked = ((page, dict.fromkeys(ASKED, text)) for page in sorted(set(pages)) for text in TEXTS)
    assert faults(unbroken(showcase, "operator"), asked) == []


def test_the_audit_log_and_its_files_break_by_no_filter(showcase: Showcase) -> None:
    """One by one, since a filter that is refused hides the next."""
    pages = [reverse("admin:staff_staffaction_changelist")]
    pages += [reverse("admin:staff_staffaction_export", args=[form]) for form in ("csv", "json")]
    asked = ((page, {name: text}) for page in pages for name in LOG for text in TEXTS)
    assert faults(unbroken(showcase, "operator"), asked) == []


def test_no_list_of_the_admin_breaks_by_a_number_that_no_row_has(showcase: Showcase) -> None:
    """By whatever column of it, and by the address of a row."""

    def asked() -> Iterator[tuple[str, dict[str, str]]]:
        for model in admin.site._registry:
            base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            for field in model._meta.concrete_fields:
                yield reverse(f"{base}_changelist"), {field.name: HUGE}
            yield reverse(f"{base}_change", args=[HUGE]), {}

    assert faults(unbroken(showcase, "superuser"), asked()) == []


def forms(showcase: Showcase) -> Iterator[tuple[str, dict[str, str]]]:
    """Every form of the operators with what it usually is sent."""
    account = showcase.address_of("books:account", "pk")
    entry = Entry.objects.filter(reverses=None).latest("pk").pk
    yield (
        f"{account}adjust/",
        {"key": "k", "kind": "adjustment-in", "amount": "5", "reason": "x", "attachment": ""},
    )
    yield f"{account}freeze/", {"key": "k", "reason": "x"}
    yield reverse("books:reverse", args=[entry]), {"key": "k", "reason": "x"}
    payout = Payout.objects.latest("pk")
    yield (
        reverse("approvals"),
        {"row": f"payout-{payout.tournament_id}", "verb": "refuse", "reason": "x"},
    )


def test_no_form_of_the_operators_breaks_by_what_is_sent(showcase: Showcase) -> None:
    """Each field of each with each text; nothing is moved that the form did not say."""
    client = unbroken(showcase, "operator")
    Payout.objects.update(state="awaiting", approved_by="", approved_at=None, paid_at=None)
    wrong = []
    for address, usual in forms(showcase):
        for field in usual:
            for text in (*TEXTS, "a\x00b"):
                before = transaction.savepoint()
                status = client.post(address, usual | {field: text}).status_code
                transaction.savepoint_rollback(before)
                if status >= 500:
                    wrong.append((address, field, text[:20], status))
    assert wrong == []
    assert not CashRequest.objects.exists()
    assert not ReversalRequest.objects.exists()


def test_amounts_that_are_none_move_nothing(showcase: Showcase) -> None:
    """Neither less than nothing, nor more than there can be, nor what is no number."""
    client = unbroken(showcase, "operator")
    address, usual = next(forms(showcase))
    for text in ("-5", "0", "9" * 18, "9" * 19, "1e3", "NaN", "5.5", "٥x", "0x10", "5;1", "1_000"):
        assert client.post(address, usual | {"amount": text}).status_code in (200, 409), text
    assert not CashRequest.objects.exists()
    assert not StaffAction.objects.filter(action="ledger.adjust").exists()


def test_programs_are_refused_strange_decisions(showcase: Showcase) -> None:
    """With 400 and a field, or nothing done."""
    client = program(key_for(showcase.people["operator"], Scope.STAFF))
    client.raise_request_exception = False
    usual: dict[str, Any] = {"rows": ["cash-1"], "verb": "refuse", "reason": "x"}
    strange: tuple[Any, ...] = (*TEXTS[:-1], "a\x00b", None, [], {}, -1, True, [["x"]], ["y"] * 999)
    for field in usual:
        for value in strange:
            answer = client.post("/api/desk/approvals/", usual | {field: value}, format="json")
            assert answer.status_code in (200, 400), (field, str(value)[:20])
            assert answer.status_code == 400 or answer.json() == [], (field, str(value)[:20])
