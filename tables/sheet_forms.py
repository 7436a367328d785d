"""A score sheet as it comes from a form and goes back into it, with what is wrong beside its field.

A row's fields are named `kind-<seat>`, `points-<seat>`, `cards-<seat>` and `leaves-<seat>`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tables.rules.errors import Code, RuleViolation
from tables.rules.formats import (
    DealsStopped,
    PlayerLeft,
    RejoinAnswered,
    SplitAnswered,
    SplitOffered,
    TimePassed,
)
from tables.rules.score_sheet import Kind, SheetRefused, SheetRow
from tables.sheets import DealToEnter
from wording import told

_KINDS: Final = frozenset(kind.value for kind in Kind)

Fields = Mapping[str, str]
Answer = RejoinAnswered | SplitOffered | SplitAnswered | PlayerLeft | TimePassed | DealsStopped


class FormRow(NamedTuple):
    """A player's row as it is shown: what was written, and what is wrong with it."""

    seat: int
    name: str
    total: int
    note: str
    kind: str
    points: str
    cards: str
    leaves: bool
    errors: Mapping[str, str]
    """Sentences by field: `kind`, `points` or `cards`."""


class Form(NamedTuple):
    """The whole form; `error` concerns no row alone."""

    rows: tuple[FormRow, ...]
    wild: str = ""
    first: str = ""
    """The seat that plays first, where the toss decides it."""
    reason: str = ""
    error: str = ""
    wild_error: str = ""
    reason_error: str = ""


def written(deal: DealToEnter, fields: Fields) -> list[SheetRow]:
    """The rows of a form, in the order of play. Raises `SheetRefused` for what is no number."""
    errors: list[RuleViolation] = []
    rows = []
    for place, seat in enumerate(_order(deal, fields)):
        kind = fields.get(f"kind-{seat}", "")
        if kind not in _KINDS:
            said = "Say how this player came out of the deal."
            errors.append(RuleViolation(Code.BAD_RESULT, said, field=f"rows[{place}].kind"))
            kind = Kind.LOST
        rows.append(
            SheetRow(
                seat=seat,
                kind=Kind(kind),
                points=_points(fields.get(f"points-{seat}", ""), place, errors),
                cards=fields.get(f"cards-{seat}", "").strip(),
                leaves=bool(fields.get(f"leaves-{seat}")),
            )
        )
    if errors:
        raise SheetRefused(errors)
    return rows


def _order(deal: DealToEnter, fields: Fields) -> list[int]:
    """Clockwise from the winner of the toss; after a toss the sheet's order is clockwise."""
    seats = [player.seat for player in deal.players]
    first = fields.get("first", "")
    if not deal.has_toss or first not in map(str, seats):
        return seats
    at = seats.index(int(first))
    return seats[at:] + seats[:at]


def _points(text: str, place: int, errors: list[RuleViolation]) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,3}", text):
        said = "Write the points as a whole number, such as 35."
        errors.append(RuleViolation(Code.BAD_RESULT, said, field=f"rows[{place}].points"))
        return None
    return int(text)


def filled(deal: DealToEnter, fields: Fields, refusal: Exception | None = None) -> Form:
    """The form as it was sent, with the sentences of what it was refused for."""
    order = _order(deal, fields)
    found: Sequence[Any] = getattr(refusal, "errors", (refusal,) if refusal else ())
    by_row: dict[int, dict[str, str]] = {}
    loose: dict[str, str] = {}
    for error in found:
        field = getattr(error, "field", None) or ""
        sentence = told(error.sentence)
        match = re.fullmatch(r"rows\[(\d+)\]\.(\w+)", field)
        if match and int(match[1]) < len(order):
            by_row.setdefault(order[int(match[1])], {})[match[2]] = sentence
        else:
            key = field if field in ("wild", "reason") else ""
            loose[key] = f"{loose[key]} {sentence}" if key in loose else sentence
    return Form(
        rows=tuple(
            FormRow(
                player.seat,
                player.name,
                player.total,
                player.note,
                fields.get(f"kind-{player.seat}", ""),
                fields.get(f"points-{player.seat}", ""),
                fields.get(f"cards-{player.seat}", ""),
                bool(fields.get(f"leaves-{player.seat}")),
                by_row.get(player.seat, {}),
            )
            for player in deal.players
        ),
        wild=fields.get("wild", ""),
        first=fields.get("first", ""),
        reason=fields.get("reason", ""),
        error=loose.get("", ""),
        wild_error=loose.get("wild", ""),
        reason_error=loose.get("reason", ""),
    )


def fields_of(rows: Sequence[SheetRow], wild: str) -> dict[str, str]:
    """Written rows as the fields of a form."""
    fields = {"wild": wild, "first": str(rows[0].seat) if rows else ""}
    for row in rows:
        fields[f"kind-{row.seat}"] = row.kind.value
        fields[f"points-{row.seat}"] = "" if row.points is None else str(row.points)
        fields[f"cards-{row.seat}"] = row.cards
        if row.leaves:
            fields[f"leaves-{row.seat}"] = "on"
    return fields


def wild(fields: Fields) -> str:
    """The rank turned up, empty where none is stated."""
    return fields.get("wild", "").strip()


def answer(fields: Fields) -> Answer:
    """What somebody said between two deals, by the button pressed, e.g. `rejoin-yes-3`.

    Raises `RuleViolation(BAD_FRAME)` for what is no such button.
    """
    button = fields.get("answer", "")
    what, _, seat_text = button.rpartition("-")
    if what == "leave":
        seat_text = fields.get("seat", "")
    if button == "nobody-else":
        return TimePassed()
    if button == "deals-stopped":
        return DealsStopped()
    seat = int(seat_text) if re.fullmatch(r"[0-9]{1,2}", seat_text) else -1
    made: dict[str, Answer] = {
        "rejoin-yes": RejoinAnswered(seat, True),
        "rejoin-no": RejoinAnswered(seat, False),
        "split-yes": SplitAnswered(seat, True),
        "split-no": SplitAnswered(seat, False),
        "offer": SplitOffered(seat),
        "leave": PlayerLeft(seat),
    }
    if what not in made or seat < 0:
        raise RuleViolation(Code.BAD_FRAME, "Press one of the buttons of the sheet.")
    return made[what]
