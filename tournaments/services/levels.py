"""Timed levels: a round for each, with tables drawn anew and chips carried over (rule 7.6).

A level is over when no table of it is played any more. Nothing is sent ahead to its end: before
each deal a table asks `may_deal`, and whoever moves tournaments on asks `open_level`. Between two
levels who has too few chips has some time to buy more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import QuerySet

from tournaments import money, people, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Placing, Round, RoundTable, Tournament
from tournaments.services import seeding
from tournaments.services.lifecycle import SecretSource
from tournaments.services.opening import NewTable, open_round_row, open_tables
from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.levels import Moment, may_be_dealt_in, seconds_of_play
from tournaments.structure.lifecycle import Action
from tournaments.structure.rebuys import Holding, LevelTerms
from tournaments.structure.seating import table_sizes


def levels_of(tournament: Tournament) -> LevelTerms:
    """A tournament's levels. Raises `TournamentRefusal(BAD_TERMS)` where it has none."""
    levels = play.terms_of(tournament).levels
    if levels is None:
        raise TournamentRefusal(
            TournamentCode.BAD_TERMS, f"{tournament.name} is not played in levels.", field="shape"
        )
    return levels


def open_level(*, tournament: Tournament, secret_for: SecretSource, now: datetime) -> Round | None:
    """Draw and open the next level; the caller holds the lock of a running tournament.

    None while a level is played, its time or that for re-buys is not up, and when fewer than two
    can be dealt in or all levels are over. Who is below the minimum and has not bought is out.
    """
    last = tournament.rounds.order_by("-number").first()
    if (last is not None and last.closed_at is None) or is_over(tournament, last):
        return None
    levels, number = levels_of(tournament), last.number + 1 if last else 1
    entries = {entry.pk: entry for entry in _playing(tournament)}
    if last is None and len(entries) < 2:
        return None  # before chips are given out, which is done once for all
    if last is None:
        money.issue_chips(
            tournament=tournament,
            round_number=number,
            entry_ids=list(entries),
            each=levels.starting_chips,
            now=now,
        )
    holdings = holdings_of(tournament, list(entries.values()))
    field = levels.field(number, holdings)
    if last is not None and _seconds_to_wait(tournament, last, bool(field.may_rebuy), now):
        return None
    below = (*field.may_rebuy, *field.out)
    tournament.entries.filter(pk__in=below).update(state=EntryState.OUT)
    if len(field.dealt_in) < 2:
        return None
    dealt_in = {entries[entry]: holdings[entry].chips for entry in field.dealt_in}
    return _open(tournament, number, dealt_in, secret_for, now)


def is_last(tournament: Tournament, number: int) -> bool:
    """Whether no level follows level `number`."""
    return number >= len(levels_of(tournament).schedule.levels)


def is_over(tournament: Tournament, last: Round | None) -> bool:
    """Whether no level will follow `last`: it was the last one, or one player is left at most."""
    if last is None or last.closed_at is None:
        return False
    if is_last(tournament, last.number):
        return True
    return _playing(tournament)[:2].count() < 2


def _playing(tournament: Tournament) -> QuerySet[Entry]:
    return tournament.entries.filter(state=EntryState.PLAYING).order_by("number")


def holdings_of(tournament: Tournament, entries: Sequence[Entry]) -> dict[int, Holding]:
    """Chips and re-buys of each entry, by its id, in their order."""
    chips = money.stacks_of(tournament=tournament, entry_ids=[entry.pk for entry in entries])
    return {entry.pk: Holding(chips[entry.pk], entry.rejoins) for entry in entries}


def who_may_buy(tournament: Tournament) -> list[Entry]:
    """Who is at no table, has too few chips for the next level, and may buy them now."""
    last = tournament.rounds.order_by("-number").first()
    levels = levels_of(tournament)
    if last is None or is_last(tournament, last.number):
        return []
    free = _playing(tournament).exclude(placings__table__is_over=False)
    entries = {entry.pk: entry for entry in free}
    field = levels.field(last.number + 1, holdings_of(tournament, list(entries.values())))
    return [entries[entry] for entry in field.may_rebuy]


def seconds_to_next(tournament: Tournament, now: datetime) -> int:
    """How long a level that is closed is still to be waited for the next; 0 for not at all."""
    last = tournament.rounds.order_by("-number").first()
    if last is None or last.closed_at is None:
        return 0
    return _seconds_to_wait(tournament, last, bool(who_may_buy(tournament)), now)


