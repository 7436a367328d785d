"""A heads-up bracket as its rows have it: seeds by entry, winners by pairing."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tournaments import play
from tournaments.models import Entry, Placing, TableKind, Tournament
from tournaments.structure.bracket import MIN_FOR_THIRD_PLACE, Bracket, open_bracket


def bracket_of(tournament: Tournament) -> Bracket:
    """The bracket with every result so far. Two queries, whatever its size."""
    third_place = play.terms_of(tournament).third_place
    bracket = open_bracket(seeded(tournament), third_place=third_place)
    won = (
        Placing.objects.filter(table__round__tournament=tournament, goes_on=True)
        .exclude(table__kind=TableKind.TIE_BREAK)
        .order_by("table__round__number", "table__number")
        .values_list("table__round__number", "table__number", "entry__seed")
    )
    rounds: dict[int, dict[int, list[int]]] = {}
    for number, table, seed in won:
        rounds.setdefault(number, {}).setdefault(table - 1, []).append(seed or 0)
    for number, winners in rounds.items():
        single = {index: seeds[0] for index, seeds in winners.items() if len(seeds) == 1}
        bracket = bracket.advance_round(number, single)
        if len(single) < len(winners):
            bracket = bracket.share_final()
    return bracket


def seeded(tournament: Tournament) -> int:
    """How many are in the bracket."""
    return tournament.entries.filter(seed__isnull=False).count()


def waits_for_third_place(tournament: Tournament, round_number: int) -> bool:
    """Whether the losers of a round meet once more: those of the semi-finals, if it is played."""
    if not play.terms_of(tournament).third_place:
        return False
    entrants = seeded(tournament)
    return entrants >= MIN_FOR_THIRD_PLACE and round_number == (entrants - 1).bit_length() - 1


def entries_by_seed(
    tournament: Tournament, *, seeds: Collection[int] | None = None, with_players: bool = False
) -> Mapping[int, Entry]:
    """Everybody in the bracket, or those of some seeds; also who has left since. One query."""
    entries = tournament.entries.filter(seed__isnull=False)
    if seeds is not None:
        entries = entries.filter(seed__in=seeds)
    if with_players:
        entries = entries.select_related("player")
    return {entry.seed: entry for entry in entries if entry.seed is not None}
