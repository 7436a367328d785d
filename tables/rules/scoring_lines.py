"""Scoring hands line by line: one JSON object in, one answer out (`manage.py score_hand`).

A line asks for the best grouping of a `hand`, or states `groups` (and `loose` cards) to be judged
as they lie. Whether such cards can have been dealt is looked at only as far as the line states
`packs` or `printed_jokers`. Fields not named here are left alone. A bad line never stops the next:
its answer says what is wrong with which field. Nothing here reads or prints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from tables.rules.cards import HAND_SIZE, PRINTED_JOKER, SUITS, Card, Rank, parse_card, parse_wild
from tables.rules.errors import Code, RuleViolation
from tables.rules.hands import best_grouping, judge
from tables.rules.melds import Kind
from tables.rules.profiles import RuleProfile, profile_named

MAX_LINE: Final = 10_000
"""Characters of the longest line that is read."""
MAX_GROUPS: Final = HAND_SIZE
MAX_PACKS: Final = 6
MAX_PRINTED_JOKERS: Final = 24
MAX_ID: Final = 200

T = TypeVar("T")


class ScoredGroup(msgspec.Struct, frozen=True):
    """A group as it was declared or found; None for one that is invalid."""

    cards: tuple[Card, ...]
    kind: Kind | None


class LineError(msgspec.Struct, frozen=True):
    """What is wrong with one field of a line."""

    field: str
    code: str
    sentence: str


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one line; without points where there are errors."""

    id: Any = None
    points: int | None = None
    complete: bool = False
    groups: tuple[ScoredGroup, ...] = ()
    ungrouped: tuple[Card, ...] = ()
    errors: tuple[LineError, ...] = ()


def answer_line(line: str) -> Answer:
    """The answer to one line; it raises for nothing that a line can hold."""
    reader = _Reader()
    stated = reader.fields_of(line)
    name = reader.get(lambda: _id(stated.get("id")))
    if reader.errors:
        return Answer(errors=tuple(reader.errors))
    return _answered(reader, stated, name, lambda: profile_named(stated.get("profile")))


def score_cards(stated: dict[str, Any], profile: RuleProfile) -> Answer:
    """As `answer_line` for the fields of a line whose profile is known; `id` is left alone."""
    return _answered(_Reader(), stated, None, lambda: profile)


def _answered(
    reader: _Reader, stated: dict[str, Any], name: Any, find_profile: Callable[[], RuleProfile]
) -> Answer:
    profile = reader.get(find_profile)
    wild = reader.get(lambda: parse_wild(stated.get("wild")))
    hand = reader.read_hand(stated)
    reader.check_shoe(stated, hand)
    if profile is None or wild is None or reader.errors:
        return Answer(id=name, errors=tuple(reader.errors))
    if hand.groups is None:
        return _best(name, hand.cards, wild, profile)
    return _judged(name, hand.groups, hand.loose, wild, profile)


def as_json(answer: Answer) -> str:
    """The answer as one line of JSON."""
    return msgspec.json.encode(answer).decode()


def as_text(answer: Answer, number: int) -> str:
    """The answer for somebody at a table: the points first, then a line for each group.

    The number of the line names an answer without an id.
    """
    name = f"line {number}" if answer.id is None else answer.id
    if answer.errors:
        return "\n".join(f"{name}: {error.field}: {error.sentence}" for error in answer.errors)
    points = "1 point" if answer.points == 1 else f"{answer.points} points"
    lines = [f"{name}: {points}, {'complete' if answer.complete else 'not complete'}"]
    for group in answer.groups:
        kind = group.kind.replace("_", " ") if group.kind else "no valid group"
        lines.append(f"  {kind:<16} {' '.join(group.cards)}")
    if answer.ungrouped:
        lines.append(f"  {'not grouped':<16} {' '.join(answer.ungrouped)}")
    return "\n".join(lines)


def _best(name: Any, cards: Sequence[Card], wild: Rank, profile: RuleProfile) -> Answer:
    best = best_grouping(cards, wild, profile)
    return Answer(
        id=name,
        points=best.points,
        complete=best.complete,
        groups=tuple(ScoredGroup(group.cards, group.kind) for group in best.groups),
        ungrouped=best.ungrouped,
    )


def _judged(
    name: Any,
    groups: Sequence[tuple[Card, ...]],
    loose: tuple[Card, ...],
    wild: Rank,
    profile: RuleProfile,
) -> Answer:
    judged = judge(groups, loose, wild, profile)
    return Answer(
        id=name,
        points=judged.points,
        complete=judged.complete,
        groups=tuple(map(ScoredGroup, groups, judged.kinds)),
        ungrouped=loose,
    )


def _id(value: object) -> object:
    """What names the line, to be given back as it is."""
    if value is None or type(value) in (int, float):
        return value
    if isinstance(value, str) and len(value) <= MAX_ID:
        return value
    raise RuleViolation(
        Code.BAD_RECORD, f"An id is a number or a text of up to {MAX_ID} characters.", field="id"
    )


