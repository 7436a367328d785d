"""Whatever is written into the audit log is read in words of the reader; its codes stay data."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import translation

from rummy_site.roles import OPERATORS
from staff.log_words import ACTIONS, KINDS, action_word, kind_word
from staff.models import StaffAction
from staff.services.audit import Subject, note
from tests.site.hindi import NAMES, english_in, reader
from tests.staff.helpers import doer, member
from tournaments.admin.control.deeds import BY_NAME as DEEDS
from tournaments.admin.steps.table import MANY, STEPS

pytestmark = pytest.mark.django_db

LIST = reverse("admin:staff_staffaction_changelist")
KNOWN = NAMES | {"olga", "opal", "Cup", "esc"}
BY_PLAIN_FORMS: Final = {
    *("auth.add_user", "auth.change_user", "auth.set_password_of_user"),
    *("auth.add_group", "auth.change_group", "auth.delete_group"),
    *("mfa.delete_authenticator", "usersessions.delete_usersession"),
    "account.confirm_emailaddress",
}
"""What `AuditedAdmin` writes: its codes are put together."""
OTHERS: Final = {"staff.factors"}
"""What looks like a code and is none: the name of who hears a signal."""
_CODE: Final = re.compile(r"(?:tournaments|payouts|tables|ledger|players|staff)\.[a-z_]+")


def _modules() -> Iterator[ast.Module]:
    """Those that write lines."""
    for package in ("rummy_site", "tournaments", "tables", "ledger", "players", "staff"):
        for path in Path(settings.BASE_DIR, package).rglob("*.py"):
            source = path.read_text()
            if "from staff.services.audit import" in source:
                yield ast.parse(source)


def _texts() -> Iterator[str]:
    for module in _modules():
        for node in ast.walk(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_deed_that_can_be_written_has_words() -> None:
    """As the code says them, and as the names of steps and of the control room's deeds do."""
    rights = {
        f"{app}.{name}"
        for app, name in Permission.objects.values_list("content_type__app_label", "codename")
    }
    written = {text for text in _texts() if _CODE.fullmatch(text)} - OTHERS
    named = {f"tournaments.{name}" for name in (*DEEDS, *MANY, *(step.name for step in STEPS))}
    assert written
    assert (written | named | BY_PLAIN_FORMS) - ACTIONS.keys() - rights == set()
    assert ACTIONS.keys() - written - named - BY_PLAIN_FORMS == set(), "Nothing writes these."


def test_every_kind_of_subject_has_a_word() -> None:
    """Those that are named where subjects are made; a group is the only row named by its model."""
    kinds = {
        node.args[0].value
        for module in _modules()
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Subject"
        and isinstance(node.args[0], ast.Constant)
    }
    assert kinds | {"group"} == KINDS.keys()


def test_no_two_deeds_have_the_same_words_in_a_language() -> None:
    """Or nobody could choose between them."""
    for language in ("en", "hi"):
        with translation.override(language):
            for words in (ACTIONS, KINDS):
                assert len(set(map(str, words.values()))) == len(words)


def test_the_log_is_read_in_hindi_and_asked_for_by_its_codes() -> None:
    """In the list, its filters and the line; a line shows the code, which files have, too."""
    for code in ACTIONS:
        note(by=doer(), action=code, subject=Subject("tournament", "a1", "Cup"))
    for kind in KINDS:
        note(by=doer(), action="tournaments.pause", subject=Subject(kind, "a1", "Cup"))
    line = StaffAction.objects.get(action="tournaments.abort")
    browser = reader(member("opal", OPERATORS))
    page = reverse("admin:staff_staffaction_change", args=[line.pk])
    for address in (LIST, f"{LIST}?p=2", f"{LIST}?action=tournaments.abort", page):
        assert english_in(browser.get(address).text, KNOWN) == [], address
    assert "<code>tournaments.abort</code>" in browser.get(page).text
    found = browser.get(LIST, {"action": "tournaments.abort"})
    assert 'value="tournaments.abort"' in found.text
    assert [one.pk for one in found.context["cl"].result_list] == [line.pk]


def test_a_code_of_former_days_is_shown_as_it_is() -> None:
    """Lines are never changed, so there may be some."""
    assert (action_word("tournaments.was"), kind_word("was")) == ("tournaments.was", "was")
