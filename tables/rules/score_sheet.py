"""What a scorer writes down about a deal on a real table, read as a deal's result (rule 6.7).

A *row* says how one player came out of the deal: by which *kind*, and where his hand counts, by its
points or its cards. Cards are scored by the code of `score_hand`. A sheet that no deal can have
left is refused with all that is wrong with it, row by row.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tables.rules.errors import Code, RuleViolation
from tables.rules.formats.base import MISSED_DEAL, NextDeal
from tables.rules.formats.checks import check_result, hand_limit
from tables.rules.results import DealResult, Outcome, SeatScore
from tables.rules.sheet_cards import CountedHand, count_hands
from tables.rules.sheet_costs import Cost, Kind, cost_of, costs_in_words, impossible, worded

__all__ = [
    "Kind",
    "SheetRefused",
    "SheetRow",
    "Written",
    "cost_of",
    "costs_in_words",
    "impossible",
    "read_sheet",
]


class SheetRow(msgspec.Struct, frozen=True, kw_only=True):
    """One player's row.

    `cards` are 13 cards, their groups set apart by `|`; without any `|` the best grouping counts.
    `leaves` says that he has left the table for good, during the deal or after it.
    """

    seat: int
    kind: Kind
    points: int | None = None
    cards: str = ""
    leaves: bool = False


class Written(msgspec.Struct, frozen=True):
    """A deal as it was written down; `wild` is the rank turned up, where cards are stated."""

    rows: tuple[SheetRow, ...]
    wild: str = ""


class SheetRefused(RuleViolation):
    """A sheet that cannot be; `errors` are all faults, each naming its field, e.g.
    `rows[2].points`. Code, sentence and field are the first one's.
    """

    def __init__(self, errors: Sequence[RuleViolation]) -> None:
        first = errors[0]
        super().__init__(first.code, first.sentence, field=first.field)
        self.errors = tuple(errors)


def read_sheet(step: NextDeal, rows: Sequence[SheetRow], wild: str = "") -> DealResult:
    """The result of the deal that `step` asked for, out of its rows.

    After a toss the rows stand in the order of play, as the toss seated the players; else in any
    order. `wild` is the rank turned up, needed where cards are stated. Raises `SheetRefused`.
    """
    sheet = _Sheet(step, rows, wild)
    sheet.check_seats()
    sheet.check_winner()
    scores = {row.seat: sheet.score(place) for place, row in enumerate(rows)}
    sheet.check_declaration(scores)
    if sheet.errors:
        raise SheetRefused(sheet.errors)
    order = [row.seat for row in rows] if step.dealer is None else step.seats
    result = DealResult(tuple(score for seat in order if (score := scores[seat])))
    check_result(step, result)
    return result


class _Sheet:
    """Reads the rows and keeps what is wrong with them."""

    def __init__(self, step: NextDeal, rows: Sequence[SheetRow], wild: str) -> None:
        self.step, self.rows, self.errors = step, rows, list[RuleViolation]()
        self._hands = count_hands(
            {place: row.cards for place, row in enumerate(rows) if row.cards.strip()},
            wild,
            step.terms.profile,
            players=len(step.seats),
            errors=self.errors,
        )

    def refuse(self, field: str, sentence: str, code: Code = Code.BAD_RESULT) -> None:
        """Note a fault."""
        self.errors.append(RuleViolation(code, sentence, field=field))

    def check_seats(self) -> None:
        """Each seat that was dealt to has one row, and no other has."""
        seen: set[int] = set()
        for place, row in enumerate(self.rows):
            if row.seat not in self.step.seats:
                sentence = f"Seat {row.seat} was not dealt to; take its row away."
                self.refuse(f"rows[{place}].seat", sentence, Code.NOT_SEATED)
            elif row.seat in seen:
                self.refuse(f"rows[{place}].seat", f"Seat {row.seat} has two rows; keep one.")
            seen.add(row.seat)
        for seat in self.step.seats:
            if seat not in seen:
                self.refuse("rows", f"Seat {seat} was dealt to and has no row; add it.")

    def check_winner(self) -> None:
        """One row has won."""
        winners = [place for place, row in enumerate(self.rows) if row.kind is Kind.WON]
        if not winners:
            self.refuse("rows", "Nobody has won; say who did. Each deal has one winner.")
        for place in winners[1:]:
            sentence = "Somebody else has won this deal already; each deal has one winner."
            self.refuse(f"rows[{place}].kind", sentence)

    def score(self, place: int) -> SeatScore | None:
        """The row's score, None where it has a fault."""
        row = self.rows[place]
        cost = cost_of(self.step, row.seat, row.kind, leaves=row.leaves)
        if cost is None:
            self.refuse(f"rows[{place}].kind", self._why_no_drop(row), Code.NO_DROP)
            return None
        hand = self._hands.get(place)
        points = self._fixed(place, cost, hand)
        if points is None:
            points = self._counted(place, cost, hand)
        return None if points is None else SeatScore(row.seat, points, cost.outcome)

    def _why_no_drop(self, row: SheetRow) -> str:
        if not self.step.terms.has_drop:
            return "There is no drop in this match; count his hand, or all of it if he went away."
        return "His total leaves him no drop; count his hand, or say that he has left."

    def _fixed(self, place: int, cost: Cost, hand: CountedHand | None) -> int | None:
        """What the kind always counts, and the row may not say otherwise."""
        row, field = self.rows[place], f"rows[{place}].points"
        if cost.fixed is None:
            return None
        if row.points not in (None, cost.fixed):
            said = f"{worded(row.kind)} counts {cost.fixed} points here, not {row.points}."
            self.refuse(field, said)
        if row.cards.strip() and row.kind not in (Kind.WON, Kind.WRONG_DECLARATION):
            said = f"{worded(row.kind)} counts no cards; leave them out."
            self.refuse(f"rows[{place}].cards", said)
        if hand and hand.is_complete and row.kind is Kind.WRONG_DECLARATION:
            self._not_wrong(place)
        return cost.fixed

    def _not_wrong(self, place: int) -> None:
        said = "These cards are a valid declaration; he has won, unless somebody did before him."
        self.refuse(f"rows[{place}].cards", said)

    def _counted(self, place: int, cost: Cost, hand: CountedHand | None) -> int | None:
        """What the hand counts, by its cards or by the points that the scorer counted."""
        row, profile = self.rows[place], self.step.terms.profile
        field = f"rows[{place}].points"
        if row.cards.strip():
            return None if hand is None else self._by_cards(place, cost, hand)
        if row.points is None and row.kind is Kind.ABSENT:
            return min(MISSED_DEAL, hand_limit(profile))
        if row.points is None:
            self.refuse(field, "Say how many points his hand counts, or which cards it has.")
            return None
        fault = impossible(row.points, profile, whole_hand=cost.whole_hand)
        if fault:
            self.refuse(field, fault)
            return None
        return row.points

    def _by_cards(self, place: int, cost: Cost, hand: CountedHand) -> int:
        row = self.rows[place]
        points = hand.whole if cost.whole_hand else hand.as_loser
        if row.points not in (None, points):
            said = f"These cards count {points} points, not {row.points}; correct one of the two."
            self.refuse(f"rows[{place}].points", said)
        if row.kind is Kind.WRONG_DECLARATION and hand.is_complete:
            self._not_wrong(place)
        return points

    def check_declaration(self, scores: dict[int, SeatScore | None]) -> None:
        """The winner's cards, if they are stated, were a declaration.

        Where nobody showed a hand, all others were out and he needed none. At a limit (rule 5.10)
        everybody declares and the fewest points win.
        """
        shown = [
            score.points for score in scores.values() if score and score.outcome is Outcome.LOST
        ]
        for place, row in enumerate(self.rows):
            hand = self._hands.get(place)
            if row.kind is not Kind.WON or hand is None or hand.is_complete or not shown:
                continue
            if min(shown) < hand.as_loser:
                said = "These cards are no valid declaration; enter it as a wrong declaration."
                self.refuse(f"rows[{place}].cards", said)
