"""What an attacker of the tables would write, and books with something of everything to attack.

The statements name ids in braces: `{anna}`, `{last}` (the newest entry), `{hold}` and so on, as
`filled` returns them. They run on both databases.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.db import connection

from ledger.models import Account, Asset, BooksCheck, ReversalDecision, ReversalRequest
from ledger.services import CashKind, Line, Rule, open_account, reverse, take_checkpoint
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import freeze_account, request_cash

MOMENT: Final = "'2026-05-01 18:30:00'"
HELD: Final = {"debit_id": "{chitra}", "credit_id": "{escrow}"}
DECIDE: Final = (
    "INSERT INTO ledger_cashdecision (request_id, decided_by, decided_at, note, entry_id)"
)


def line(how: str = "INSERT", **changes: str) -> str:
    """A line of the entry that would be next: 5 from the issuer to Anna, unless changed."""
    values = {"entry_id": "{last} + 1", "line": "0", "mode": "1", "amount": "5"}
    values |= {"debit_id": "{issuer}", "credit_id": "{anna}"} | changes
    return f"{how} INTO ledger_transfer ({', '.join(values)}) VALUES ({', '.join(values.values())})"


def header(how: str = "INSERT", **changes: str) -> str:
    """The header that would be next in its journal, unless changed."""
    values = {"id": "id + 1", "journal_id": "journal_id", "seq": "seq + 1", "kind": "kind"}
    values |= {"key": "'forged'", "fingerprint": "fingerprint", "line_count": "1"}
    values |= {"actor": "actor", "reference": "reference", "reason": "reason", "at": '"at"'}
    values |= {"reverses_id": "NULL", "prev_hash": "hash", "hash": "hash"} | changes
    names = ", ".join(f'"{name}"' for name in values)
    selected = ", ".join(values.values())
    source = "FROM ledger_entry WHERE id = {last}"
    return f"{how} INTO ledger_entry ({names}) SELECT {selected} {source}"


def entry(**changes: str) -> str:
    """A line and its header; changes are of the header."""
    return f"{line()}; {header(**changes)}"


def cash(how: str = "INSERT", **changes: str) -> str:
    """Another request of an operator."""
    values = {"kind": "'adjustment'", "key": "'another'", "amount": "5", "reason": "'because'"}
    values |= {"attachment": "''", "needs_second": "true", "asked_by": "'operator:1'"}
    values |= {"asked_at": MOMENT, "debit_id": "{issuer}", "credit_id": "{anna}"} | changes
    names = ", ".join(values)
    return f"{how} INTO ledger_cashrequest ({names}) VALUES ({', '.join(values.values())})"


def account(owner: str, rule: str, how: str = "INSERT") -> str:
    """A wallet in play points."""
    return (
        f"{how} INTO ledger_account (asset_id, owner, purpose, rule, is_open)"
        f" VALUES ('PLAY', '{owner}', 'wallet', '{rule}', true)"
    )


def journal(code: str, seq: int, how: str = "INSERT") -> str:
    """A journal that claims to have so many entries."""
    return (
        f"{how} INTO ledger_journal (code, head_seq, head_hash) SELECT '{code}', {seq}, prev_hash"
        " FROM ledger_entry WHERE seq = 1 ORDER BY id LIMIT 1"
    )


class Attack(NamedTuple):
    """A statement that only `guard` refuses once the `lifted` ones, which say more, are gone."""

    guard: str
    statement: str
    lifted: tuple[str, ...] = ()


CHECKS: Final = [
    Attack("ledger_account_named", account("", "unbounded")),
    Attack("ledger_account_rule", account("player:7", "anything goes")),
    Attack("ledger_asset_code", "INSERT INTO ledger_asset VALUES ('', 'play', 0)"),
    Attack("ledger_asset_kind", "INSERT INTO ledger_asset VALUES ('NEW', 'gift', 0)"),
    Attack("ledger_asset_scale", "INSERT INTO ledger_asset VALUES ('NEW', 'play', 7)"),
    Attack("ledger_asset_scale_check", "INSERT INTO ledger_asset VALUES ('NEW', 'play', -1)"),
    Attack("ledger_cash_amount", cash(amount="0")),
    Attack("ledger_cash_kind", cash(kind="'gift'")),
    Attack("ledger_cash_named", cash(reason="''")),
    Attack("ledger_cash_two_sides", cash(debit_id="{anna}")),
    Attack("ledger_decision_named", f"{DECIDE} VALUES ({{request}}, '', {MOMENT}, '', NULL)"),
    Attack(
        "ledger_checkpoint_sealed",
        "INSERT INTO ledger_checkpoint (taken_at, occasion, tree, root, seal)"
        f" VALUES ({MOMENT}, 'forged', '[]', '', '')",
    ),
    Attack("ledger_entry_lines", header(line_count="0")),
    Attack(
        "ledger_entry_line_count_check",
        entry(line_count="-1"),
        lifted=("ledger_entry_lines", "ledger_entry_chained"),
    ),
    Attack("ledger_entry_named", entry(actor="''")),
    Attack("ledger_journal_head", journal("", 0)),
    Attack("ledger_transfer_amount", line(amount="0")),
    Attack("ledger_transfer_amount", line(amount="9007199254740992")),
    Attack("ledger_transfer_expiry", line(expires_at=MOMENT)),
    Attack("ledger_transfer_line_check", line(line="-1")),
    Attack("ledger_transfer_mode", line(hold_id="{hold}", amount="40", **HELD)),
]
"""Those that are the same on both databases."""


def _asked_back(entry_id: int) -> None:
    """Two who want an entry moved back, one of them answered, and a check of the books."""
    asked: dict[str, Any] = {"entry_id": entry_id, "reason": "a test", "needs_second": True}
    asked |= {"asked_by": "operator:1", "asked_at": NOW}
    answered = ReversalRequest.objects.create(key="back", **asked)
    ReversalRequest.objects.create(key="back again", **asked)
    ReversalDecision.objects.create(request=answered, decided_by="operator:2", decided_at=NOW)
    BooksCheck.objects.create(at=NOW, faults=0, entries=0, transfers=0, seconds=0, report="{}")


def filled(books: Books) -> dict[str, int]:
    """Post and open something of everything; the ids that statements name."""
    words: dict[str, Any] = {"actor": "operator:1", "reason": "a test", "now": NOW}
    Asset.objects.create(code="PRACTICE", kind="practice", scale=0)
    found: dict[str, Account] = {
        "issuer": books.issuer,
        "escrow": books.escrow,
        "anna": books.anna,
        "ben": books.ben,
        "chitra": books.chitra,
        "nobody": books.account("player:8"),
        "frozen": books.account("player:9"),
        "practice": books.account("player:1", asset="PRACTICE"),
        "bank": open_account(asset="PLAY", owner="bank", purpose="bank", rule=Rule.NEVER_POSITIVE),
    }
    freeze_account(account=found["frozen"].id, **words)
    adjust: dict[str, Any] = {"kind": CashKind.ADJUSTMENT, "account": books.ben.id}
    request_cash(**adjust, key="done", amount=5, **words)
    asked = request_cash(**adjust, key="asked", amount=500_000, **words)
    for occasion in ("hourly", "close"):
        take_checkpoint(occasion=occasion, now=NOW)
    books.fund(books.chitra, 100)
    held, settled = (books.hold(books.chitra, books.escrow, amount) for amount in (40, 30))
    books.post(Line.release(settled))
    paid = books.fund(books.ben, 5)
    reverse(entry=paid.id, key="undo", **words)
    _asked_back(paid.id)
    connection.check_constraints()  # else tables cannot be altered for waiting triggers
    last = books.fund(books.anna, 500).id
    connection.check_constraints()
    rows = {"last": last, "reversed": paid.id, "hold": held.id, "settled": settled.id}
    return {name: account.id for name, account in found.items()} | rows | {"request": asked.id}
