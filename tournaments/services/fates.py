"""What becomes of the players of a table: they go on, are tied, or are out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from tournaments import play
from tournaments.brackets import waits_for_third_place
from tournaments.models import Entry, EntryState, Placing, Shape, TableKind, Tournament
from tournaments.structure.deciding import Division

BATCH = 500


def gone_of(tournament: Tournament, placings: Sequence[Placing]) -> set[int]:
    """Entries that have left the tournament; they take no place.

    A pairing of a bracket needs a winner, so where both have left, neither counts as gone here: the
    one who goes on forfeits his next match.
    """
    gone = {p.entry_id for p in placings if p.entry.state != EntryState.PLAYING}
    if tournament.shape == Shape.HEADS_UP and len(gone) == len(placings):
        return set()
    return gone


def mark(placings: Iterable[Placing], division: Division) -> None:
    """Note in the rows who goes on and who is tied; does not save."""
    on, tied = set(division.on), set(division.tied)
    for placing in placings:
        placing.goes_on = placing.entry_id in on
        placing.is_tied = placing.entry_id in tied


def save(placings: Sequence[Placing], *more: str) -> None:
    """Write what was noted, and other fields with it."""
    Placing.objects.bulk_update(placings, ["goes_on", "is_tied", *more], batch_size=BATCH)


def write(placings: Sequence[Placing]) -> None:
    """Write what was noted of many, a statement for hundreds of one fate."""
    by_fate: dict[tuple[bool, bool], list[int]] = {}
    for placing in placings:
        by_fate.setdefault((placing.goes_on, placing.is_tied), []).append(placing.pk)
    for (goes_on, is_tied), ids in by_fate.items():
        for start in range(0, len(ids), BATCH):
            batch = Placing.objects.filter(pk__in=ids[start : start + BATCH])
            batch.update(goes_on=goes_on, is_tied=is_tied)


def knock_out(tournament: Tournament, round_number: int, entry_ids: Collection[int]) -> None:
    """Put players out, unless they meet once more for third place or have left before.

    Where a result is changed, who has paid since to come back stays in.
    """
    if tournament.shape == Shape.HEADS_UP and waits_for_third_place(tournament, round_number):
        return
    ids = sorted(set(entry_ids) - _back_again(tournament, round_number, entry_ids))
    for start in range(0, len(ids), BATCH):
        batch = Entry.objects.filter(pk__in=ids[start : start + BATCH], state=EntryState.PLAYING)
        batch.update(state=EntryState.OUT)


def _back_again(tournament: Tournament, round_number: int, entry_ids: Collection[int]) -> set[int]:
    """Who of these has paid to come back after he was out in this round already.

    He has paid more often then than he was out in the rounds before.
    """
    if round_number > play.terms_of(tournament).entering.late_until_round:
        return set()
    paid = dict(
        tournament.entries.filter(pk__in=entry_ids, reentries__gt=0).values_list("pk", "reentries")
    )
    if not paid:
        return set()
    lost = Placing.objects.filter(
        entry__in=paid,
        table__round__number__lt=round_number,
        table__kind=TableKind.PLAY,
        goes_on=False,
    )
    before = Counter(lost.values_list("entry_id", flat=True))
    return {entry for entry, times in paid.items() if times > before[entry]}
