"""What follows from an arbiter's ruling about a table, told in sentences before it is confirmed.

A *picture* is how things stand as far as a ruling can change them. The ruling is tried, its picture
is compared with the one before, and the sentences and a *token* of both come out. Whoever confirms
gives the token, so that nothing else happens than what he was told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from tournaments.structure.checks import MAX_AMOUNT, MAX_ENTRANTS, whole
from tournaments.structure.errors import StructureCode, StructureError

TOKEN_LENGTH: Final = 32


class Fate(StrEnum):
    """What becomes of a player of a table."""

    OPEN = "open"
    GOES_ON = "goes_on"
    TIED = "tied"
    OUT = "out"


class SeatRuling(msgspec.Struct, frozen=True):
    """An arbiter's result for a seat: place from 1, and chips or points."""

    seat: int
    place: int
    score: int

    def __post_init__(self) -> None:
        whole(self.seat, "seat", 0, MAX_ENTRANTS)
        whole(self.place, "place", 1, MAX_ENTRANTS)
        whole(self.score, "score", 0, MAX_AMOUNT)


class Line(msgspec.Struct, frozen=True):
    """A player of the round: his name, what he made of his table, what becomes of him."""

    entrant: int
    name: str
    fate: Fate
    place: int | None = None
    score: int | None = None


class Picture(msgspec.Struct, frozen=True):
    """Everybody of the round by number, and prizes where they would be known now."""

    lines: tuple[Line, ...]
    prizes: tuple[tuple[int, int], ...] = ()


class LostTable(msgspec.Struct, frozen=True):
    """A later table that is discarded: its name, who sits there, how many deals were dealt."""

    name: str
    players: tuple[str, ...]
    deals: int


class Consequences(msgspec.Struct, frozen=True):
    """What a ruling leads to, in sentences; `discards` are the later tables that it does away with.

    The token names all of it.
    """

    sentences: tuple[str, ...]
    discards: tuple[LostTable, ...]
    token: str

    @property
    def needs_force(self) -> bool:
        """Whether later tables were opened on the strength of what is changed."""
        return bool(self.discards)


def token_of(told: object) -> str:
    """A short name for all that somebody was told; another one as soon as anything of it differs.

    `told` is anything that can be written as JSON.
    """
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()[:TOKEN_LENGTH]


def check_rulings(rulings: Sequence[SeatRuling], seats: Iterable[int]) -> None:
    """A ruling for each seat, with places as in a competition: 1 2 2 4.

    Raises `StructureError(BAD_RULING)`.
    """
    if sorted(ruling.seat for ruling in rulings) != sorted(seats):
        raise StructureError(
            StructureCode.BAD_RULING, "Give each seat of the table one result.", field="rulings"
        )
    places = sorted(ruling.place for ruling in rulings)
    if any(place != 1 + places.index(place) for place in places):
        raise StructureError(
            StructureCode.BAD_RULING,
            "Places count from 1, and whoever ties shares the better one, such as 1 2 2 4.",
            field="rulings",
        )


def consequences(
    before: Picture,
    after: Picture,
    discards: Sequence[LostTable] = (),
    *,
    what: str = "",
    unit: str = "points",
    prize_words: Mapping[int, str] | None = None,
) -> Consequences:
    """Compare two pictures. `what` names the ruling, `prize_words` writes an amount out."""
    words = prize_words or {}
    sentences = [
        *_results(before, after, unit),
        *_going_on(before, after),
        *_ties(before, after),
        *_prizes(before, after, words),
        *(_discarded(table) for table in discards),
    ]
    return Consequences(
        tuple(sentences) or ("Nothing changes.",),
        tuple(discards),
        token_of((what, before, after, tuple(discards))),
    )


def _results(before: Picture, after: Picture, unit: str) -> list[str]:
    was = {line.entrant: line for line in before.lines}
    found = []
    for line in after.lines:
        old = was.get(line.entrant)
        if old is None or (old.place, old.score) == (line.place, line.score):
            continue
        found.append(f"{line.name}: {_result(line, unit)} instead of {_result(old, unit)}.")
    return found


def _result(line: Line, unit: str) -> str:
    return "no result yet" if line.place is None else f"place {line.place} with {line.score} {unit}"


def _going_on(before: Picture, after: Picture) -> list[str]:
    was, now = _with(before, Fate.GOES_ON), _with(after, Fate.GOES_ON)
    comes = [name for entrant, name in now.items() if entrant not in was]
    goes = [name for entrant, name in was.items() if entrant not in now]
    if comes and len(comes) == len(goes):
        return [f"{new} goes on instead of {old}." for new, old in zip(comes, goes, strict=True)]
    on = [f"{name} goes on." for name in comes]
    return on + [f"{name} does not go on any more." for name in goes]


def _ties(before: Picture, after: Picture) -> list[str]:
    was, now = _with(before, Fate.TIED), _with(after, Fate.TIED)
    if not now or set(was) == set(now):
        return []
    return [f"{_and(list(now.values()))} are level on the place that decides: a tie-break follows."]


def _prizes(before: Picture, after: Picture, words: Mapping[int, str]) -> list[str]:
    names = {line.entrant: line.name for line in (*before.lines, *after.lines)}
    was, now = dict(before.prizes), dict(after.prizes)
    if was and not now:
        return ["Who gets which prize is open again."]

    def written(amount: int) -> str:
        return words.get(amount, f"{amount:,}")

    return [
        f"{names.get(entrant, f'Entry {entrant}')} would get {written(now.get(entrant, 0))} "
        f"instead of {written(was.get(entrant, 0))}."
        for entrant in sorted({*was, *now})
        if was and was.get(entrant, 0) != now.get(entrant, 0)
    ]


def _discarded(table: LostTable) -> str:
    dealt = {0: "no deal was dealt", 1: "1 deal was dealt"}
    deals = dealt.get(table.deals, f"{table.deals} deals were dealt")
    name = table.name[0].upper() + table.name[1:]
    return f"{name} ({_and(list(table.players))}) is discarded; {deals} there."


def _with(picture: Picture, fate: Fate) -> dict[int, str]:
    return {line.entrant: line.name for line in picture.lines if line.fate is fate}


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A player's way to another table of his round; sizes and places are those after it.

    Places are how many go on from a table, None where the best of all tables do.
    """

    player: str
    from_table: str
    to_table: str
    from_size: int
    to_size: int
    from_places: int | None
    to_places: int | None


def move_consequences(
    move: Move, *, from_places: int | None, to_places: int | None
) -> Consequences:
    """What a move leads to; the places are those before it."""
    said = [
        f"{move.player} moves from {move.from_table} to {move.to_table}; "
        f"{move.from_size} and {move.to_size} play there then."
    ]
    for table, was, now in (
        (move.from_table, from_places, move.from_places),
        (move.to_table, to_places, move.to_places),
    ):
        if was != now:
            said.append(f"From {table} the best {now} go on, not {was}.")
    return Consequences(tuple(said), (), token_of((move, from_places, to_places)))
