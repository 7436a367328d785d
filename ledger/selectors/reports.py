"""What is exported, as sheets: a statement, the journal of a reference, totals by reason."""

from __future__ import annotations

from datetime import datetime

from ledger.models import Asset, Checkpoint
from ledger.selectors.entries import journal_of
from ledger.selectors.statements import Statement, totals_by_kind
from ledger.sheets import Cell, Sheet, decimal_of
from ledger.terms import Mode

_STATEMENT: tuple[str, ...] = (
    "at",
    "kind",
    "mode",
    "reference",
    "reason",
    "other",
    "amount",
    "balance",
    "held",
    "balance_held",
    "transfer",
)
_JOURNAL: tuple[str, ...] = (
    "at",
    "journal",
    "number",
    "kind",
    "mode",
    "from",
    "to",
    "asset",
    "amount",
    "actor",
    "reason",
    "key",
    "reverses",
    "transfer",
    "hold",
)


def statement_sheet(statement: Statement, *, names_others: bool = True) -> Sheet:
    """One row a transfer, with opening, running and closing balance.

    `names_others` says whose the account on the other side is, besides what it is for.
    """

    def money(amount: int) -> Cell:
        return decimal_of(amount, statement.scale)

    facts: dict[str, Cell] = {
        "account": statement.account,
        "owner": statement.owner,
        "purpose": statement.purpose,
        "asset": statement.asset,
        "since": statement.since,
        "until": statement.until,
        "opening": money(statement.opening),
        "closing": money(statement.closing),
        "closing_held": money(statement.closing_held),
    }
    rows = [
        (
            line.at,
            line.kind,
            line.mode,
            line.reference,
            line.reason,
            f"{line.other_owner} {line.other_purpose}" if names_others else line.other_purpose,
            money(line.amount),
            money(line.balance),
            money(line.held),
            money(line.balance_held),
            line.transfer,
        )
        for line in statement.lines
    ]
    return Sheet(title="statement", facts=facts | sealed(), columns=_STATEMENT, rows=rows)


def journal_sheet(reference: str) -> Sheet:
    """Everything that ever moved for one reference, such as a tournament; one row a transfer."""
    scales = _scales()
    rows: list[tuple[Cell, ...]] = []
    for entry in journal_of(reference):
        for transfer in sorted(entry.transfers.all(), key=lambda line: line.line):
            asset = transfer.debit.asset_id
            rows.append(
                (
                    entry.at,
                    entry.journal.code,
                    entry.seq,
                    entry.kind,
                    Mode(transfer.mode).label,
                    f"{transfer.debit.owner} {transfer.debit.purpose}",
                    f"{transfer.credit.owner} {transfer.credit.purpose}",
                    asset,
                    decimal_of(transfer.amount, scales[asset]),
                    entry.actor,
                    entry.reason,
                    entry.key,
                    entry.reverses_id,
                    transfer.id,
                    transfer.hold_id,
                )
            )
    facts: dict[str, Cell] = {"reference": reference}
    return Sheet(title="journal", facts=facts | sealed(), columns=_JOURNAL, rows=rows)


def totals_sheet(*, since: datetime | None, until: datetime | None) -> Sheet:
    """What moved in a period, per asset and reason."""
    scales = _scales()
    rows = [
        (total.asset, total.kind, total.transfers, decimal_of(total.amount, scales[total.asset]))
        for total in totals_by_kind(since=since, until=until)
    ]
    facts: dict[str, Cell] = {"since": since, "until": until}
    columns = ("asset", "kind", "transfers", "amount")
    return Sheet(title="totals", facts=facts | sealed(), columns=columns, rows=rows)


def _scales() -> dict[str, int]:
    """The decimals of every asset, by code."""
    return dict(Asset.objects.values_list("code", "scale"))


def sealed() -> dict[str, Cell]:
    """The newest checkpoint's root: who keeps the report can hold the books to it."""
    newest = Checkpoint.objects.order_by("id").last()
    if newest is None:
        return {"checkpoint": None, "checkpoint_root": None}
    return {"checkpoint": newest.taken_at, "checkpoint_root": newest.root}
