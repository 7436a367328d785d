"""Decisions: which events a command brings about, or why it is refused.

`open_deal` deals the cards. `decide` looks the command up in a table phase × command (`MOVES`); a
missing key is an illegal move with a code of its own (`REFUSALS`). The handlers live in `turns` (a
turn's moves, going out, the clock) and `showing` (finish, declarations, points). No clock and no
chance here: `now` is milliseconds since 1970 in UTC, the secret comes with the deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from tables.rules import commands as cm
from tables.rules import events as ev
from tables.rules import flow, showing, turns
from tables.rules.cards import HAND_SIZE, Card
from tables.rules.errors import Code, RuleViolation
from tables.rules.evolve import evolve, opened, replay
from tables.rules.shoe import MAX_NONCE_LENGTH, commitment_of, new_shoe, shuffled, toss
from tables.rules.state import DealState, Phase
from tables.rules.steps import Handler, Steps
from tables.rules.terms import DealTerms

__all__ = [
    "MOVES",
    "DealSpec",
    "advance",
    "decide",
    "evolve",
    "legal_commands",
    "open_deal",
    "refusal_code",
    "replay",
    "shoe_order",
]


class DealSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What is needed to deal.

    `seats` are in clockwise order; `dealer` plays last, None asks for a toss. `secret` is 32
    bytes. `nonces` are the players' own contributions to the shuffle, in the order of `seats`.
    """

    deal_id: str
    terms: DealTerms
    seats: tuple[int, ...]
    dealer: int | None
    secret: bytes
    nonces: tuple[str, ...] = ()
    no_drop: tuple[int, ...] = ()
    """Seats that may not drop because the format leaves them no drop."""
    auto_drop: tuple[int, ...] = ()
    offline: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.terms.profile.shoe_for(len(self.seats))
        if len(set(self.seats)) != len(self.seats):
            raise RuleViolation(Code.BAD_SEATS, "A seat plays once.", field="seats")
        if self.dealer is not None and self.dealer not in self.seats:
            raise RuleViolation(Code.BAD_SEATS, "The dealer sits at the table.", field="dealer")
        if len(self.nonces) > len(self.seats) or not all(map(_is_nonce, self.nonces)):
            raise RuleViolation(
                Code.BAD_OPTION,
                f"A nonce a player, of at most {MAX_NONCE_LENGTH} printable characters.",
                field="nonces",
            )


def _is_nonce(text: str) -> bool:
    """Short, and printable: a lone surrogate could not be hashed or stored."""
    return len(text) <= MAX_NONCE_LENGTH and text.isprintable()


def open_deal(spec: DealSpec, now: int) -> tuple[ev.Event, ...]:
    """The events that deal the cards and start the first turn (rules 5.1 and 5.2).

    Seats on auto drop are dropped at once; with everybody on it the last in turn wins.
    """
    profile = spec.terms.profile
    first = ev.DealOpened(
        at=now,
        deal_id=spec.deal_id,
        terms=spec.terms,
        order=_order_of_play(spec),
        commitment=commitment_of(spec.secret),
        secret=spec.secret.hex(),
        nonces=spec.nonces,
        no_drop=spec.no_drop,
        auto_drop=spec.auto_drop,
        offline=spec.offline,
    )
    steps = Steps(opened(first), now)
    steps.events.append(first)
    if spec.dealer is None:
        packs = profile.shoe_for(len(spec.seats)).packs
        steps.emit(
            ev.TossMade(
                at=now, toss=toss(spec.seats, packs, spec.secret, spec.deal_id, *spec.nonces)
            )
        )
    cards = shoe_order(spec.terms, len(spec.seats), spec.secret, spec.deal_id, spec.nonces)
    steps.emit(_dealt(cards, [seat.seat for seat in steps.state.seats], now))
    flow.start_turn(steps, steps.state.seats[0].seat)
    return tuple(steps.events)


def _order_of_play(spec: DealSpec) -> tuple[int, ...]:
    if spec.dealer is None:
        return spec.seats
    after = spec.seats.index(spec.dealer) + 1
    return spec.seats[after:] + spec.seats[:after]


def shoe_order(
    terms: DealTerms, players: int, secret: bytes, deal_id: str, nonces: Sequence[str]
) -> tuple[Card, ...]:
    """The shoe as it is dealt, first card first; anybody can compute it from the secret."""
    return shuffled(new_shoe(terms.profile.shoe_for(players)), secret, "shoe", deal_id, *nonces)


def _dealt(cards: tuple[Card, ...], order: Sequence[int], now: int) -> ev.CardsDealt:
    players = len(order)
    dealt = HAND_SIZE * players
    return ev.CardsDealt(
        at=now,
        hands=tuple((seat, cards[place:dealt:players]) for place, seat in enumerate(order)),
        wild_card=cards[dealt],
        open_card=cards[dealt + 1],
        closed=cards[dealt + 2 :],
    )


_IN_PLAY: Final = (Phase.DRAW, Phase.DISCARD, Phase.FINISH, Phase.SHOW)

