"""Heads-up bracket: pairs, byes and the way to the final, for 2 to 16,384 entrants.

Entrants are *seeds* 1 to N, 1 the best or the first drawn. Rounds count from 1, the matches of a
round from 0; the winners of matches 2i and 2i + 1 meet in match i of the next round. Where N is no
power of two the top seeds have a *bye* in round 1: they go on without an opponent. So nobody has
two byes, and no bye meets a bye in round 1 (rule 7). A match can be played as soon as both its
players are known, whatever is still open elsewhere.

With a match for *third place* the two losers of the semi-finals meet once more: it is match 1 of
the last round, beside the final, which is match 0. It needs two semi-finals, so four entrants.

A bracket does not know points, nor draw lots: it is told who won.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import Final

import msgspec

from tournaments.structure.checks import whole
from tournaments.structure.errors import StructureCode, StructureError

MAX_BRACKET: Final = 2**14
MIN_FOR_THIRD_PLACE: Final = 4


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """One match. A seed of None is not known yet, or in a bye will never be there."""

    round: int
    match_index: int
    first: int | None
    second: int | None
    winner: int | None
    is_bye: bool
    is_third_place: bool = False

    @property
    def is_playable(self) -> bool:
        """Whether both are known and nobody has won yet."""
        return self.winner is None and self.first is not None and self.second is not None

    @property
    def loser(self) -> int | None:
        """Who went out here, None before it is decided and in a bye."""
        if self.winner is None:
            return None
        return self.second if self.winner == self.first else self.first


class Feed(msgspec.Struct, frozen=True):
    """Where a match's winner goes: first (`slot` 0) or second (1) of a match one round on."""

    round: int
    match_index: int
    slot: int


