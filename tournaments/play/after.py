"""What players are asked at their tables now, and the deals they have played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tables import history, selectors
from tables.reading import PlayedDeal, played_deals
from tables.rules.formats import AwaitRebuy, AwaitRejoin, AwaitSplit
from tournaments.play.tables import LiveScore

__all__ = ["PlayedDeal", "TableNow", "hand_history", "played_deals", "tables_now"]


class TableNow(NamedTuple):
    """A match that is played: its scores by seat, and who is asked what."""

    scores: dict[int, LiveScore]
    question: str
    """`rejoin`, `rebuy`, `split`, or empty."""
    asked: tuple[int, ...]


def tables_now(match_ids: Sequence[int]) -> dict[int, TableNow]:
    """Matches as they stand, by match. Two queries, however many."""
    found = {}
    for match_id, game in selectors.games_of(match_ids).items():
        scores = {
            line.seat: LiveScore(line.place, line.score, line.still_in) for line in game.standings()
        }
        match game.next_step():
            case AwaitRejoin(seats=seats):
                found[match_id] = TableNow(scores, "rejoin", tuple(seats))
            case AwaitRebuy(seats=seats):
                found[match_id] = TableNow(scores, "rebuy", tuple(seats))
            case AwaitSplit(seats=seats):
                found[match_id] = TableNow(scores, "split", tuple(seats))
            case _:
                found[match_id] = TableNow(scores, "", ())
    return found


def hand_history(match_ids: Sequence[int], player_id: int, form: str) -> bytes:
    """Every deal of these matches as one of their players may read it, as `json` or `txt`."""
    found = history.matches_history(match_ids, player_id)
    return history.as_json(found) if form == "json" else history.as_text(found).encode()
