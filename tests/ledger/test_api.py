"""The API: players see their own accounts, operators everything, nobody changes anything."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.urls import reverse
from rest_framework.test import APIClient

from ledger.lines import Line
from ledger.models import Account
from ledger.services import take_checkpoint
from staff.models import StaffAction
from tests.ledger.books import NOW, Books

pytestmark = pytest.mark.urls("tests.ledger.urls")


@pytest.fixture
def player(books: Books) -> Any:
    """A user, with a wallet that has some history."""
    user: Any = get_user_model().objects.create_user("asha", password="x")
    wallet = books.account(f"player:{user.pk}")
    books.fund(wallet, 500)
    hold = books.hold(wallet, books.escrow, 120)
    books.post(Line.capture(hold, amount=100), reference="tournament:7", reason="=1+1")
    user.wallet = wallet
    return user


@pytest.fixture
def operator(db: None) -> Any:
    """A user who may look at everything."""
    user = get_user_model().objects.create_user("omar", password="x", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_account"))
    return user


def client(user: Any) -> APIClient:
    found = APIClient()
    found.force_authenticate(user)
    return found


def accounts() -> str:
    return reverse("ledger-account-list")


def test_a_player_sees_his_own_accounts_with_their_balances(player: Any) -> None:
    (account,) = client(player).get(accounts()).json()["results"]
    assert account["owner"] == f"player:{player.pk}"
    assert account["balance"] == {"posted": 400, "held": 0, "available": 400, "incoming": 0}
    assert (account["asset"], account["scale"]) == ("PLAY", 0)


def test_an_account_of_somebody_else_does_not_exist_for_a_player(player: Any, books: Books) -> None:
    for name in ("ledger-account-detail", "ledger-account-transfers", "ledger-account-statement"):
        address = reverse(name, args=[books.escrow.pk])
        assert client(player).get(address).status_code == 404
    assert client(player).get(accounts(), {"owner": "house"}).json()["results"] == []


def test_an_operator_sees_everybodys(player: Any, operator: Any) -> None:
    found = client(operator).get(accounts(), {"owner": f"player:{player.pk}"}).json()["results"]
    assert [account["id"] for account in found] == [player.wallet.pk]
    total = len(client(operator).get(accounts()).json()["results"])
    assert total == Account.objects.count()


def test_who_is_no_staff_any_more_sees_no_more_than_a_player(player: Any, operator: Any) -> None:
    """His group may have been forgotten."""
    operator.is_staff = False
    operator.save()
    owners = {row["owner"] for row in client(operator).get(accounts()).json()["results"]}
    assert owners <= {f"player:{operator.pk}"}
    for name in ("ledger-entry-list", "ledger-trial-balance", "ledger-checkpoint-list"):
        assert client(operator).get(reverse(name)).status_code == 403
    mine = reverse("ledger-account-detail", args=[player.wallet.pk])
    assert client(operator).get(mine).status_code == 404


def test_transfers_are_told_from_the_accounts_side_newest_first(player: Any, books: Books) -> None:
    address = reverse("ledger-account-transfers", args=[player.wallet.pk])
    rows = client(player).get(address).json()["results"]
    assert [(row["mode"], row["amount"], row["held"]) for row in rows] == [
        ("capture", -100, -120),
        ("hold", 0, 120),
        ("post", 500, 0),
    ]
    assert rows[0]["reference"] == "tournament:7"


def test_pages_by_cursor_neither_repeat_nor_skip_while_others_post(
    player: Any, books: Books
) -> None:
    for amount in range(1, 8):
        books.fund(player.wallet, amount)
    address = reverse("ledger-account-transfers", args=[player.wallet.pk]) + "?limit=3"
    wanted = client(player).get(address.replace("limit=3", "limit=100")).json()["results"]
    seen: list[int] = []
    while address:
        page = client(player).get(address).json()
        seen += [row["id"] for row in page["results"]]
        books.fund(player.wallet, 1)
        address = page["next"]
    assert seen == [row["id"] for row in wanted]
    assert len(seen) == 10


@pytest.mark.parametrize(
    ("form", "beginning"),
    [("csv", b"account,"), ("json", b'{"title":"statement"'), ("xlsx", b"PK")],
)
def test_a_statement_is_saved_in_three_forms(player: Any, form: str, beginning: bytes) -> None:
    address = reverse("ledger-account-statement", args=[player.wallet.pk])
    answer = client(player).get(address, {"form": form, "since": "2026-01-01T00:00:00Z"})
    assert answer.status_code == 200
    assert answer.content.startswith(beginning)
    assert f"statement-{player.wallet.pk}.{form}" in answer["Content-Disposition"]
    assert not StaffAction.objects.exists()  # it is his own


@pytest.mark.parametrize("query", [{"since": "yesterday"}, {"form": "pdf"}])
def test_a_statement_of_a_strange_period_or_form_is_refused(
    player: Any, query: dict[str, str]
) -> None:
    address = reverse("ledger-account-statement", args=[player.wallet.pk])
    answer = client(player).get(address, query)
    assert answer.status_code == 400
    assert next(iter(query)) in str(answer.json())


def test_operators_read_entries_of_a_reference_with_lines_and_hashes(
    player: Any, operator: Any
) -> None:
    address = reverse("ledger-entry-list")
    (entry,) = client(operator).get(address, {"reference": "tournament:7"}).json()["results"]
    assert (entry["journal"], entry["reason"], len(entry["hash"])) == ("house", "=1+1", 64)
    assert [line["amount"] for line in entry["lines"]] == [100]


def test_operators_read_the_trial_balance_and_checkpoints(player: Any, operator: Any) -> None:
    root = take_checkpoint(occasion="hourly", now=NOW).root
    (totals,) = client(operator).get(reverse("ledger-trial-balance")).json()
    assert totals["debits"] == totals["credits"] == 600
    assert totals["is_balanced"] is True
    (found,) = client(operator).get(reverse("ledger-checkpoint-list")).json()["results"]
    assert found["root"] == root


@pytest.mark.parametrize(
    "name", ["ledger-entry-list", "ledger-checkpoint-list", "ledger-trial-balance"]
)
def test_players_do_not_read_what_is_the_operators(player: Any, name: str) -> None:
    assert client(player).get(reverse(name)).status_code == 403


@pytest.mark.parametrize("name", ["ledger-account-list", "ledger-entry-list"])
def test_nobody_reads_without_logging_in_and_nobody_writes(
    operator: Any, db: None, name: str
) -> None:
    assert APIClient().get(reverse(name)).status_code == 403
    for method in ("post", "put", "patch", "delete"):
        assert getattr(client(operator), method)(reverse(name)).status_code == 405


def test_a_list_takes_the_same_number_of_queries_for_one_row_and_for_many(
    player: Any, operator: Any, books: Books, django_assert_num_queries: Any
) -> None:
    entries, every = reverse("ledger-entry-list"), accounts()
    reader = client(operator)
    reader.get(entries)
    for address, queries in ((entries, 2), (every, 1)):
        with django_assert_num_queries(queries):
            reader.get(address)
    for amount in range(1, 30):
        books.fund(books.account(f"player:{100 + amount}"), amount)
    for address, queries in ((entries, 2), (every, 1)):
        with django_assert_num_queries(queries):
            reader.get(address)


def test_the_api_describes_itself(db: None) -> None:
    schema = APIClient().get(reverse("api-schema"), HTTP_ACCEPT="application/json")
    paths = schema.json()["paths"]
    assert "get" in paths["/api/ledger/accounts/"]
    assert all(set(methods) <= {"get"} for path, methods in paths.items() if "/ledger/" in path)