class Bracket(msgspec.Struct, frozen=True):
    """Who has won which match so far; `open_bracket` makes one, `advance` the next.

    `winners[r - 1][i]` is the winner of match i in round r, None while it is undecided. A match for
    third place makes a second one of the last round.
    """

    entrants: int
    winners: tuple[tuple[int | None, ...], ...]
    final_is_shared: bool = False

    @property
    def rounds(self) -> int:
        """Number of rounds, the final included."""
        return len(self.winners)

    @property
    def champion(self) -> int | None:
        """The winner of the final; None before it is decided, or where it is shared."""
        return self.winners[-1][0]

    @property
    def has_third_place(self) -> bool:
        """Whether the losing semi-finalists play for third place."""
        return len(self.winners[-1]) == 2

    @property
    def is_over(self) -> bool:
        """Whether the final is decided or shared, and third place too if it is played for."""
        finalists_done = self.champion is not None or self.final_is_shared
        return finalists_done and None not in self.winners[-1][1:]

    def pairing(self, round_number: int, match_index: int) -> Pairing:
        """One match as it stands; raises `StructureError(NO_SUCH_MATCH)`."""
        self._check_match(round_number, match_index)
        return self._pairing(round_number, match_index)

    def pairings(self, round_number: int) -> tuple[Pairing, ...]:
        """All matches of a round as they stand; raises `StructureError(NO_SUCH_MATCH)`."""
        self._check_match(round_number, 0)
        matches = range(len(self.winners[round_number - 1]))
        return tuple(self._pairing(round_number, index) for index in matches)

    def playable(self) -> tuple[Pairing, ...]:
        """The matches that can be played now, earlier rounds first; none once it is over."""
        every = chain.from_iterable(map(self.pairings, range(1, self.rounds + 1)))
        return tuple(
            pairing for pairing in every if pairing.is_playable and not self._is_shared(pairing)
        )

    def _is_shared(self, pairing: Pairing) -> bool:
        is_final = pairing.round == self.rounds and not pairing.is_third_place
        return self.final_is_shared and is_final

    def feed(self, round_number: int, match_index: int) -> Feed | None:
        """Where the winner goes, None from the last round's; raises `NO_SUCH_MATCH`."""
        self._check_match(round_number, match_index)
        if round_number == self.rounds:
            return None
        return Feed(round_number + 1, match_index // 2, match_index % 2)

    def advance(self, round_number: int, match_index: int, winner: int) -> Bracket:
        """The bracket after this match was won.

        Raises `StructureError`: `NO_SUCH_MATCH`, `MATCH_DECIDED`, `MATCH_NOT_READY` while an
        opponent is not known, `NOT_IN_MATCH`.
        """
        return self.advance_round(round_number, {match_index: winner})

    def advance_round(self, round_number: int, winners: Mapping[int, int]) -> Bracket:
        """The bracket after these matches of a round were won, by match. Raises as `advance`."""
        for match_index, winner in winners.items():
            self._check_open(round_number, match_index)
            pairing = self._pairing(round_number, match_index)
            if type(winner) is not int or winner not in (pairing.first, pairing.second):
                raise StructureError(
                    StructureCode.NOT_IN_MATCH,
                    f"{winner!r} does not play match {match_index} of round {round_number}.",
                    field="winner",
                )
        return self._with_winners(round_number, winners)

    def share_final(self) -> Bracket:
        """The bracket whose final ended tied: both finalists come first together.

        Raises `StructureError`: `MATCH_DECIDED`, or `MATCH_NOT_READY` while a finalist is missing.
        """
        self._check_open(self.rounds, 0)
        return msgspec.structs.replace(self, final_is_shared=True)

    def reopen(self, round_number: int, match_index: int) -> Bracket:
        """The bracket with this result taken back, and every result that was built on it.

        Raises `StructureError`: `NO_SUCH_MATCH`, or `MATCH_UNDECIDED` where there is no result
        to take back (a bye has none either).
        """
        pairing = self.pairing(round_number, match_index)
        if pairing.is_bye or (pairing.winner is None and not self._is_shared(pairing)):
            raise StructureError(
                StructureCode.MATCH_UNDECIDED,
                f"Match {match_index} of round {round_number} has no result to take back.",
                field="match_index",
            )
        if pairing.is_third_place:
            return self._with_winners(round_number, {match_index: None})
        bracket = msgspec.structs.replace(self, final_is_shared=False)
        for depth, later_round in enumerate(range(round_number, self.rounds + 1)):
            bracket = bracket._with_winners(later_round, {match_index >> depth: None})
        if self.has_third_place and round_number < self.rounds:
            bracket = bracket._with_winners(self.rounds, {1: None})
        return bracket

    def eliminated_in(self, round_number: int) -> tuple[int, ...]:
        """Seeds knocked out in a round, best seed first; raises `StructureError(NO_SUCH_MATCH)`.

        Who plays for third place was knocked out in the semi-final.
        """
        pairings = self.pairings(round_number)
        losers = (pairing.loser for pairing in pairings if not pairing.is_third_place)
        return tuple(sorted(loser for loser in losers if loser is not None))

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Seeds by how far they came, best first, those equally far together.

        Those still in come first; after the final that is the champion, or both who share it. The
        two losing semi-finalists are together on rank 3, unless they have played for it.
        """
        out = [self.eliminated_in(number) for number in range(self.rounds, 0, -1)]
        if self.has_third_place and self.winners[-1][1] is not None:
            third = self._pairing(self.rounds, 1)
            out[1:2] = [(third.winner or 0,), (third.loser or 0,)]
        gone = set(chain.from_iterable(out))
        still_in = tuple(seed for seed in range(1, self.entrants + 1) if seed not in gone)
        return (still_in, *(group for group in out if group))

    def _pairing(self, round_number: int, match_index: int) -> Pairing:
        third = False
        if round_number == 1:
            order = seed_order(2 * len(self.winners[0]))
            seeds = order[2 * match_index : 2 * match_index + 2]
            first, second = (seed if seed <= self.entrants else None for seed in seeds)
        elif third := self.has_third_place and (round_number, match_index) == (self.rounds, 1):
            first, second = (self._pairing(round_number - 1, index).loser for index in (0, 1))
        else:
            feeders = self.winners[round_number - 2]
            first, second = feeders[2 * match_index : 2 * match_index + 2]
        return Pairing(
            round=round_number,
            match_index=match_index,
            first=first,
            second=second,
            winner=self.winners[round_number - 1][match_index],
            is_bye=round_number == 1 and second is None,
            is_third_place=third,
        )

    def _with_winners(self, round_number: int, winners: Mapping[int, int | None]) -> Bracket:
        if not winners:
            return self
        changed = list(self.winners[round_number - 1])
        for match_index, winner in winners.items():
            changed[match_index] = winner
        before, after = self.winners[: round_number - 1], self.winners[round_number:]
        return msgspec.structs.replace(self, winners=(*before, tuple(changed), *after))

    def _check_match(self, round_number: int, match_index: int) -> None:
        whole_numbers = type(round_number) is int and type(match_index) is int
        matches = self._matches_in(round_number) if whole_numbers else 0
        if not 0 <= match_index < matches:
            raise StructureError(
                StructureCode.NO_SUCH_MATCH,
                f"There is no match {match_index!r} in a round {round_number!r}.",
                field="match_index",
            )

    def _matches_in(self, round_number: int) -> int:
        return len(self.winners[round_number - 1]) if 1 <= round_number <= self.rounds else 0

    def _check_open(self, round_number: int, match_index: int) -> None:
        pairing = self.pairing(round_number, match_index)
        if pairing.winner is not None or self._is_shared(pairing):
            raise StructureError(
                StructureCode.MATCH_DECIDED,
                "This match is decided; take its result back before you enter another.",
                field="match_index",
            )
        if not pairing.is_playable:
            raise StructureError(
                StructureCode.MATCH_NOT_READY,
                "This match waits for the winner of an earlier one.",
                field="match_index",
            )


def open_bracket(entrants: int, *, third_place: bool = False) -> Bracket:
    """A new bracket with its byes already through; raises `StructureError` unless 2 to 16,384.

    `third_place` adds a match between the losing semi-finalists, where there are two of them.
    """
    whole(entrants, "entrants", 2, MAX_BRACKET)
    size = 1 << (entrants - 1).bit_length()
    later = [(None,) * (size >> number) for number in range(2, size.bit_length())]
    if third_place and entrants >= MIN_FOR_THIRD_PLACE:
        later[-1] = (None, None)
    pairs = zip(*[iter(seed_order(size))] * 2, strict=True)
    byes = tuple(min(pair) if max(pair) > entrants else None for pair in pairs)
    return Bracket(entrants, (byes, *later))


@lru_cache(maxsize=16)
def seed_order(size: int) -> tuple[int, ...]:
    """Seeds in the order of their slots, so that the best two can meet in the final only.

    Each round's pairs add up to the same: 8 slots are 1 8 4 5 2 7 3 6. `size` is a power of two.
    """
    order = [1]
    while len(order) < size:
        pair_sum = 2 * len(order) + 1
        order = [seat for seed in order for seat in (seed, pair_sum - seed)]
    return tuple(order)
