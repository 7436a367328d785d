"""What has happened in a deal, in past tense. The list of these is the deal.

Every event carries `at`, milliseconds since 1970 in UTC, given by the caller. Card data hidden from
a viewer is replaced by `visibility.redact`: `??` for a card, empty for groups and secrets.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from tables.rules.cards import Card
from tables.rules.commands import Groups
from tables.rules.results import DealResult, Outcome
from tables.rules.shoe import Toss
from tables.rules.terms import DealTerms


class Deck(StrEnum):
    """Where a card was drawn from."""

    CLOSED = "closed"
    OPEN = "open"


class Cause(StrEnum):
    """Why a player went out of the deal, or on what his declaration rests."""

    PLAYER = "player"
    AUTO_DROP = "auto_drop"
    OFFLINE = "offline"
    MISSED_TURNS = "missed_turns"
    LEFT = "left"
    DECLARATION = "declaration"
    TIME = "time"


class EndReason(StrEnum):
    """Why a deal ended."""

    DECLARED = "declared"
    LAST_PLAYER = "last_player"
    LIMIT = "limit"


class Limit(StrEnum):
    """The limit that made everybody declare (rule 5.10)."""

    MOVES = "moves"
    TIME = "time"
    NO_CARDS = "no_cards"


class Revealed(msgspec.Struct, frozen=True):
    """One player's cards laid open at the end."""

    seat: int
    hand: tuple[Card, ...]
    arranged: Groups
    declared: Groups | None


class _Event(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    at: int


class DealOpened(_Event, frozen=True, tag="deal_opened"):
    """The deal exists: who sits in which order of play, the terms and the committed secret."""

    deal_id: str
    terms: DealTerms
    order: tuple[int, ...]
    """Seats in order of play; the last one deals."""
    commitment: str
    secret: str
    """Hexadecimal; empty for every viewer until the end."""
    nonces: tuple[str, ...]
    no_drop: tuple[int, ...] = ()
    auto_drop: tuple[int, ...] = ()
    offline: tuple[int, ...] = ()


class TossMade(_Event, frozen=True, tag="toss_made"):
    """A card each decided the order of play."""

    toss: Toss


class CardsDealt(_Event, frozen=True, tag="cards_dealt"):
    """Thirteen cards each, one at a time; then the wild card, the first open card, the rest."""

    hands: tuple[tuple[int, tuple[Card, ...]], ...]
    """Each seat's cards, in order of play."""
    wild_card: Card
    open_card: Card
    closed: tuple[Card, ...]
    """Next card first."""


class TurnStarted(_Event, frozen=True, tag="turn_started"):
    """A seat is to move until `until`, the extra time it has left included."""

    seat: int
    until: int


class DeckReshuffled(_Event, frozen=True, tag="deck_reshuffled"):
    """All open cards but the top one became the closed deck (rule 5.5)."""

    closed: tuple[Card, ...]


class CardDrawn(_Event, frozen=True, tag="card_drawn"):
    """A seat took a card."""

    seat: int
    deck: Deck
    card: Card


class CardDiscarded(_Event, frozen=True, tag="card_discarded"):
    """A seat's card went to the open deck; `forced` if the clock did it."""

    seat: int
    card: Card
    forced: bool = False


class TurnMissed(_Event, frozen=True, tag="turn_missed"):
    """A turn was not completed in time."""

    seat: int


class PlayerWentOut(_Event, frozen=True, tag="player_went_out"):
    """A player is out of this deal with these points."""

    seat: int
    outcome: Outcome
    points: int
    cause: Cause


class CardFinished(_Event, frozen=True, tag="card_finished"):
    """The fourteenth card went to the finish slot; the finisher declares until `until`."""

    seat: int
    card: Card
    until: int


class HandArranged(_Event, frozen=True, tag="hand_arranged"):
    """A player saved his grouping."""

    seat: int
    groups: Groups


class HandDeclared(_Event, frozen=True, tag="hand_declared"):
    """A hand is declared in these groups; None counts the whole hand."""

    seat: int
    groups: Groups | None
    cause: Cause


class LimitReached(_Event, frozen=True, tag="limit_reached"):
    """The deal has gone on long enough; everybody still in declares."""

    limit: Limit


class ShowOpened(_Event, frozen=True, tag="show_opened"):
    """The named seats declare, each until its own time."""

    until: tuple[tuple[int, int], ...]


class AutoDropSet(_Event, frozen=True, tag="auto_drop_set"):
    """A player switched auto drop on or off."""

    seat: int
    on: bool


class PlayerWentOffline(_Event, frozen=True, tag="player_went_offline"):
    """A player's connection is gone."""

    seat: int


class PlayerCameBack(_Event, frozen=True, tag="player_came_back"):
    """A player is here again; `until` is new time if it is his turn on auto play."""

    seat: int
    until: int | None


class ClockShifted(_Event, frozen=True, tag="clock_shifted"):
    """Every running time ends later by this much; `at` is when play went on."""

    by_ms: int


class DealEnded(_Event, frozen=True, tag="deal_ended"):
    """The result, with everything that was hidden."""

    result: DealResult
    reason: EndReason
    revealed: tuple[Revealed, ...]
    closed: tuple[Card, ...]
    secret: str


class DealVoided(_Event, frozen=True, tag="deal_voided"):
    """Called off from outside: it counts for nothing. Everything that was hidden is shown."""

    revealed: tuple[Revealed, ...]
    closed: tuple[Card, ...]
    secret: str


Event = (
    DealOpened
    | TossMade
    | CardsDealt
    | TurnStarted
    | DeckReshuffled
    | CardDrawn
    | CardDiscarded
    | TurnMissed
    | PlayerWentOut
    | CardFinished
    | HandArranged
    | HandDeclared
    | LimitReached
    | ShowOpened
    | AutoDropSet
    | PlayerWentOffline
    | PlayerCameBack
    | ClockShifted
    | DealEnded
    | DealVoided
)
