"""Assets, accounts and journals: made once, never changed, asked for as often as one likes."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings

from ledger.errors import Code, LedgerError
from ledger.models import Account, Asset, Balance, Journal
from ledger.services import (
    AssetKind,
    Purpose,
    Rule,
    ensure_asset,
    online_allowed,
    open_account,
    open_accounts,
    open_journal,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("code", "scale"), [("INR", 2), ("JPY", 0), ("KWD", 3), ("EUR", 2)])
def test_a_currency_has_the_minor_units_of_its_iso_code(code: str, scale: int) -> None:
    assert ensure_asset(code=code, kind=AssetKind.CURRENCY).scale == scale


def test_points_and_chips_have_no_decimals_unless_asked_for() -> None:
    assert ensure_asset(code="PLAY", kind=AssetKind.PLAY).scale == 0
    assert ensure_asset(code="CHIPS:7", kind=AssetKind.CHIPS, scale=1).scale == 1


@pytest.mark.parametrize(
    ("asset", "field"),
    [
        ({"code": "INR", "kind": AssetKind.PLAY}, "code"),
        ({"code": "XYZW", "kind": AssetKind.CURRENCY}, "code"),
        ({"code": "INR", "kind": AssetKind.CURRENCY, "scale": 3}, "scale"),
        ({"code": "play", "kind": AssetKind.PLAY}, "code"),
        ({"code": "", "kind": AssetKind.PLAY}, "code"),
        ({"code": "PLAY", "kind": AssetKind.PLAY, "scale": 7}, "scale"),
        ({"code": "PLAY", "kind": AssetKind.PLAY, "scale": True}, "scale"),
    ],
)
def test_an_asset_that_cannot_be_is_refused(asset: dict[str, Any], field: str) -> None:
    with pytest.raises(LedgerError) as caught:
        ensure_asset(**asset)
    assert (caught.value.code, caught.value.field) == (Code.BAD_ASSET, field)
    assert not Asset.objects.exists()


def test_an_asset_never_becomes_another() -> None:
    ensure_asset(code="PLAY", kind=AssetKind.PLAY)
    assert ensure_asset(code="PLAY", kind=AssetKind.PLAY).kind == "play"
    with pytest.raises(LedgerError) as caught:
        ensure_asset(code="PLAY", kind=AssetKind.PRACTICE)
    assert caught.value.code == Code.ASSET_DIFFERS


@pytest.mark.parametrize("switch", [False, True])
def test_money_is_played_for_only_where_the_site_says_so(switch: bool) -> None:
    play = ensure_asset(code="PLAY", kind=AssetKind.PLAY)
    money = ensure_asset(code="INR", kind=AssetKind.CURRENCY)
    with override_settings(RUMMY_MONEY_PLAY=switch):
        assert online_allowed(play)
        assert online_allowed(money) is switch


def test_an_account_is_opened_once_with_an_empty_balance() -> None:
    ensure_asset(code="PLAY", kind=AssetKind.PLAY)
    wanted: dict[str, Any] = {"asset": "PLAY", "owner": "player:1", "rule": Rule.NEVER_NEGATIVE}
    first = open_account(purpose=Purpose.WALLET, **wanted)
    assert open_account(purpose=Purpose.WALLET, **wanted).id == first.id
    assert open_account(purpose="bonus", **wanted).id != first.id
    balance = Balance.objects.get(account=first)
    assert (balance.rule, balance.credits, balance.last_transfer) == ("never_negative", 0, 0)


def test_an_account_keeps_its_rule() -> None:
    ensure_asset(code="PLAY", kind=AssetKind.PLAY)
    wanted: dict[str, Any] = {"asset": "PLAY", "owner": "player:1", "purpose": Purpose.WALLET}
    open_account(rule=Rule.NEVER_NEGATIVE, **wanted)
    with pytest.raises(LedgerError) as caught:
        open_account(rule=Rule.UNBOUNDED, **wanted)
    assert (caught.value.code, caught.value.field) == (Code.ACCOUNT_DIFFERS, "rule")


def test_many_accounts_are_opened_in_a_constant_number_of_statements(
    django_assert_max_num_queries: Any,
) -> None:
    ensure_asset(code="PLAY", kind=AssetKind.PLAY)
    owners = [f"player:{number}" for number in range(3_000)]
    wanted: dict[str, Any] = {"asset": "PLAY", "purpose": "wallet", "rule": Rule.NEVER_NEGATIVE}
    open_account(owner=owners[5], **wanted)
    with django_assert_max_num_queries(4):
        accounts = open_accounts(owners=owners, **wanted)
    assert sorted(accounts) == sorted(owners)
    assert Account.objects.count() == Balance.objects.count() == 3_000
    with django_assert_max_num_queries(1):
        assert len(open_accounts(owners=owners, **wanted)) == 3_000


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({"asset": "NONE"}, Code.UNKNOWN_ASSET),
        ({"owner": ""}, Code.BAD_TEXT),
        ({"owner": "a\nb"}, Code.BAD_TEXT),
        ({"owner": "x" * 121}, Code.BAD_TEXT),
        ({"purpose": "No Such"}, Code.BAD_TEXT),
        ({"purpose": "x" * 41}, Code.BAD_TEXT),
    ],
)
def test_an_account_that_cannot_be_is_refused(words: dict[str, Any], code: Code) -> None:
    ensure_asset(code="PLAY", kind=AssetKind.PLAY)
    wanted: dict[str, Any] = {"asset": "PLAY", "owner": "player:1", "purpose": "wallet"}
    with pytest.raises(LedgerError) as caught:
        open_account(rule=Rule.NEVER_NEGATIVE, **(wanted | words))
    assert caught.value.code == code
    assert not Account.objects.exists()


def test_a_journal_is_opened_once_and_begins_empty() -> None:
    journal = open_journal(code="tournament:7")
    assert open_journal(code="tournament:7").id == journal.id
    assert (journal.head_seq, bytes(journal.head_hash)) == (0, bytes(32))
    with pytest.raises(LedgerError):
        open_journal(code="")
    assert Journal.objects.count() == 1
