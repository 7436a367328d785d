"""The wallet: own accounts only, a statement that adds up page by page, welcome points once."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import translation

from ledger import selectors
from ledger.amounts import amount_text
from ledger.lines import Line
from ledger.models import Entry
from ledger.services import AssetKind, ensure_asset, give_welcome
from ledger.wallet import wallet_of
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import freeze_account
from tests.pages import Addresses, page_of, queries_of, text_of


@pytest.fixture
def player(books: Books) -> Any:
    """A user with a wallet in play points."""
    user: Any = get_user_model().objects.create_user("asha", password="x", pk=900)
    user.emailaddress_set.create(email="asha@club.example", verified=True, primary=True)
    user.wallet = books.account(f"player:{user.pk}")
    return user


@pytest.fixture
def client(player: Any) -> Client:
    """His browser."""
    found = Client()
    found.force_login(player)
    return found


def amounts_of(html: str) -> list[str]:
    return re.findall(r'class="number amount (?:in|out|)">([^<]*)', html)


def test_the_wallet_is_for_those_who_logged_in(books: Books) -> None:
    assert Client().get("/wallet/").status_code == 302
    assert Client().post("/wallet/welcome/").status_code == 302


def test_balances_stand_as_posted_held_and_available(
    client: Client, player: Any, books: Books
) -> None:
    books.fund(player.wallet, 123_456)
    books.hold(player.wallet, books.escrow, 456)
    text = text_of(page_of(client, "/wallet/"))
    assert "1,23,000 play points available" in text
    assert "1,23,456 play points in all, 456 play points of it set aside" in text


def test_every_line_has_the_balance_that_it_left(client: Client, player: Any, books: Books) -> None:
    books.fund(player.wallet, 500)
    hold = books.hold(player.wallet, books.escrow, 120)
    books.post(Line.capture(hold, amount=100), kind="entry_fee", reference="tournament:7")
    books.pay(books.escrow, player.wallet, 40, kind="payout")
    lines = wallet_of(f"player:{player.pk}").lines
    assert [(line.amount, line.held, line.balance) for line in lines] == [
        ("+40 play points", "", "440 play points"),
        ("−100 play points", "−120 play points", "400 play points"),
        ("", "+120 play points", "500 play points"),
        ("+500 play points", "", "500 play points"),
    ]
    text = text_of(page_of(client, "/wallet/"))
    assert "Prize +40 play points" in text
    assert "Entry fee taken from what was set aside −100 play points" in text


def test_pages_together_show_every_line_once_with_one_running_balance(
    client: Client, player: Any, books: Books
) -> None:
    for amount in range(1, 121):
        books.fund(player.wallet, amount)
    whole = selectors.statement(account=player.wallet.pk).lines[::-1]
    html, seen, backwards = page_of(client, "/wallet/"), [], []
    while True:
        seen += amounts_of(html)
        older = re.search(r'rel="next" href="([^"]+)"', html)
        if older is None:
            break
        books.fund(player.wallet, 1_000)  # others go on meanwhile
        html = page_of(client, "/wallet/" + older[1].replace("&amp;", "&"))
    assert seen == [f"+{line.amount} play points" for line in whole]
    while newer := re.search(r'rel="prev" href="([^"]+)"', html):
        html = page_of(client, "/wallet/" + newer[1].replace("&amp;", "&"))
        backwards.append(amounts_of(html)[0])
    assert backwards[0] == "+70 play points"
    balances = re.findall(r'data-label="Balance">([^<]+)', html)
    assert balances[0].startswith("9,260")


def test_a_period_is_of_whole_days_and_keeps_the_true_balance(
    client: Client, player: Any, books: Books
) -> None:
    for days, amount in ((0, 1), (1, 20), (2, 300)):
        line = Line.post(debit=books.issuer.pk, credit=player.wallet.pk, amount=amount)
        books.post(line, now=NOW + timedelta(days=days))
    html = page_of(client, "/wallet/?since=2026-05-02&until=2026-05-02")
    assert amounts_of(html) == ["+20 play points"]
    assert "21 play points" in text_of(html)
    assert "since=2026-05-02T00%3A00%3A00" in html
    assert "Nothing moved on these days." in page_of(client, "/wallet/?until=2020-01-01")
    for odd in ("?since=x", "?until=9999-12-31", "?since=0001-01-01", "?before=x", "?account=²"):
        assert page_of(client, f"/wallet/{odd}")


def test_nobody_sees_anybody_elses_account(client: Client, player: Any, books: Books) -> None:
    books.fund(books.anna, 777)
    books.fund(player.wallet, 5)
    html = page_of(client, f"/wallet/?account={books.anna.pk}")
    assert "777" not in text_of(html)
    assert amounts_of(html) == ["+5 play points"]


def test_a_players_saved_statement_is_the_one_that_the_page_links_to(
    client: Client, player: Any, books: Books
) -> None:
    books.fund(player.wallet, 500)
    html = page_of(client, "/wallet/?since=2026-05-01")
    links = re.findall(r'href="(/api/ledger/accounts/[^"]+)"', html)
    assert len(links) == 3
    for link in links:
        answer = client.get(link.replace("&amp;", "&"))
        assert answer.status_code == 200
        assert answer.content


def test_a_frozen_account_says_so(client: Client, player: Any, books: Books) -> None:
    books.fund(player.wallet, 5)
    freeze_account(account=player.wallet.pk, actor="omar", reason="asked for", now=NOW)
    assert "frozen" in text_of(page_of(client, "/wallet/"))


def test_the_wallet_takes_as_many_queries_for_a_long_history_as_for_a_short_one(
    client: Client, player: Any, books: Books
) -> None:
    counts = []
    for _ in range(2):
        for _ in range(30):
            books.fund(player.wallet, 10)
        counts.append(len(queries_of(client, "/wallet/")))
    assert counts[0] == counts[1] <= 8


def test_welcome_points_are_given_once(client: Client, player: Any, settings: Any) -> None:
    settings.RUMMY_WELCOME_POINTS = 2_500
    assert "Take 2,500 play points" in text_of(page_of(client, "/wallet/"))
    for _ in range(2):
        client.post("/wallet/welcome/")
    assert selectors.balance_of(player.wallet.pk).posted == 2_500
    html = page_of(client, "/wallet/")
    assert "Take 2,500" not in text_of(html)
    assert "Welcome points" in text_of(html)
    assert Entry.objects.filter(kind="welcome").count() == 1


def test_another_amount_later_gives_nobody_points_again(player: Any, settings: Any) -> None:
    owner = f"player:{player.pk}"
    settings.RUMMY_WELCOME_POINTS = 100
    assert give_welcome(owner=owner, actor=owner, now=NOW)
    settings.RUMMY_WELCOME_POINTS = 200
    assert not give_welcome(owner=owner, actor=owner, now=NOW)
    assert selectors.balance_of(player.wallet.pk).posted == 100


def test_a_site_that_gives_no_welcome_points_offers_none(
    client: Client, player: Any, settings: Any
) -> None:
    settings.RUMMY_WELCOME_POINTS = 0
    assert "wallet/welcome" not in page_of(client, "/wallet/")
    client.post("/wallet/welcome/")
    assert selectors.balance_of(player.wallet.pk).posted == 0


def test_who_has_confirmed_no_address_waits_for_his_points(
    client: Client, player: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.views.is_verified", lambda user: False)
    assert "once your e-mail address is confirmed" in text_of(page_of(client, "/wallet/"))
    client.post("/wallet/welcome/")
    assert selectors.balance_of(player.wallet.pk).posted == 0


@pytest.mark.parametrize(
    ("amount", "asset", "kind", "scale", "text"),
    [
        (10_000_000, "INR", AssetKind.CURRENCY, 2, "₹1,00,000.00"),
        (-1850, "INR", AssetKind.CURRENCY, 2, "−₹18.50"),
        (100_000, "PLAY", AssetKind.PLAY, 0, "1,00,000 play points"),
        (1_234_567, "X", AssetKind.PLAY, 3, "1,234.567 play points"),
        (5, "CHIPS:7", AssetKind.CHIPS, 0, "5 chips"),
    ],
)
def test_amounts_read_as_in_india(
    amount: int, asset: str, kind: AssetKind, scale: int, text: str
) -> None:
    assert amount_text(amount, asset=asset, kind=kind, scale=scale) == text
    with translation.override("hi"):
        hindi = amount_text(amount, asset=asset, kind=kind, scale=scale)
    assert hindi.split()[0] == text.split(maxsplit=1)[0]


def test_a_currency_has_a_purse_of_its_own(client: Client, player: Any, books: Books) -> None:
    ensure_asset(code="INR", kind=AssetKind.CURRENCY)
    money = books.account(f"player:{player.pk}", asset="INR")
    bank = books.account("bank", "bank", "INR")
    assert bank.pk != money.pk
    text = text_of(page_of(client, f"/wallet/?account={money.pk}"))
    assert "₹0.00 available" in text
    assert "Nothing has moved yet." in text


def test_the_page_holds_nothing_inline(client: Client, player: Any, books: Books) -> None:
    books.fund(player.wallet, 5)
    found = Addresses(page_of(client, "/wallet/"))
    assert found.inline == []
    assert [a for a in found.addresses if not a.startswith(("/", "#", "?"))] == []
