"""What the site keeps about a player, for himself to take along, and taking himself away from it.

Both reach into every app, so they stand here, and ask each app for its part. What others need to
trust what happened - the ledger, the logs of deals, ranks - stays, under a name that says nothing.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from ledger.api import owner_of
from ledger.selectors import Holding, StatementLine, holdings_of, statement_page
from ledger.terms import AssetKind, Purpose
from players.selectors.own import about_himself
from players.services.forgetting import forget
from tables.history import as_json, matches_history
from tournaments.selectors import own

AT_ONCE: Final = 25
"""Matches whose deals are read together."""


class CannotClose(Exception):
    """An account cannot be closed now; `code` and `sentence` say why."""

    def __init__(self, code: str, sentence: str, field: str | None = None) -> None:
        super().__init__(sentence)
        self.code, self.sentence, self.field = code, sentence, field


def everything_about(user: User) -> bytes:
    """A ZIP of JSON files: account, settings, entries, deals as he may read them, statements."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _files(user):
            archive.writestr(name, content)
    return written.getvalue()


def _files(user: User) -> Iterator[tuple[str, bytes]]:
    yield "account.json", _json(_account(user))
    yield "player.json", _json(about_himself(user.pk))
    yield "entries.json", _json(own.entries_of(user.pk))
    matches = own.all_matches_of(user.pk)
    for at in range(0, len(matches), AT_ONCE):
        found = matches_history(matches[at : at + AT_ONCE], user.pk)
        yield f"deals-{at // AT_ONCE + 1:04}.json", as_json(found)
    for holding in _holdings(user):
        account = holding.account
        lines = list(_lines(account.pk))
        yield f"statement-{account.asset.code}.json", _json(lines)


def _account(user: User) -> dict[str, Any]:
    names = ("username", "first_name", "last_name", "email", "date_joined", "last_login")
    return {name: getattr(user, name) for name in names}


def _holdings(user: User) -> tuple[Holding, ...]:
    return holdings_of(owner_of(user), Purpose.WALLET)


def _lines(account: int) -> Iterator[dict[str, Any]]:
    """A wallet's lines, the newest first; whose the other accounts are is not his to know."""
    before: int | None = None
    while True:
        page = statement_page(account, before=before)
        yield from map(_line, page.lines)
        if page.older is None:
            return
        before = page.older


def _line(line: StatementLine) -> dict[str, Any]:
    told = msgspec.structs.asdict(line)
    del told["other_owner"]
    return told


def _json(content: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(content, enc_hook=str), indent=1)


@transaction.atomic
def close_account(*, user_id: int, password: str) -> None:
    """Take a player's name, address and log-ins away for good; his open sockets end with them.

    Raises `CannotClose`: wrong_password, still_entered while a tournament that is not over has him,
    money_left while a currency stands on his wallet, is_staff for those who run the site.
    """
    user = User.objects.select_for_update().get(pk=user_id)
    _check_closable(user, password)
    forget(player_id=user.pk)
    _forget_addresses(user)
    user.username = f"gone-{get_random_string(12).lower()}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = False
    user.set_unusable_password()
    user.save()


def _check_closable(user: User, password: str) -> None:
    if user.is_staff:
        raise CannotClose(
            "is_staff", _("Ask another member of the staff to end your duties first.")
        )
    if not user.check_password(password):
        raise CannotClose("wrong_password", _("This is not your password."), "password")
    name = own.bound_by(user.pk)
    if name:
        raise CannotClose(
            "still_entered",
            _("You are still in %(name)s. Withdraw, or wait until it is over.") % {"name": name},
        )
    if any(
        holding.account.asset.kind == AssetKind.CURRENCY and holding.balance.posted
        for holding in _holdings(user)
    ):
        raise CannotClose("money_left", _("There is money in your wallet. Have it paid out first."))


def _forget_addresses(user: User) -> None:
    """E-mail addresses and second factors, wherever an app keeps them by user."""
    for relation in ("emailaddress_set", "authenticator_set", "usersession_set"):
        rows = getattr(user, relation, None)
        if rows is not None:
            rows.all().delete()
