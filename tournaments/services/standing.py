"""Who stands where: from what everybody made of his tables, by the tie-breaks of the shape."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec
from django.db.models import Exists, OuterRef

from tournaments import money, play
from tournaments.models import Entry, EntryState, Placing, Shape, TableKind, Tournament
from tournaments.structure.standings import Standing, standings
from tournaments.structure.tiebreaks import (
    BRACKET,
    CHIPS_KNOCKOUT,
    LEVELS,
    POINTS_KNOCKOUT,
    POOL_KNOCKOUT,
    AnyTieBreak,
    PlaceAtTable,
    ReachedRound,
    Record,
    RoundScore,
    StayedIn,
)

SINGLE_TABLE: tuple[AnyTieBreak, ...] = (ReachedRound(), PlaceAtTable())
STILL_IN = "Still in when the tournament was called off."


def final_standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Everybody who took part, best first, with the grounds. Two queries."""
    return standings(records_of(tournament), chain_of(tournament))


def standings_so_far(tournament: Tournament) -> tuple[Standing, ...]:
    """As if it ended now: whoever is still in shares the best ranks, the others follow.

    In timed levels those still in are ranked by the chips they hold.
    """
    best: list[Standing] = []
    for group, words in _still_in(tournament):
        shared = f" Level with {len(group) - 1} more: shared." if len(group) > 1 else ""
        rank = len(best) + 1
        best += [Standing(rank, entry, bool(shared), f"{words}{shared}") for entry in group]
    inside = {line.entrant for line in best}
    out = [record for record in records_of(tournament) if record.entrant not in inside]
    behind = standings(out, chain_of(tournament))
    return (
        *best,
        *(
            Standing(line.rank + len(best), line.entrant, line.is_shared, _behind(line, inside))
            for line in behind
        ),
    )


def _still_in(tournament: Tournament) -> list[tuple[list[int], str]]:
    """Groups of those who can still win, best first, with the words for it."""
    playing = tournament.entries.filter(state=EntryState.PLAYING)
    if tournament.shape == Shape.HEADS_UP:
        # Who waits for the match for third place has lost already.
        lost = Placing.objects.filter(
            entry=OuterRef("pk"),
            table__kind=TableKind.PLAY,
            table__is_over=True,
            place__gt=1,
            goes_on=False,
        )
        playing = playing.filter(~Exists(lost))
    inside = sorted(playing.values_list("pk", flat=True))
    if tournament.shape != Shape.LEVELS:
        return [(inside, STILL_IN)] if inside else []
    chips = money.stacks_of(tournament=tournament, entry_ids=inside)
    ordered = sorted(inside, key=lambda entry: (-chips[entry], entry))
    return [
        (list(group), f"{STILL_IN} Decided by chips: {held:,}.")
        for held, group in groupby(ordered, key=chips.__getitem__)
    ]


def _behind(line: Standing, inside: set[int]) -> str:
    if line.rank > 1 or not inside:
        return line.reason
    return line.reason.replace("First.", "Behind those who were still in.")


def chain_of(tournament: Tournament) -> Sequence[AnyTieBreak]:
    """The tie-breaks that rank the players of a tournament, in order.

    Who left in the middle comes behind all who went out in the round that he had reached.
    """
    first, *others = _chain_of(tournament)
    return (first, StayedIn(), *others)


def _chain_of(tournament: Tournament) -> Sequence[AnyTieBreak]:
    terms = play.terms_of(tournament)
    if tournament.shape == Shape.HEADS_UP:
        return BRACKET
    if tournament.shape == Shape.SINGLE:
        return SINGLE_TABLE
    if tournament.shape == Shape.LEVELS:
        return LEVELS
    if play.plays_for_chips(terms):
        return CHIPS_KNOCKOUT
    return POOL_KNOCKOUT if play.plays_to_the_last(terms) else POINTS_KNOCKOUT


