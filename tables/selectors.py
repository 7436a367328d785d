"""Reading tables: what a match waits for, a deal's log, and whether a log is sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from tables import store
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, Match
from tables.rules import events as ev
from tables.rules.deal import shoe_order
from tables.rules.errors import RuleViolation
from tables.rules.evolve import evolve, opened
from tables.rules.formats import Match as Game
from tables.rules.shoe import commitment_of, new_shoe, toss
from tables.rules.state import DealState
from wording.typed import read_key

READ_AT_MOST: Final = 5
_FOLLOWS_THE_LOG: Final = ("version", "phase", "deadline_at", "result", "over_at")


def match_with_id(match_id: int) -> Match:
    """A match's row. Raises `TableRefusal(UNKNOWN_MATCH)`."""
    match = Match.objects.select_related("table").filter(pk=match_id).first()
    if match is None:
        raise TableRefusal(TableCode.UNKNOWN_MATCH, "There is no such match.", field="match_id")
    return match


def game_of(match_id: int) -> Game:
    """A match in its format, as its log makes it."""
    return store.load_game(match_with_id(match_id))


def games_of(match_ids: Sequence[int]) -> dict[int, Game]:
    """Several matches in their formats, by id. Two queries, however many."""
    return store.load_games(match_ids)


def players_of(match_id: int) -> dict[int, int]:
    """Players' ids by seat."""
    return dict(match_with_id(match_id).seats.values_list("number", "player_id"))


def deal_named(name: str) -> Deal:
    """A deal by its public id or number in the database. Raises `TableRefusal(UNKNOWN_DEAL)`."""
    deals = Deal.objects.select_related("match__table")
    deal = deals.filter(public_id=name).first()
    if deal is None:
        deal = deals.filter(pk=read_key(name) or 0).first()
    if deal is None:
        raise TableRefusal(TableCode.UNKNOWN_DEAL, f"There is no deal {name[:40]!r}.", field="deal")
    return deal


class DealCheck(NamedTuple):
    """A deal's log, the state it makes, and what is wrong with it, in sentences."""

    events: list[ev.Event]
    state: DealState | None
    faults: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        """Nothing was found."""
        return not self.faults


def check_deal(deal: Deal) -> DealCheck:
    """Replay a deal's log and compare it with the stored result and the committed shuffle.

    A deal being played may be checked: its row is brought up to the log that was read.
    """
    events: list[ev.Event] = []
    faults: list[str] = []
    state: DealState | None = None
    try:
        events = _whole_log(deal)
        state = _replayed(events, faults)
    except RuleViolation as fault:
        return DealCheck(events, None, (f"The log cannot be replayed: {fault}",))
    if state is None:
        return DealCheck(events, None, ("The log is empty.",))
    faults += _row_faults(deal, state)
    if state.is_over:
        faults += shuffle_faults(deal, events, state)
    return DealCheck(events, state, tuple(faults))


def _whole_log(deal: Deal) -> list[ev.Event]:
    """The log, and the row as it was with it: read again while somebody moves in between."""
    for _ in range(READ_AT_MOST):
        events, version = store.events_of(deal), deal.version
        if len(events) == version:
            break
        deal.refresh_from_db(fields=_FOLLOWS_THE_LOG)
        if deal.version == version:
            break
    return events


def _replayed(events: list[ev.Event], faults: list[str]) -> DealState | None:
    """The state after the log; notes every event after which a card is missing or doubled."""
    state: DealState | None = None
    shoe: Counter[str] = Counter()
    for number, event in enumerate(events, 1):
        if state is None:
            state = opened(event)
            terms, players = state.terms, len(state.seats)
            shoe = Counter(new_shoe(terms.profile.shoe_for(players)))
            continue
        state = evolve(state, event)
        if state.wild_card is not None and state.cards() != shoe:
            faults.append(f"After event {number} the cards are not those of the shoe.")
    return state


def _row_faults(deal: Deal, state: DealState) -> list[str]:
    faults = []
    if state.version != deal.version:
        faults.append(f"The log has {state.version} events, the deal says {deal.version}.")
    result = "" if state.result is None else msgspec.json.encode(state.result).decode()
    if result != deal.result:
        faults.append("The stored result is not the one that the log gives.")
    if state.phase != deal.phase:
        faults.append(f"The log ends in {state.phase}, the deal says {deal.phase}.")
    return faults


def shuffle_faults(deal: Deal, events: list[ev.Event], state: DealState) -> list[str]:
    """What does not fit between the commitment, the revealed secret and the cards dealt."""
    try:
        secret = bytes.fromhex(state.secret)
        fits = commitment_of(secret) == deal.commitment == state.commitment
    except (ValueError, RuleViolation):  # it is no secret at all
        fits = False
    if not fits:
        return ["The revealed secret is not the one that was committed to."]
    faults = []
    terms, players = state.terms, len(state.seats)
    order = shoe_order(terms, players, secret, state.deal_id, state.nonces)
    for event in events:
        if isinstance(event, ev.CardsDealt) and as_dealt(event) != order:
            faults.append("The cards were not dealt in the order that the secret gives.")
        if isinstance(event, ev.TossMade):
            packs = terms.profile.shoe_for(players).packs
            seats = [seat.seat for seat in opened(events[0]).seats]
            if event.toss != toss(seats, packs, secret, state.deal_id, *state.nonces):
                faults.append("The toss is not the one that the secret gives.")
    return faults


def as_dealt(event: ev.CardsDealt) -> tuple[str, ...]:
    """The shoe as it must have lain: hands one card at a time, wild card, open card, the rest."""
    rounds = zip(*(hand for _, hand in event.hands), strict=True)
    hands = [card for cards in rounds for card in cards]
    return (*hands, event.wild_card, event.open_card, *event.closed)
