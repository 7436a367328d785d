"""Opening what postings need: assets, accounts and journals. All of it may be asked for again."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from babel.numbers import get_currency_precision, list_currencies
from django.conf import settings
from django.db import connection

from ledger.errors import Code, LedgerError
from ledger.lines import checked_text
from ledger.models import Account, Asset, Journal
from ledger.terms import GENESIS, AssetKind, Purpose, Rule

OWNERS_LIMIT: Final = 20_000
_CODE: Final = re.compile(r"[A-Z][A-Z0-9:_.-]{0,31}")
_PURPOSE: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")

_INSERT_ACCOUNTS: Final = {
    "postgresql": (
        "INSERT INTO ledger_account (asset_id, owner, purpose, rule, is_open)"
        " SELECT %s, o, %s, %s, true FROM unnest(%s::varchar[]) o ON CONFLICT DO NOTHING"
    ),
    # One statement is atomic on SQLite, so nothing can come between the look and the insert.
    "sqlite": (
        "INSERT INTO ledger_account (asset_id, owner, purpose, rule, is_open)"
        " SELECT w.asset, o.value, w.purpose, w.rule, 1"
        " FROM (SELECT %s AS asset, %s AS purpose, %s AS rule) w, json_each(%s) o"
        " WHERE NOT EXISTS (SELECT 1 FROM ledger_account a WHERE a.owner = o.value"
        " AND a.purpose = w.purpose AND a.asset_id = w.asset)"
    ),
}
_SELECT_ACCOUNTS: Final = {
    "postgresql": "SELECT * FROM ledger_account WHERE asset_id = %s AND purpose = %s"
    " AND owner = ANY(%s::varchar[])",
    "sqlite": "SELECT * FROM ledger_account WHERE asset_id = %s AND purpose = %s"
    " AND owner IN (SELECT value FROM json_each(%s))",
}


def ensure_asset(*, code: str, kind: AssetKind, scale: int | None = None) -> Asset:
    """The asset of this code, made when it is new.

    A currency is named by its ISO 4217 code and has its minor units; other assets have no decimals
    unless `scale` (0 to 6) says so, and may not take a currency's code.
    Raises `LedgerError`: BAD_ASSET, or ASSET_DIFFERS when it exists as something else.
    """
    wanted = _wanted_asset(code, AssetKind(kind), scale)
    asset = Asset.objects.filter(code=code).first()
    if asset is None:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO ledger_asset (code, kind, scale) SELECT %s, %s, %s"
                " WHERE NOT EXISTS (SELECT 1 FROM ledger_asset WHERE code = %s)"
                " ON CONFLICT DO NOTHING",
                [code, kind.value, wanted.scale, code],
            )
        asset = Asset.objects.get(code=code)
    if (asset.kind, asset.scale) != (wanted.kind, wanted.scale):
        raise LedgerError(
            Code.ASSET_DIFFERS,
            f"{code} exists as {asset.kind} with {asset.scale} decimals; that never changes.",
            field="code",
        )
    return asset


def _wanted_asset(code: str, kind: AssetKind, scale: int | None) -> Asset:
    if type(code) is not str or not _CODE.fullmatch(code):
        raise LedgerError(
            Code.BAD_ASSET, "A code is 1 to 32 capitals, digits and : _ . -", field="code"
        )
    is_currency = code in list_currencies()
    if is_currency != (kind is AssetKind.CURRENCY):
        raise LedgerError(
            Code.BAD_ASSET,
            f"'{code}' is {'a' if is_currency else 'no'} currency of ISO 4217.",
            field="code",
        )
    natural = get_currency_precision(code) if is_currency else 0
    chosen = natural if scale is None else scale
    if type(chosen) is not int or not 0 <= chosen <= 6 or (is_currency and chosen != natural):
        raise LedgerError(Code.BAD_ASSET, f"{code} cannot have {scale} decimals.", field="scale")
    return Asset(code=code, kind=kind.value, scale=chosen)


def online_allowed(asset: Asset) -> bool:
    """Whether online tournaments may be played for the asset: money only where the site says so."""
    return asset.kind != AssetKind.CURRENCY or bool(getattr(settings, "RUMMY_MONEY_PLAY", False))


def open_account(*, asset: str, owner: str, purpose: Purpose | str, rule: Rule) -> Account:
    """The account of this owner, purpose and asset, made with a zero balance when it is new.

    `owner` is an opaque reference such as `player:17`.
    Raises `LedgerError`: BAD_TEXT, UNKNOWN_ASSET, or ACCOUNT_DIFFERS for another rule.
    """
    return open_accounts(asset=asset, owners=[owner], purpose=purpose, rule=rule)[owner]


def open_accounts(
    *, asset: str, owners: Sequence[str], purpose: Purpose | str, rule: Rule
) -> dict[str, Account]:
    """The accounts of many owners, by owner, in at most four statements. See `open_account`."""
    for owner in owners:
        checked_text("owner", owner, 120)
    if len(owners) > OWNERS_LIMIT:
        raise LedgerError(
            Code.BAD_TEXT, f"Ask for at most {OWNERS_LIMIT} accounts at once.", field="owners"
        )
    if not _PURPOSE.fullmatch(str(purpose)):
        raise LedgerError(
            Code.BAD_TEXT, "A purpose is small letters, digits and _.", field="purpose"
        )
    wanted = sorted(set(owners))
    accounts = _accounts(asset, str(purpose), wanted)
    if len(accounts) < len(wanted):
        if not Asset.objects.filter(code=asset).exists():
            raise LedgerError(Code.UNKNOWN_ASSET, f"There is no asset '{asset}'.", field="asset")
        # Sorted, so that two who open the same accounts do not wait for each other in a ring.
        new = [owner for owner in wanted if owner not in accounts]
        with connection.cursor() as cursor:
            cursor.execute(
                _INSERT_ACCOUNTS[connection.vendor],
                [asset, str(purpose), Rule(rule).value, _many(new)],
            )
        accounts = _accounts(asset, str(purpose), wanted)
    for account in accounts.values():
        if account.rule != rule:
            raise LedgerError(
                Code.ACCOUNT_DIFFERS,
                f"The account of {account.owner} exists with the rule '{account.rule}'.",
                field="rule",
            )
    return accounts


def _accounts(asset: str, purpose: str, owners: Sequence[str]) -> dict[str, Account]:
    found = Account.objects.raw(
        _SELECT_ACCOUNTS[connection.vendor], [asset, purpose, _many(owners)]
    )
    return {account.owner: account for account in found}


def _many(values: Sequence[str]) -> Any:
    return list(values) if connection.vendor == "postgresql" else json.dumps(list(values))


def open_journal(*, code: str) -> Journal:
    """The journal of this code, empty when it is new. Raises `LedgerError(BAD_TEXT)`."""
    checked_text("code", code, 64)
    journal = Journal.objects.filter(code=code).first()
    if journal is not None:
        return journal
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_journal (code, head_seq, head_hash) SELECT %s, 0, %s"
            " WHERE NOT EXISTS (SELECT 1 FROM ledger_journal WHERE code = %s)"
            " ON CONFLICT DO NOTHING",
            [code, GENESIS, code],
        )
    return Journal.objects.get(code=code)
