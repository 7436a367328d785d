"""The guards of what operators ask for and of the checks' results: rows are only ever added."""

from __future__ import annotations

from typing import Final

from staff.append_only import AppendOnlyGuard

REVERSAL_REQUESTS: Final = AppendOnlyGuard(
    table="ledger_reversalrequest",
    name="ledger_undo_requests_stay",
    refusal="ledger:append_only",
    unique=(("id",), ("key",)),
)
REVERSAL_DECISIONS: Final = AppendOnlyGuard(
    table="ledger_reversaldecision",
    name="ledger_undo_decisions_stay",
    refusal="ledger:append_only",
    unique=(("request_id",),),
)
CHECKS: Final = AppendOnlyGuard(
    table="ledger_bookscheck", name="ledger_checks_stay", refusal="ledger:append_only"
)
ALL: Final = (REVERSAL_REQUESTS, REVERSAL_DECISIONS, CHECKS)