class _Stated(NamedTuple):
    """The cards of a line; without groups the best are asked for."""

    where: str
    loose: tuple[Card, ...]
    groups: tuple[tuple[Card, ...], ...] | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """All of them."""
        return (*(card for group in self.groups or () for card in group), *self.loose)


class _Reader:
    """Reads the fields of one line and keeps what is wrong with them."""

    def __init__(self) -> None:
        self.errors: list[LineError] = []

    def refuse(self, field: str, code: Code, sentence: str) -> None:
        """Note what is wrong with a field."""
        self.errors.append(LineError(field, code, sentence))

    def get(self, parse: Callable[[], T]) -> T | None:
        """What `parse` makes of a field, None if it refuses it."""
        try:
            return parse()
        except RuleViolation as refused:
            self.refuse(refused.field or "line", refused.code, refused.sentence)
            return None

    def fields_of(self, line: str) -> dict[str, Any]:
        """The fields of a line, none if it is no JSON object."""
        if len(line) > MAX_LINE:
            self.refuse("line", Code.BAD_RECORD, f"A line has at most {MAX_LINE} characters.")
            return {}
        try:
            stated = msgspec.json.decode(line)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            stated = None
        if isinstance(stated, dict):
            return stated
        self.refuse("line", Code.BAD_RECORD, "A line is one JSON object.")
        return {}

    def read_hand(self, stated: dict[str, Any]) -> _Stated:
        """The hand, or the groups and loose cards; as far as they can be read."""
        if "groups" not in stated and "loose" not in stated:
            hand = _Stated("hand", self._cards(stated.get("hand"), "hand"))
        else:
            if "hand" in stated:
                self.refuse("groups", Code.BAD_RECORD, "State a hand or groups, not both.")
            groups = stated.get("groups")
            if not isinstance(groups, list) or len(groups) > MAX_GROUPS:
                self.refuse("groups", Code.BAD_RECORD, f"Groups are up to {MAX_GROUPS} lists.")
                groups = []
            hand = _Stated(
                "groups",
                self._cards(stated.get("loose", []), "loose"),
                tuple(self._cards(group, f"groups[{n}]") for n, group in enumerate(groups)),
            )
        if not self.errors:
            self._check_count(hand)
        return hand

    def _cards(self, texts: object, field: str) -> tuple[Card, ...]:
        if not isinstance(texts, list):
            self.refuse(field, Code.BAD_RECORD, f"Write {field} as a list of cards.")
            return ()
        if len(texts) > HAND_SIZE:
            self._refuse_count(field, len(texts))
            return ()
        read = [
            self.get(partial(parse_card, text, field=f"{field}[{place}]"))
            for place, text in enumerate(texts)
        ]
        return tuple(card for card in read if card is not None)

    def _check_count(self, hand: _Stated) -> None:
        number = len(hand.cards)
        if number > HAND_SIZE or number < (HAND_SIZE if hand.groups is None else 1):
            self._refuse_count(hand.where, number)
        for place, group in enumerate(hand.groups or ()):
            if not group:
                self._refuse_count(f"groups[{place}]", 0)

    def _refuse_count(self, field: str, number: int) -> None:
        wanted = f"A hand has {HAND_SIZE} cards"
        if field != "hand":
            wanted = f"There are 1 to {HAND_SIZE} cards in all, and no group is empty"
        self.refuse(field, Code.WRONG_CARD_COUNT, f"{wanted}; here are {number}.")

    def check_shoe(self, stated: dict[str, Any], hand: _Stated) -> None:
        """Whether the cards can be in one hand, as far as the line says what they came from.

        The card turned up is out of play, whichever of its rank it was.
        """
        packs = self._number(stated, "packs", 1, MAX_PACKS)
        printed = self._number(stated, "printed_jokers", 0, MAX_PRINTED_JOKERS)
        wild = stated.get("wild")
        counts = Counter(hand.cards)
        jokers = counts.pop(PRINTED_JOKER, 0)
        if packs is not None:
            for card, copies in counts.items():
                if copies > packs:
                    self._too_many(hand.where, f"{copies} × {card}", packs)
            of_rank = sum(copies for card, copies in counts.items() if card[0] == wild)
            if of_rank >= len(SUITS) * packs:
                left = len(SUITS) * packs - 1
                self._too_many(hand.where, f"{of_rank} cards of the wild rank", left)
        if printed is not None:
            in_play = printed - (wild == PRINTED_JOKER)
            if in_play < 0:
                self.refuse("wild", Code.TOO_MANY_COPIES, "There is no printed joker to turn up.")
            elif jokers > in_play:
                self._too_many(hand.where, f"{jokers} × {PRINTED_JOKER}", in_play)

    def _too_many(self, field: str, found: str, most: int) -> None:
        sentence = f"There are {found}; at most {most} can be dealt."
        self.refuse(field, Code.TOO_MANY_COPIES, sentence)

    def _number(self, stated: dict[str, Any], field: str, low: int, high: int) -> int | None:
        """A whole number that may be missing."""
        value = stated.get(field)
        if value is None or (type(value) is int and low <= value <= high):
            return value
        sentence = f"{field} is a whole number from {low} to {high}, or left out."
        self.refuse(field, Code.BAD_RECORD, sentence)
        return None