def records_of(tournament: Tournament) -> list[Record]:
    """How far every player came and what he scored in each round. Two or three queries."""
    rows = (
        Placing.objects.filter(table__round__tournament=tournament, table__kind=TableKind.PLAY)
        .order_by("entry_id", "table__round__number")
        .values_list(
            "entry_id", "table__round__number", "score", "place", "margin", "goes_on", named=True
        )
    )
    last = max((row.table__round__number for row in rows), default=0)
    seated = tournament.entries.filter(state__in=(EntryState.PLAYING, EntryState.OUT))
    left = dict(seated.values_list("pk", "left"))
    scores: dict[int, dict[int, RoundScore]] = {entry: {} for entry in left}
    winners: set[int] = set()
    went_on: set[int] = set()
    for row in rows:
        played = RoundScore(score=max(0, row.score or 0), place=row.place, margin=row.margin)
        scores.setdefault(row.entry_id, {})[row.table__round__number] = played
        if row.goes_on and row.table__round__number == last:
            winners.add(row.entry_id)
        (went_on.add if row.goes_on else went_on.discard)(row.entry_id)
    third, winners = _third_place(tournament), winners | _only_one_left(tournament)
    return [
        _record(entry, rounds, last * (entry in winners), third.get(entry))
        if not left.get(entry)
        else _record_of_leaver(entry, rounds, went_on=entry in went_on)
        for entry, rounds in scores.items()
    ]


def _only_one_left(tournament: Tournament) -> set[int]:
    """Who has won since all others are out; if he came late, or back, his next round never came."""
    if tournament.shape not in (Shape.KNOCKOUT, Shape.LEVELS):
        return set()
    inside = tournament.entries.filter(state=EntryState.PLAYING).values_list("pk", flat=True)[:2]
    return set(inside) if len(inside) == 1 else set()


def _record_of_leaver(entry: int, rounds: dict[int, RoundScore], *, went_on: bool) -> Record:
    """Who had won his table and left before the next round has reached that round."""
    played = _record(entry, rounds, 0, None)
    return msgspec.structs.replace(played, reached=played.reached + went_on, has_left=True)


def _third_place(tournament: Tournament) -> dict[int, bool]:
    """Who has won, and who has lost, the match for third place."""
    if tournament.shape != Shape.HEADS_UP or not play.terms_of(tournament).third_place:
        return {}
    played = Placing.objects.filter(
        table__round__tournament=tournament,
        table__round__closed_at__isnull=False,
        table__kind=TableKind.THIRD_PLACE,
    )
    return dict(played.values_list("entry_id", "goes_on"))


def _record(
    entry: int, rounds: dict[int, RoundScore], won: int, has_won_third: bool | None
) -> Record:
    """`won` is the last round for who has won it, 0 for the others."""
    reached = max((won, *rounds))
    played = tuple(rounds.get(number) for number in range(1, reached + 1))
    return Record(
        entrant=entry,
        reached=reached,
        rounds=played,
        has_won=bool(won),
        has_won_third=has_won_third,
    )


def margins_of(tournament: Tournament, groups: Sequence[Sequence[int]]) -> dict[int, int]:
    """By how much the knocked-out players of a bracket lost.

    `groups` are entries that are level. Where somebody of a group has no margin, as after a forfeit
    or a result by decision, nobody of it has one: they cannot be told apart by it.
    """
    if tournament.shape != Shape.HEADS_UP:
        return {}
    lost = Placing.objects.filter(
        table__round__tournament=tournament, table__kind=TableKind.PLAY, margin__isnull=False
    )
    margins = {entry: margin or 0 for entry, margin in lost.values_list("entry_id", "margin")}
    comparable = [group for group in groups if all(entry in margins for entry in group)]
    return {entry: margins[entry] for group in comparable for entry in group}


def entries_of(lines: Sequence[Standing]) -> dict[int, Entry]:
    """The entries of standings with their players, by id. One query for 500 of them."""
    ids = [line.entrant for line in lines]
    found: dict[int, Entry] = {}
    for start in range(0, len(ids), 500):
        batch = Entry.objects.select_related("player").filter(pk__in=ids[start : start + 500])
        found |= {entry.pk: entry for entry in batch}
    return found
