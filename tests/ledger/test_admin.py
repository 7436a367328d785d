"""The admin shows the ledger and offers no way to change it."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from ledger.models import Balance, Transfer
from ledger.services import CashKind, keep_check, take_checkpoint
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import ask_reversal, freeze_account, request_cash

SHOWN = [
    model
    for model in apps.get_app_config("ledger").get_models()
    if model not in (Balance, Transfer)
]


@pytest.fixture
def superuser(books: Books) -> Client:
    """Somebody who may do everything, and rows to try it on."""
    words: dict[str, Any] = {"actor": "operator:1", "reason": "a test", "now": NOW}
    request_cash(kind=CashKind.ADJUSTMENT, account=books.anna.id, amount=5, key="k", **words)
    freeze_account(account=books.ben.id, **words)
    ask_reversal(entry=books.fund(books.anna, 7).id, key="undo", **words)
    keep_check(now=NOW)
    take_checkpoint(occasion="hourly", now=NOW)
    found = Client()
    found.force_login(get_user_model().objects.create_superuser("root", password="x"))
    return found


@pytest.mark.parametrize("model", SHOWN, ids=lambda model: model.__name__)
def test_rows_are_shown_and_cannot_be_changed(superuser: Client, model: Any) -> None:
    assert model in admin.site._registry
    name = f"admin:ledger_{model._meta.model_name}"
    row = model.objects.first()
    listing = superuser.get(reverse(f"{name}_changelist"))
    detail = superuser.get(reverse(f"{name}_change", args=[row.pk]))
    assert (listing.status_code, detail.status_code) == (200, 200)
    assert b'name="_save"' not in detail.content
    assert superuser.post(reverse(f"{name}_change", args=[row.pk]), {}).status_code == 403
    assert superuser.get(reverse(f"{name}_add")).status_code == 403
    assert superuser.post(reverse(f"{name}_delete", args=[row.pk])).status_code == 403
