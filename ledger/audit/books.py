"""The audit: everything recomputed from the entries and compared with what is stored."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import connection

from ledger import guards
from ledger.audit.checkpoints import check_checkpoints
from ledger.audit.findings import Code, Findings
from ledger.audit.reading import one_moment, rows
from ledger.audit.walk import Fold, Walk
from ledger.selectors.balances import trial_balance
from ledger.terms import Rule

GRACE: Final = timedelta(hours=1)
"""How long an expired hold may wait for the sweep that releases it."""

_BALANCES: Final = (
    "SELECT account_id, rule, debits, credits, debits_held, credits_held, last_transfer"
    " FROM ledger_balance ORDER BY account_id"
)
_REPEATED_KEYS: Final = "SELECT key FROM ledger_entry GROUP BY key HAVING count(*) > 1 ORDER BY key"
_REVERSED_TWICE: Final = (
    "SELECT reverses_id FROM ledger_entry WHERE reverses_id IS NOT NULL"
    " GROUP BY reverses_id HAVING count(*) > 1 ORDER BY reverses_id"
)
_NOT_MIRRORED: Final = (
    "SELECT DISTINCT e.id FROM ledger_entry e JOIN ledger_transfer t ON t.entry_id = e.id"
    " LEFT JOIN ledger_entry f ON f.id = e.reverses_id"
    " LEFT JOIN ledger_transfer o ON o.entry_id = f.id AND o.line = t.line"
    " WHERE e.reverses_id IS NOT NULL AND (o.id IS NULL OR f.reverses_id IS NOT NULL"
    " OR t.mode <> 1 OR o.mode NOT IN (1, 3) OR o.debit_id <> t.credit_id"
    " OR o.credit_id <> t.debit_id OR t.amount > o.amount)"
)

_NOT_AS_ASKED: Final = (
    "SELECT DISTINCT r.id FROM ledger_cashrequest r"
    " JOIN ledger_cashdecision d ON d.request_id = r.id"
    " LEFT JOIN ledger_transfer t ON t.entry_id = d.entry_id"
    " WHERE d.entry_id IS NOT NULL AND (t.id IS NULL OR t.mode NOT IN (1, 3)"
    " OR t.debit_id <> r.debit_id OR t.credit_id <> r.credit_id OR t.amount <> r.amount"
    " OR (r.needs_second AND lower(trim(r.asked_by)) = lower(trim(d.decided_by))))"
)
_QUERIES: Final = (
    (_REPEATED_KEYS, Code.KEY_REPEATED, "entry", "The key names more than one entry."),
    (_REVERSED_TWICE, Code.REVERSED_TWICE, "entry", "It was reversed more than once."),
    (_NOT_MIRRORED, Code.REVERSAL_DIFFERS, "entry", "It does not mirror what it reverses."),
    (_NOT_AS_ASKED, Code.CASH_DIFFERS, "request", "What moved is not what was asked and approved."),
)


def check_books(*, now: datetime) -> Findings:
    """Recompute everything as of this moment; `now` judges which holds are overdue.

    Checks: debits equal credits per asset (I1), balances equal the fold of transfers (I2), rules
    hold (I3), chains re-hash and are numbered without gaps (I4), holds are resolved at most once
    and none is overdue (I8), reversals are single and mirror (I9), keys are single (I10), no
    transfer joins two assets (I11), nothing that a checkpoint sealed has changed, what operators
    moved is what was asked for and approved by another, and the database has all its guards.
    """
    findings = Findings(found=[])
    with one_moment():
        walk = Walk(findings)
        walk.run()
        _balances(findings, walk.folds)
        _overdue(findings, walk, now)
        check_checkpoints(findings)
        for sql, code, what, sentence in _QUERIES:
            for row in rows(sql):
                findings.add(code, f"{what} {row[0]}", sentence)
        findings.assets = trial_balance()
        for totals in findings.assets:
            if not totals.is_balanced:
                findings.add(
                    Code.UNBALANCED_ASSET, f"asset {totals.asset}", "Debits are not credits."
                )
        for name in guards.missing(connection):
            findings.add(Code.GUARD_MISSING, f"guard {name}", "It is absent, disabled or changed.")
    return findings


def _balances(findings: Findings, folds: dict[int, Fold]) -> None:
    """Compare every stored balance with the fold of its transfers, and with its rule."""
    without = set(folds)
    rules = dict(rows("SELECT id, rule FROM ledger_account"))
    for account, rule, *totals in rows(_BALANCES):
        where = f"account {account}"
        fold = folds.get(account, Fold())
        without.discard(account)
        wanted = [
            fold.debits,
            fold.credits,
            fold.debits_held,
            fold.credits_held,
            fold.last_transfer,
        ]
        if totals != wanted or rules.get(account) != rule:
            findings.add(
                Code.BALANCE_DIFFERS, where, f"Stored {totals[:4]}, transfers give {wanted[:4]}."
            )
        below = fold.debits + fold.debits_held - fold.credits
        above = fold.credits + fold.credits_held - fold.debits
        if (rule == Rule.NEVER_NEGATIVE and below > 0) or (
            rule == Rule.NEVER_POSITIVE and above > 0
        ):
            findings.add(Code.RULE_BROKEN, where, f"It is past its rule '{rule}'.")
    for account in sorted(without):
        findings.add(Code.NO_BALANCE, f"account {account}", "Its balance row is not there.")


def _overdue(findings: Findings, walk: Walk, now: datetime) -> None:
    for hold, (_, _, amount, expires_at) in walk.open_holds.items():
        if expires_at is not None and expires_at + GRACE <= now:
            findings.add(
                Code.HOLD_OVERDUE, f"transfer {hold}", f"{amount} is still held after its expiry."
            )
