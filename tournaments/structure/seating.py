"""Tables of a round: how many of which size, and who sits where.

The *order* is the drawn or seeded order of the entrants, first to last; drawing it is somebody
else's work. There is never a table of one (rule 7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tournaments.structure.checks import MAX_ENTRANTS, all_different, whole
from tournaments.structure.errors import StructureCode, StructureError

MIN_SEATS: Final = 2
MAX_SEATS: Final = 6


def table_sizes(entrants: int, seats: int = MAX_SEATS) -> tuple[int, ...]:
    """Sizes of the fewest tables of up to `seats` that seat all `entrants`, larger ones first.

    Sizes differ by at most one: 13 → 5, 4, 4. Raises `StructureError(OUT_OF_RANGE)`, and
    `StructureError(TABLE_OF_ONE)` where an odd number should sit at tables of two.
    """
    whole(entrants, "entrants", 2, MAX_ENTRANTS)
    whole(seats, "seats", MIN_SEATS, MAX_SEATS)
    tables = -(-entrants // seats)
    size, larger = divmod(entrants, tables)
    if size < MIN_SEATS:
        raise StructureError(
            StructureCode.TABLE_OF_ONE,
            f"{entrants} entrants at tables of {seats} would leave one alone; "
            "take larger tables, or a heads-up bracket, which has byes.",
            field="seats",
        )
    return (size + 1,) * larger + (size,) * (tables - larger)


def seeded_order(drawn: Sequence[int], ratings: Mapping[int, float]) -> tuple[int, ...]:
    """The entrants by rating, the highest first; equal ratings stay in the drawn order.

    Who has no rating comes after all who have one. Raises `StructureError` for an entrant twice.
    """
    all_different(drawn, "order")
    rated = [entrant for entrant in drawn if entrant in ratings]
    unrated = (entrant for entrant in drawn if entrant not in ratings)
    return (*sorted(rated, key=lambda entrant: -ratings[entrant]), *unrated)


def seat_entrants(order: Sequence[int], sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The drawn order cut into tables: the first so many at table 1, the next at table 2, …

    Raises `StructureError`: an entrant twice, or another number of entrants than seats.
    """
    _check(order, sizes)
    tables: list[tuple[int, ...]] = []
    start = 0
    for size in sizes:
        tables.append(tuple(order[start : start + size]))
        start += size
    return tuple(tables)


def seat_by_seed(order: Sequence[int], sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The seeded order dealt over the tables to and fro, so that all are about equally strong.

    Six seeds at tables of 3 and 3 sit as 1, 4, 5 and 2, 3, 6. Raises as `seat_entrants`.
    """
    _check(order, sizes)
    tables: list[list[int]] = [[] for _ in sizes]
    remaining = iter(order)
    for row in range(max(sizes)):
        open_tables = [at for at, size in enumerate(sizes) if size > row]
        for at in reversed(open_tables) if row % 2 else open_tables:
            tables[at].append(next(remaining))
    return tuple(map(tuple, tables))


def _check(order: Sequence[int], sizes: Sequence[int]) -> None:
    all_different(order, "order")
    for size in sizes:
        whole(size, "sizes", MIN_SEATS, MAX_SEATS)
    if not sizes or sum(sizes) != len(order):
        raise StructureError(
            StructureCode.SEATS_DO_NOT_MATCH,
            f"{len(order)} entrants do not fill {sum(sizes)} seats exactly.",
            field="sizes",
        )
