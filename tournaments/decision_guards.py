"""The database's own refusal to change or delete a decision, whoever asks."""

from __future__ import annotations

from typing import Final

from staff.append_only import AppendOnlyGuard

DECISIONS: Final = AppendOnlyGuard(
    table="tournaments_decision",
    name="tournaments_decisions_stay",
    refusal="tournaments:decisions_stay",
)
