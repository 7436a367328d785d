"""Reading tournaments for pages: lists, sheets and rounds. Nothing here writes.

Every function takes a fixed number of queries, whatever the number of entrants, and gives a bounded
number of rows: entrants, tables and tournaments come in pages.
"""

from __future__ import annotations

from tournaments.models import Shape
from tournaments.selectors.calls import CallLine, calls_of
from tournaments.selectors.faults import faults_of
from tournaments.selectors.leaderboards import Leaderboard, Line, Measure, leaderboard
from tournaments.selectors.lists import (
    Card,
    is_there,
    listed_tournaments,
    public_tournaments,
    state_words,
    tournament_by_id,
    tournament_named,
    tournament_of,
    unfinished,
)
from tournaments.selectors.live import live_bracket, live_round
from tournaments.selectors.live_lines import LiveBracket, LiveRound
from tournaments.selectors.lobby import Lobby, MyPlace, cards_of, lobby, my_places
from tournaments.selectors.payouts import payout_state, unpaid_of
from tournaments.selectors.prizes import (
    PrizeTable,
    PrizeTables,
    prize_preview,
    prize_tables,
)
from tournaments.selectors.quick import QuickSeat, open_seats_of, seat_of
from tournaments.selectors.ratings import rating_of, ratings_of
from tournaments.selectors.rounds import RoundPage, RoundSheet, round_list, round_page
from tournaments.selectors.seating import SeatedTable, SeatingList, score_sheet, seating_list
from tournaments.selectors.sheet import (
    EntrantsPage,
    Overview,
    PrizesPage,
    entrants_page,
    log_of,
    overview,
    prizes_page,
)

__all__ = [
    "CallLine",
    "LiveBracket",
    "LiveRound",
    "calls_of",
    "live_bracket",
    "live_round",
    "Card",
    "Leaderboard",
    "Line",
    "Lobby",
    "Measure",
    "PrizeTable",
    "PrizeTables",
    "RoundPage",
    "RoundSheet",
    "SeatedTable",
    "SeatingList",
    "Shape",
    "EntrantsPage",
    "Overview",
    "PrizesPage",
    "entrants_page",
    "log_of",
    "overview",
    "prizes_page",
    "round_list",
    "faults_of",
    "is_there",
    "leaderboard",
    "lobby",
    "MyPlace",
    "cards_of",
    "my_places",
    "state_words",
    "payout_state",
    "prize_preview",
    "prize_tables",
    "public_tournaments",
    "QuickSeat",
    "listed_tournaments",
    "open_seats_of",
    "seat_of",
    "rating_of",
    "ratings_of",
    "round_page",
    "score_sheet",
    "seating_list",
    "tournament_by_id",
    "tournament_named",
    "tournament_of",
    "unfinished",
    "unpaid_of",
]
