"""Rounds: drawing and opening whatever is due, from the first draw to the final.

Asked whenever a table is finished, and by a sweep; each thing is opened once, under the
tournament's lock. Results come in by `take_result`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from tournaments import play
from tournaments.brackets import bracket_of
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import (
    Entry,
    EntryState,
    Round,
    RoundTable,
    Shape,
    TableKind,
    Tournament,
)
from tournaments.services import incoming, levels, pairings, results, seeding, tie_breaks
from tournaments.services.lifecycle import SecretSource, lock
from tournaments.services.opening import NewTable, open_round_row, open_tables
from tournaments.services.results import take_result
from tournaments.structure.lifecycle import State
from tournaments.structure.rounds import BestOverall, places_through
from tournaments.structure.seating import table_sizes

__all__ = ["bracket_of", "final_is_over", "open_due", "open_round", "take_result"]


def open_round(
    *, tournament_id: int, secret_for: SecretSource = play.fresh_secret, now: datetime
) -> Round | None:
    """Open whatever is due; the latest round that has new tables, None if there are none.

    Asked twice, it opens a thing once. Raises `TournamentRefusal(NOT_RUNNING)`.
    """
    opened = open_due(tournament_id=tournament_id, secret_for=secret_for, now=now)
    return max((table.round for table in opened), key=lambda one: one.number, default=None)


def open_due(
    *, tournament_id: int, secret_for: SecretSource = play.fresh_secret, now: datetime
) -> list[RoundTable]:
    """Open tie-breaks, pairings whose players are known, or the next round; gives the new tables.

    Before that, results are taken that were missed, and rounds closed that are played out. Raises
    `TournamentRefusal(NOT_RUNNING)`.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.state != State.RUNNING:
            raise TournamentRefusal(
                TournamentCode.NOT_RUNNING, f"{tournament.name} is {tournament.state}, not running."
            )
        opened: list[RoundTable] = []
        # Who has left forfeits as his table opens, by which another may become due at once.
        while batch := _open_once(tournament, secret_for, now):
            opened += batch
        tournament.is_due = False
        tournament.save(update_fields=["is_due"])
    return opened


def _open_once(tournament: Tournament, secret_for: SecretSource, now: datetime) -> list[RoundTable]:
    catch_up(tournament, now=now)
    opened = tie_breaks.open_due(tournament, secret_for=secret_for, now=now)
    _close_rounds(tournament, now)
    if tournament.shape == Shape.HEADS_UP:
        opened += pairings.open_due(tournament, secret_for=secret_for, now=now)
    elif tournament.shape == Shape.LEVELS:
        level = levels.open_level(tournament=tournament, secret_for=secret_for, now=now)
        opened += [] if level is None else level.tables.select_related("round").order_by("number")
    else:
        opened += _open_next(tournament, secret_for, now)
    return opened


def catch_up(tournament: Tournament, *, now: datetime) -> int:
    """Take the results of matches that are over though their tables do not show it; how many."""
    missed = RoundTable.objects.filter(
        round__tournament=tournament, is_over=False, match__status=play.OVER
    )
    taken = 0
    for table in missed.select_related("round").order_by("round__number", "number"):
        ended = play.ended(table.match_id)
        if ended is not None:
            incoming.match_ended(tournament, table, ended, now=now)
            taken += 1
    return taken


def _close_rounds(tournament: Tournament, now: datetime) -> None:
    """Close every round that is played out, whatever was missed."""
    for open_round_row_ in tournament.rounds.filter(closed_at__isnull=True).order_by("number"):
        results.close_if_over(tournament, open_round_row_, now=now)


def final_is_over(tournament: Tournament, last: Round | None) -> bool:
    """Whether the last round was a final; a tied heads-up final leaves two in it.

    It was one, too, if not more than one player is left in the tournament.
    """
    if last is None:
        return False
    if tournament.shape == Shape.LEVELS:
        return levels.is_over(tournament, last)
    if tournament.shape == Shape.HEADS_UP:
        return last.number == bracket_of(tournament).rounds
    if last.tables.filter(kind=TableKind.PLAY).count() == 1:
        return True
    return tournament.entries.filter(state=EntryState.PLAYING).count() < 2


def _open_next(tournament: Tournament, secret_for: SecretSource, now: datetime) -> list[RoundTable]:
    """The next round of drawn tables, once the last is closed; none after the final."""
    last = tournament.rounds.order_by("-number").first()
    if last is not None and (last.closed_at is None or final_is_over(tournament, last)):
        return []
    entries = list(tournament.entries.filter(state=EntryState.PLAYING).order_by("number"))
    if len(entries) < 2:
        return []
    terms = play.terms_of(tournament)
    number = last.number + 1 if last else 1
    sizes = table_sizes(len(entries), terms.seats)
    seated = seeding.seat(tournament, entries, number, sizes)
    through = places_through(sizes, terms.advance)
    opened = open_round_row(
        tournament,
        number=number,
        places=sum(through),
        tables=len(sizes),
        secret_for=secret_for,
        now=now,
    )
    return open_tables(
        tournament,
        opened,
        _drawn_tables(seated, through, over_all=isinstance(terms.advance, BestOverall)),
        options=play.round_options(terms, is_final=len(sizes) == 1),
        secret_for=secret_for,
        now=now,
    )


def _drawn_tables(
    seated: Sequence[Sequence[Entry]], through: Sequence[int], *, over_all: bool
) -> list[NewTable]:
    places: Sequence[int | None] = through
    if not through:
        places = [0] * len(seated)
    elif over_all:
        places = [None] * len(seated)
    return [
        NewTable(number=number, entries=tuple(entries), places=some)
        for number, (entries, some) in enumerate(zip(seated, places, strict=True), 1)
    ]
