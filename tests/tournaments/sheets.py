"""Tournaments in person, scored by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tables.models import Match
from tables.rules.formats import LotDrawn, MatchOver, NextDeal
from tables.rules.formats import Match as Game
from tables.selectors import game_of
from tests.tables.sheet_helpers import enter
from tests.tournaments.helpers import NOW, next_round, secret_for, started
from tournaments import money, services
from tournaments.models import Entry, Placing, RoundTable, Shape, Tournament
from tournaments.money import chips
from tournaments.play import bots


def in_person(shape: Shape, entrants: int, **changes: Any) -> Tournament:
    """A running tournament with real cards."""
    return started(shape, entrants, in_person=True, **changes)


def table_of(tournament: Tournament, number: int = 1) -> RoundTable:
    """A table of the last round."""
    last = tournament.rounds.order_by("-number")[0]
    return last.tables.get(number=number)


def match_of(table: RoundTable) -> Match:
    """The match at a table."""
    return Match.objects.get(pk=table.match_id)


def game(match: Match) -> Game:
    """Where a match is."""
    return game_of(match.pk)


def run_out_by_hand(tournament: Tournament) -> int:
    """Enter every deal of every round, the first seat dealt to always winning; how many rounds."""
    while next_round(tournament):
        for table in open_tables(tournament):
            win_by_hand(match_of(table))
    return tournament.rounds.count()


def open_tables(tournament: Tournament) -> list[RoundTable]:
    """What is being played, in order."""
    tables = RoundTable.objects.filter(round__tournament=tournament, is_over=False)
    return list(tables.select_related("round").order_by("round__number", "number"))


def win_by_hand(match: Match) -> None:
    """Enter deals until a match is over; who was dealt to first wins, each other loses more."""
    while not isinstance(step := game(match).next_step(), MatchOver):
        assert isinstance(step, NextDeal)
        winner, *others = sorted(step.seats)
        enter(match, winner, {seat: 10 + 7 * at for at, seat in enumerate(others)})


def played_by_bots(tournament: Tournament) -> dict[tuple[int, int], Any]:
    """Play an online tournament to its prizes; the logs of its matches by round and table."""
    moments: Iterator[Any] = bots.ticking(NOW)
    logs = {}
    while next_round(tournament):
        for table in open_tables(tournament):
            bots.play_table(
                match_id=table.match_id,
                secret_for=secret_for,
                chance=bots.Chance(secret_for(f"bots/{table.round.number}/{table.number}")),
                may_rejoin=lambda player: money.can_pay_fee(tournament, player),
                moments=moments,
            )
            log = game_of(table.match_id).log
            assert not any(isinstance(entry, LotDrawn) for entry in log)
            logs[table.round.number, table.number] = log
    services.complete(tournament_id=tournament.pk, now=NOW)
    return logs


def placings(tournament: Tournament) -> list[tuple[Any, ...]]:
    """Who sat where and made what of it, by the numbers of the entries."""
    rows = Placing.objects.filter(table__round__tournament=tournament)
    return list(
        rows.order_by("table__round__number", "table__number", "seat").values_list(
            "table__round__number",
            "table__number",
            "seat",
            "entry__number",
            "place",
            "score",
            "margin",
            "goes_on",
        )
    )


def final(tournament: Tournament) -> list[tuple[Any, ...]]:
    """Rank, prize and rejoins of every entry."""
    rows = Entry.objects.filter(tournament=tournament).order_by("number")
    return list(rows.values_list("number", "state", "rank", "prize", "rejoins", "reason"))


def stacks(tournament: Tournament, table: RoundTable) -> dict[int, int]:
    """Chips in the ledger by seat."""
    seated = {placing.entry_id: placing.seat for placing in table.placings.all()}
    accounts = chips._stacks(tournament, list(seated))
    held = money.balances(list(accounts.values()))
    return {seated[entry]: held[account].posted for entry, account in accounts.items()}


def in_play(tournament: Tournament) -> int:
    """Chips that are in play."""
    issuer = money.chips_issuer(tournament)
    return -money.balances([issuer])[issuer].posted
