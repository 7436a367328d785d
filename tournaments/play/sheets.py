"""Score sheets of a tournament's tables: reading them, and writing by a scorer's hand."""

from __future__ import annotations

from tables.rules.score_sheet import Kind, SheetRefused, SheetRow
from tables.scorers import actor_of, may_enter_deals
from tables.selectors import match_with_id
from tables.services import answer_on_sheet, correct_last_deal, enter_deal
from tables.services.score_sheets import Answer
from tables.sheets import Sheet
from tables.sheets import sheet_of as sheet_of_match

__all__ = [
    "Answer",
    "Kind",
    "Sheet",
    "SheetRefused",
    "SheetRow",
    "actor_of",
    "answer_on_sheet",
    "correct_last_deal",
    "enter_deal",
    "may_enter_deals",
    "sheet_of",
]


def sheet_of(match_id: int) -> Sheet:
    """A match's sheet: players, deals, totals, what is asked, what may be written."""
    return sheet_of_match(match_with_id(match_id))
