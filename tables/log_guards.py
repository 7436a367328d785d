"""The database's own refusal to change or delete what was played, entered or said."""

from __future__ import annotations

from typing import Final

from staff.append_only import AppendOnlyGuard

EVENTS: Final = AppendOnlyGuard(
    table="tables_dealevent",
    name="tables_events_stay",
    refusal="tables:events_stay",
    unique=(("id",), ("deal_id", "seq"), ("deal_id", "command_id")),
)
ENTRIES: Final = AppendOnlyGuard(
    table="tables_matchentry",
    name="tables_entries_stay",
    refusal="tables:entries_stay",
    unique=(("id",), ("match_id", "seq")),
)
SHEET_LINES: Final = AppendOnlyGuard(
    table="tables_sheetline",
    name="tables_sheet_lines_stay",
    refusal="tables:sheet_lines_stay",
    unique=(("id",), ("match_id", "seq")),
)
CHAT: Final = AppendOnlyGuard(
    table="tables_chatline", name="tables_chat_stays", refusal="tables:chat_stays"
)
LOGS: Final = (EVENTS, ENTRIES, SHEET_LINES, CHAT)
