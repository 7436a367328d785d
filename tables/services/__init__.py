"""What can be done at a table. Keyword-only, one transaction each, effects on commit."""

from __future__ import annotations

from tables.services.bots import play_deal_with_bots
from tables.services.matches import Place, SecretSource, TableSpec, answer, deal_next, open_matches
from tables.services.play import Played, play

__all__ = [
    "Place",
    "Played",
    "SecretSource",
    "TableSpec",
    "answer",
    "deal_next",
    "open_matches",
    "play_deal_with_bots",
    "play",
]
