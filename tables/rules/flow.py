"""The course of a deal: whose turn it is, who goes out, when everybody declares, how it ends."""

from __future__ import annotations

from tables.rules import events as ev
from tables.rules.counting import cost_of_going, result_of
from tables.rules.state import DealState, Phase, SeatState
from tables.rules.steps import Steps


def start_turn(steps: Steps, seat: int) -> None:
    """Give the turn to a seat, or end the deal if a limit is reached (rule 5.10).

    Seats that are on auto drop, or absent where auto play never began, drop here (5.12, 5.13).
    """
    limit = _limit_reached(steps.state, seat, steps.now)
    if limit is not None:
        open_show_at_limit(steps, limit)
        return
    me = steps.state.seat_state(seat)
    cause = drops_at_first_turn(steps.state, me)
    if cause is not None:
        go_out(steps, me, cause)
        if not steps.state.is_over:
            start_turn(steps, next_seat(steps.state, seat))
        return
    steps.emit(ev.TurnStarted(at=steps.now, seat=seat, until=_turn_until(steps, me)))


def _limit_reached(state: DealState, seat: int, now: int) -> ev.Limit | None:
    if state.seat_state(seat).turns >= state.terms.profile.max_moves:
        return ev.Limit.MOVES
    if state.time_limit is not None and now >= state.time_limit:
        return ev.Limit.TIME
    if not state.closed and len(state.open) <= 1:
        return ev.Limit.NO_CARDS
    return None


def drops_at_first_turn(state: DealState, me: SeatState) -> ev.Cause | None:
    if me.drew or not state.terms.has_drop:
        return None
    if me.drops_at_once and me.turns == 0:
        return ev.Cause.AUTO_DROP
    if state.is_auto_played(me):
        return ev.Cause.OFFLINE
    return None


def _turn_until(steps: Steps, me: SeatState) -> int:
    if steps.state.is_auto_played(me):
        return steps.now + auto_move_ms(steps.state)
    return steps.now + 1000 * steps.state.terms.clock.turn_seconds + me.extra_ms


def auto_move_ms(state: DealState) -> int:
    """The pause before a move made for an absent player."""
    return 1000 * state.terms.clock.auto_move_seconds


def next_seat(state: DealState, seat: int) -> int:
    """The next player still in, in order of play."""
    order = [s.seat for s in state.seats]
    place = order.index(seat)
    for other in (*state.seats[place + 1 :], *state.seats[:place]):
        if other.is_in:
            return other.seat
    return seat


def go_out(steps: Steps, me: SeatState, cause: ev.Cause) -> None:
    """Take a player out with what his way of going out costs; the last one left wins (5.9)."""
    outcome, points = cost_of_going(steps.state, me, cause)
    steps.emit(
        ev.PlayerWentOut(at=steps.now, seat=me.seat, outcome=outcome, points=points, cause=cause)
    )
    left = steps.state.still_in
    if len(left) == 1:
        end_deal(steps, left[0].seat, ev.EndReason.LAST_PLAYER)


def play_on(steps: Steps, seat: int) -> None:
    """Pass the turn on if the deal still lives and the turn was this seat's."""
    if not steps.state.is_over and steps.state.turn == seat:
        start_turn(steps, next_seat(steps.state, seat))


def return_drawn_card(steps: Steps, seat: int) -> None:
    """Discard the drawn card for a player who holds one card too many (rule 5.7)."""
    state = steps.state
    if state.turn == seat and state.phase is Phase.DISCARD and state.drawn is not None:
        steps.emit(ev.CardDiscarded(at=steps.now, seat=seat, card=state.drawn, forced=True))


def open_show(steps: Steps) -> None:
    """Everybody still to declare gets the time to declare and his own extra time.

    Who is on auto drop and has had no turn yet gets his first drop (rule 5.13).
    """
    for me in steps.state.still_in:
        if drops_at_first_turn(steps.state, me) is ev.Cause.AUTO_DROP:
            go_out(steps, me, ev.Cause.AUTO_DROP)
        if steps.state.is_over:
            return
    base = steps.now + 1000 * steps.state.terms.clock.declare_seconds
    waiting = [s for s in steps.state.still_in if s.declared_by is None]
    until = tuple((s.seat, base + s.extra_ms) for s in waiting)
    steps.emit(ev.ShowOpened(at=steps.now, until=until))


def open_show_at_limit(steps: Steps, limit: ev.Limit) -> None:
    """Everybody still in declares; nobody has finished (rule 5.10)."""
    steps.emit(ev.LimitReached(at=steps.now, limit=limit))
    open_show(steps)


def end_deal(steps: Steps, winner: int, reason: ev.EndReason) -> None:
    """Count every hand and lay everything open."""
    state = steps.state
    steps.emit(
        ev.DealEnded(
            at=steps.now,
            result=result_of(state, winner),
            reason=reason,
            revealed=tuple(
                ev.Revealed(s.seat, s.hand, s.arranged, s.declared) for s in state.seats
            ),
            closed=state.closed,
            secret=state.secret,
        )
    )
