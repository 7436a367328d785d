"""The tie-breaks and lots of a closed round, computed again from its second secret.

The round committed to that secret when it was opened, before anybody could tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from tournaments import play
from tournaments.models import Lot, Round, TableKind, Tournament


class Verdict(StrEnum):
    """What came of computing a draw again."""

    MATCHES = "matches"
    NOTHING_DRAWN = "nothing_drawn"
    """A later round of a bracket: the secret is the one committed to, and decided nothing."""
    WRONG_SECRET = "wrong_secret"  # noqa: S105 - a verdict
    WRONG_ORDER = "wrong_order"


class Seated(NamedTuple):
    """An entry's number at its seat; `decides` is the number of the table a tie-break is about."""

    round_number: int
    table: int
    seat: int
    entry: int
    kind: str
    stage: int
    decides: int | None


class LotCheck(NamedTuple):
    """The seats of a tie-break, or a lot: who was in it, the order computed again, the verdict."""

    label: str
    is_lot: bool
    among: tuple[int, ...]
    order: tuple[int, ...]
    """Entries' numbers in the order of seats, or of going on by lot; empty for a wrong secret."""
    verdict: Verdict

    @property
    def is_good(self) -> bool:
        """Whether it is what was committed to."""
        return self.verdict is Verdict.MATCHES


def check_lots(
    tournament: Tournament, one: Round, seated: Sequence[Seated], lots: Sequence[Lot]
) -> tuple[LotCheck, ...]:
    """The tie-breaks' seats and the lots of a closed round."""
    stages: dict[tuple[int | None, int], list[int]] = {}
    for place in seated:
        if place.kind == TableKind.TIE_BREAK:
            stages.setdefault((place.decides, place.stage), []).append(place.entry)
    checks = [
        _check_lot(
            one,
            play.tie_break_label(tournament, one.number, decides, stage),
            among=entries,
            outcome=entries,
            is_lot=False,
        )
        for (decides, stage), entries in stages.items()
    ]
    checks += [
        _check_lot(one, lot.label, among=lot.among, outcome=lot.drawn, is_lot=True) for lot in lots
    ]
    return tuple(checks)


def _check_lot(
    one: Round, label: str, *, among: Sequence[int], outcome: Sequence[int], is_lot: bool
) -> LotCheck:
    """Whether the outcome is how the order begins that the secret gives."""
    numbers, secret = tuple(sorted(among)), bytes.fromhex(one.lot_secret)
    if play.commitment_of(secret) != one.lot_commitment:
        return LotCheck(label, is_lot, numbers, (), Verdict.WRONG_SECRET)
    order = play.drawn_order(numbers, secret, label)[: len(outcome)]
    fits = order == tuple(outcome)
    return LotCheck(label, is_lot, numbers, order, Verdict.MATCHES if fits else Verdict.WRONG_ORDER)
