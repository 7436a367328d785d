"""A player's file for support and operators: account, entries, matches, notes, chat, log-ins.

Money stands in it only for whoever may look at everybody's.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, NamedTuple

from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from ledger.amounts import of_asset
from ledger.api import owner_of
from ledger.selectors import holdings_of
from ledger.terms import Purpose
from tables.inspecting import Said, matches_of, said_by
from tournaments.selectors.figures import notes_of
from tournaments.selectors.own import entries_of, state_words

SHOWN: Final = 50


class LogIn(NamedTuple):
    """A session that is open or was: when it began and was seen last, from where, with what."""

    began: datetime
    seen: datetime
    origin: str
    browser: str


class Purse(NamedTuple):
    """An account of the player with what stands on it."""

    pk: int
    asset: str
    posted: str
    held: str
    is_open: bool


class PlayerFile(NamedTuple):
    """All of it, the newest first, fifty lines of each."""

    user: User
    entries: list[dict[str, Any]]
    matches: list[Any]
    notes: list[Any]
    chat: list[tuple[Any, Said]]
    log_ins: list[LogIn]
    purses: list[Purse] | None
    """None for who may not look at money."""


def people_found(text: str) -> QuerySet[User]:
    """Users by a piece of their name, full name or address; all without one, the newest first."""
    found = User.objects.order_by("-pk")
    if not text:
        return found
    return found.filter(
        Q(username__icontains=text)
        | Q(first_name__icontains=text)
        | Q(last_name__icontains=text)
        | Q(email__icontains=text)
    )


def file_of(username: str, *, with_money: bool) -> PlayerFile | None:
    """A player's file, None where there is none. A fixed number of queries."""
    user = User.objects.filter(username=username).first()
    if user is None:
        return None
    return PlayerFile(
        user=user,
        entries=[
            row | {"state": state_words(row["state"])}
            for row in entries_of(user.pk)[: -SHOWN - 1 : -1]
        ],
        matches=matches_of(user.pk, limit=SHOWN),
        notes=notes_of(user.pk, limit=SHOWN),
        chat=said_by(user.pk, limit=SHOWN),
        log_ins=_log_ins(user),
        purses=_purses(user) if with_money else None,
    )


def _log_ins(user: User) -> list[LogIn]:
    rows = UserSession.objects.filter(user=user).order_by("-last_seen_at")[:SHOWN]
    return [LogIn(row.created_at, row.last_seen_at, row.ip, row.user_agent) for row in rows]


def _purses(user: User) -> list[Purse]:
    return [
        Purse(
            holding.account.pk,
            holding.account.asset_id,
            of_asset(holding.balance.posted, holding.account.asset),
            of_asset(holding.balance.held, holding.account.asset),
            holding.account.is_open,
        )
        for holding in holdings_of(owner_of(user), Purpose.WALLET)
    ]
