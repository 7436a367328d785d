"""The database's own refusal to change or delete an audit line, whoever asks."""

from __future__ import annotations

from typing import Final

from staff.append_only import AppendOnlyGuard

ACTIONS: Final = AppendOnlyGuard(
    table="staff_staffaction", name="staff_actions_stay", refusal="staff:actions_stay"
)