MOVES: Final[dict[tuple[Phase, type[cm.Command]], Handler]] = {
    (Phase.DRAW, cm.DrawClosed): turns.draw_closed,
    (Phase.DRAW, cm.DrawOpen): turns.draw_open,
    (Phase.DRAW, cm.Drop): turns.drop,
    (Phase.DRAW, cm.Leave): turns.leave,
    (Phase.DRAW, cm.Expire): turns.expire,
    (Phase.DISCARD, cm.Discard): turns.discard,
    (Phase.DISCARD, cm.Finish): showing.finish,
    (Phase.DISCARD, cm.Leave): turns.leave,
    (Phase.DISCARD, cm.Expire): turns.expire,
    (Phase.FINISH, cm.Declare): showing.declare_finish,
    (Phase.FINISH, cm.Leave): showing.leave,
    (Phase.FINISH, cm.Expire): showing.expire,
    (Phase.SHOW, cm.Declare): showing.declare_show,
    (Phase.SHOW, cm.Leave): showing.leave,
    (Phase.SHOW, cm.Expire): showing.expire,
    **{(phase, cm.Arrange): showing.arrange for phase in _IN_PLAY},
    **{(phase, cm.SetAutoDrop): turns.set_auto_drop for phase in _IN_PLAY},
    **{(phase, cm.GoOffline): turns.go_offline for phase in _IN_PLAY},
    **{(phase, cm.ComeBack): turns.come_back for phase in _IN_PLAY},
    **{(phase, cm.ShiftClock): turns.shift_clock for phase in _IN_PLAY},
}

REFUSALS: Final[dict[tuple[Phase, type[cm.Command]], tuple[Code, str]]] = {
    **{
        (Phase.DRAW, move): (Code.DRAW_FIRST, "Draw a card from the closed or open deck first.")
        for move in (cm.Discard, cm.Finish)
    },
    **{
        (Phase.DISCARD, move): (
            Code.ALREADY_DRAWN,
            "You have drawn already; discard a card or finish.",
        )
        for move in (cm.DrawClosed, cm.DrawOpen, cm.Drop)
    },
    **{
        (phase, cm.Declare): (Code.NOT_DECLARING, "Put a card into the finish slot first.")
        for phase in (Phase.DRAW, Phase.DISCARD)
    },
    **{
        (phase, move): (Code.NOT_YOUR_TURN, "The hands are being declared; nobody draws now.")
        for phase in (Phase.FINISH, Phase.SHOW)
        for move in (cm.DrawClosed, cm.DrawOpen, cm.Discard, cm.Finish, cm.Drop)
    },
}
_OVER: Final = (Code.DEAL_OVER, "This deal is over; wait for the next one.")
# Whose turn it is decides before what may be done in it.
_TURN_MOVES: Final = frozenset({cm.DrawClosed, cm.DrawOpen, cm.Discard, cm.Finish, cm.Drop})


def refusal_code(phase: Phase, command: type[cm.Command]) -> Code | None:
    """Why a phase refuses a kind of command from whoever is to move; None if it does not."""
    if (phase, command) in MOVES:
        return None
    return REFUSALS.get((phase, command), _OVER)[0]


def advance(
    state: DealState, command: cm.Command, now: int
) -> tuple[tuple[ev.Event, ...], DealState]:
    """The events of a command and the state after them; raises `RuleViolation`."""
    handler = MOVES.get((state.phase, type(command)))
    if not isinstance(command, cm.Expire | cm.ShiftClock):
        _check_seat(state, command)
    if handler is None:
        code, sentence = REFUSALS.get((state.phase, type(command)), _OVER)
        raise RuleViolation(code, sentence)
    steps = Steps(state, now)
    handler(steps, command)
    return tuple(steps.events), steps.state


def _check_seat(state: DealState, command: cm.SeatCommand) -> None:
    seat = state.seat_state(command.seat)
    if state.phase not in (Phase.DRAW, Phase.DISCARD) or type(command) not in _TURN_MOVES:
        return
    if not seat.is_in:
        raise RuleViolation(Code.OUT_OF_DEAL, "You are out of this deal; wait for the next one.")
    if state.turn != command.seat:
        raise RuleViolation(
            Code.NOT_YOUR_TURN, f"It is seat {state.turn}'s turn; wait for yours.", field="seat"
        )


def decide(state: DealState, command: cm.Command, now: int) -> tuple[ev.Event, ...]:
    """What a command brings about at `now` (ms). Raises `RuleViolation`; nothing changes then."""
    return advance(state, command, now)[0]


def legal_commands(state: DealState, seat: int) -> tuple[cm.SeatCommand, ...]:
    """Every command of this seat that `decide` would accept, on the state or a viewer's view.

    `Declare` and `Arrange` stand for any grouping of the hand: each appears once, with no groups.
    """
    me = state.seat_state(seat)
    if state.phase not in _IN_PLAY:
        return ()
    legal = turns.legal_presence(state, me)
    if me.is_in:
        legal += turns.legal(state, me) + showing.legal(state, me)
    return tuple(legal)