def _seconds_to_wait(tournament: Tournament, last: Round, may_rebuy: bool, now: datetime) -> int:
    """Until the time for re-buys is up, and the level's, unless that ended for want of players."""
    if last.closed_at is None:
        return 0
    levels, pauses = levels_of(tournament), pauses_of(tournament)
    waits = [0]
    if may_rebuy and levels.rebuy is not None:
        waits.append(levels.rebuy.seconds - seconds_of_play(last.closed_at, now, pauses))
    if not moment_of(tournament, last, last.closed_at).may_deal:
        waits.append(moment_of(tournament, last, now).seconds_left)
    return max(waits)


def pauses_of(tournament: Tournament) -> list[tuple[datetime, datetime | None]]:
    """From when till when a tournament was paused, as its log tells."""
    rows = tournament.log.filter(action__in=(Action.PAUSE, Action.RESUME)).order_by("pk")
    pauses: list[tuple[datetime, datetime | None]] = []
    for action, at in rows.values_list("action", "at"):
        if action == Action.PAUSE:
            pauses.append((at, None))
        elif pauses:
            pauses[-1] = (pauses[-1][0], at)
    return pauses


def moment_of(tournament: Tournament, level: Round, now: datetime) -> Moment:
    """How much of a level is left; pauses do not eat its time."""
    seconds = seconds_of_play(level.opened_at, now, pauses_of(tournament))
    return levels_of(tournament).schedule.moment_in(level.number, seconds)


def may_deal(*, tournament: Tournament, match_id: int, now: datetime) -> bool:
    """Whether another deal may begin at a table of a level: not in its last 30 seconds."""
    level = Round.objects.filter(tables__match_id=match_id).first()
    return level is None or moment_of(tournament, level, now).may_deal


def _open(
    tournament: Tournament,
    number: int,
    chips: Mapping[Entry, int],
    secret_for: SecretSource,
    now: datetime,
) -> Round:
    """Seat these entries with their chips; from a level that is not the last all may go on."""
    terms = play.terms_of(tournament)
    sizes = table_sizes(len(chips), terms.seats)
    seated = seeding.seat(tournament, list(chips), number, sizes)
    opened = open_round_row(
        tournament,
        number=number,
        places=0 if is_last(tournament, number) else len(chips),
        tables=len(sizes),
        secret_for=secret_for,
        now=now,
    )
    tables = [
        NewTable(
            number=at,
            entries=tuple(entries),
            places=0 if is_last(tournament, number) else len(entries),
            options=play.level_format(
                terms,
                number,
                tuple(chips[entry] for entry in entries),
                tuple(entry.rejoins for entry in entries),
            ),
        )
        for at, entries in enumerate(seated, 1)
    ]
    open_tables(tournament, opened, tables, options=terms.format, secret_for=secret_for, now=now)
    return opened


def give_stack(*, tournament: Tournament, entry: Entry, now: datetime) -> None:
    """Give the starting chips to who enters after level 1 has begun, or enters again.

    The caller holds the lock. Raises `StructureError(TOO_LATE)` where they no longer reach the
    minimum of the next level. Before level 1 nothing happens: everybody gets them there.
    """
    last = tournament.rounds.order_by("-number").first()
    if last is None:
        return
    levels = levels_of(tournament)
    number, chips = min(last.number + 1, len(levels.schedule.levels)), levels.starting_chips
    if not may_be_dealt_in(levels.level(number), chips):
        raise StructureError(
            StructureCode.TOO_LATE,
            f"The {chips:,} starting chips are too few for level {number}; nobody can enter now.",
        )
    money.renew_stack(tournament=tournament, entry=entry, chips=chips, now=now)


def take_result(
    *, tournament: Tournament, table: RoundTable, outcome: play.MatchOver, now: datetime
) -> None:
    """Enter a finished table of a level; the caller holds the tournament's lock.

    Everybody keeps his chips, and who has enough for the next level, and has not left, goes on. The
    last table of a level closes it.
    """
    if table.is_over:
        return
    levels, number = levels_of(tournament), table.round.number
    ends = is_last(tournament, number)
    needed = None if ends else levels.level(number + 1).minimum_chips
    ended = play.chips_at_table(outcome)
    placings = list(table.placings.select_related("entry"))
    for placing in placings:
        placing.place, placing.score = ended[placing.seat]
        is_in = placing.entry.state == EntryState.PLAYING
        placing.goes_on = is_in and needed is not None and placing.score >= needed
    Placing.objects.bulk_update(placings, ["place", "score", "goes_on"])
    table.is_over = True
    table.save(update_fields=["is_over"])
    people.calls_over(tournament, table.pk)
    tournament.is_due = True
    tournament.save(update_fields=["is_due"])
    if not table.round.tables.filter(is_over=False).exists():
        Round.objects.filter(pk=table.round_id, closed_at__isnull=True).update(closed_at=now)
