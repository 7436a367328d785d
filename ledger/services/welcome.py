"""Play points for a newcomer, once: from nothing, as points are not money and cannot be cashed."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.conf import settings

from ledger.lines import Line
from ledger.models import Entry
from ledger.services.posting import post
from ledger.services.registry import ensure_asset, open_account, open_journal
from ledger.terms import AssetKind, Purpose, Rule

PLAY_POINTS: Final = "PLAY"
JOURNAL: Final = "cashier"
HOUSE: Final = "house"


def welcome_points() -> int:
    """How many play points a newcomer gets; 0 where the site gives none."""
    return int(settings.RUMMY_WELCOME_POINTS)


def had_welcome(owner: str) -> bool:
    """Whether an owner has had his points. One query."""
    return Entry.objects.filter(journal__code=JOURNAL, key=_key(owner)).exists()


def _key(owner: str) -> str:
    return f"welcome:{owner}"


def give_welcome(*, owner: str, actor: str, now: datetime) -> bool:
    """Give an owner (`player:17`) his welcome points; whether he got any by this.

    Again, and where the site gives none, nothing happens. Raises `LedgerError` as `post` does.
    """
    amount = welcome_points()
    if amount <= 0 or had_welcome(owner):
        return False
    ensure_asset(code=PLAY_POINTS, kind=AssetKind.PLAY)
    open_journal(code=JOURNAL)
    issuance = open_account(
        asset=PLAY_POINTS, owner=HOUSE, purpose=Purpose.ISSUANCE, rule=Rule.UNBOUNDED
    )
    wallet = open_account(
        asset=PLAY_POINTS, owner=owner, purpose=Purpose.WALLET, rule=Rule.NEVER_NEGATIVE
    )
    entry = post(
        journal=JOURNAL,
        kind="welcome",
        key=_key(owner),
        lines=[Line.post(debit=issuance.pk, credit=wallet.pk, amount=amount)],
        actor=actor,
        now=now,
    )
    return not entry.replayed
