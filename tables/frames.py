"""The frames of a table's socket: what a client may send, what the server answers.

JSON objects with a `type`. What comes in is decoded strictly: an unknown type or field, a wrong
type or an over-long text is refused before anything looks at it. docs/protocol.md shows an example
of each; `manage.py protocol_schema` writes the JSON schema from these types.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec

from tables.rules.commands import (
    Arrange,
    ComeBack,
    Declare,
    Discard,
    DrawClosed,
    DrawOpen,
    Drop,
    Finish,
    Leave,
    SeatCommand,
    SetAutoDrop,
)
from tables.rules.errors import Code, RuleViolation
from tables.rules.events import Event
from tables.rules.formats.base import (
    Entry,
    PlayerLeft,
    RejoinAnswered,
    SplitAnswered,
    SplitOffered,
)
from tables.rules.state import DealState

MAX_FRAME_BYTES: Final = 8_192
MAX_CHAT: Final = 200

FrameId = Annotated[str, msgspec.Meta(max_length=60, pattern=r"^[!-~]+(?!\n)$")]
"""The client's own name for a command, in printable ASCII; the same one acts once."""
DealName = Annotated[str, msgspec.Meta(max_length=24)]
CardText = Annotated[str, msgspec.Meta(min_length=2, max_length=2)]
GroupsText = Annotated[
    tuple[Annotated[tuple[CardText, ...], msgspec.Meta(min_length=1, max_length=13)], ...],
    msgspec.Meta(max_length=13),
]
Version = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class _In(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A frame from a client."""


class Hello(_In, frozen=True, tag="hello"):
    """I am here and have this much of this deal; nothing yet without a deal."""

    deal: DealName = ""
    version: Version = 0


class _Command(_In, frozen=True, kw_only=True):
    id: FrameId
    seen: Version
    """The version the client had when it decided."""
    deal: DealName = ""
    """The deal in which it decided; in no other is the command played."""


class DrawClosedFrame(_Command, frozen=True, tag="draw_closed"):
    """Draw from the closed deck."""


class DrawOpenFrame(_Command, frozen=True, tag="draw_open"):
    """Take the top open card."""


class DiscardFrame(_Command, frozen=True, tag="discard"):
    """Discard a card."""

    card: CardText


class FinishFrame(_Command, frozen=True, tag="finish"):
    """Put a card into the finish slot."""

    card: CardText


class DeclareFrame(_Command, frozen=True, tag="declare"):
    """Declare the hand in groups."""

    groups: GroupsText


class ArrangeFrame(_Command, frozen=True, tag="arrange"):
    """Save a grouping."""

    groups: GroupsText


class DropFrame(_Command, frozen=True, tag="drop"):
    """Drop out of the deal."""


class AutoDropFrame(_Command, frozen=True, tag="auto_drop"):
    """Switch auto drop on or off."""

    on: bool


class BackFrame(_Command, frozen=True, tag="back"):
    """I'm back: end auto play and auto drop."""


class LeaveFrame(_Command, frozen=True, tag="leave"):
    """Leave the table for good."""


class RejoinFrame(_In, frozen=True, tag="rejoin"):
    """Answer whether to buy in again."""

    yes: bool


class OfferSplitFrame(_In, frozen=True, tag="offer_split"):
    """Offer to split the prize pool."""


class AnswerSplitFrame(_In, frozen=True, tag="answer_split"):
    """Accept or refuse the open offer."""

    accepts: bool


class ChatFrame(_In, frozen=True, tag="chat"):
    """Say something."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_CHAT)]


class NonceFrame(_In, frozen=True, tag="nonce"):
    """My part in the next deal's shuffle."""

    text: Annotated[str, msgspec.Meta(max_length=64)]


CommandFrame = (
    DrawClosedFrame
    | DrawOpenFrame
    | DiscardFrame
    | FinishFrame
    | DeclareFrame
    | ArrangeFrame
    | DropFrame
    | AutoDropFrame
    | BackFrame
    | LeaveFrame
)
AnswerFrame = RejoinFrame | OfferSplitFrame | AnswerSplitFrame
InFrame = Hello | CommandFrame | AnswerFrame | ChatFrame | NonceFrame

_decoder: Final[msgspec.json.Decoder[InFrame]] = msgspec.json.Decoder(InFrame, strict=True)


def read_frame(data: str | bytes) -> InFrame:
    """The frame a client sent. Raises `RuleViolation(BAD_FRAME)`."""
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as fault:
        raise RuleViolation(Code.BAD_FRAME, f"This frame cannot be read: {fault}.") from fault


def command_of(frame: CommandFrame, seat: int) -> SeatCommand:
    """The command that a frame means, for the sender's own seat and no other."""
    match frame:
        case DrawClosedFrame():
            return DrawClosed(seat)
        case DrawOpenFrame():
            return DrawOpen(seat)
        case DiscardFrame(card=card):
            return Discard(seat, card)
        case FinishFrame(card=card):
            return Finish(seat, card)
        case DeclareFrame(groups=groups):
            return Declare(seat, groups)
        case ArrangeFrame(groups=groups):
            return Arrange(seat, groups)
        case DropFrame():
            return Drop(seat)
        case AutoDropFrame(on=on):
            return SetAutoDrop(seat, on)
        case BackFrame():
            return ComeBack(seat)
        case LeaveFrame():
            return Leave(seat)


def entry_of(frame: AnswerFrame | LeaveFrame, seat: int) -> Entry:
    """The match's entry that an answer between two deals means."""
    match frame:
        case RejoinFrame(yes=yes):
            return RejoinAnswered(seat, yes)
        case OfferSplitFrame():
            return SplitOffered(seat)
        case AnswerSplitFrame(accepts=accepts):
            return SplitAnswered(seat, accepts)
        case LeaveFrame():
            return PlayerLeft(seat)


# What the server sends.


class _Out(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A frame to a client."""


class Ending(msgspec.Struct, frozen=True):
    """Whose time runs, and how many milliseconds are left of it.

    `extra_ms` of `left_ms` are extra time; a player whose `left_ms` is below it is using it up.
    """

    seat: int
    left_ms: int
    extra_ms: int


class ClockOut(_Out, frozen=True, tag="clock"):
    """The running times, measured at `server_ms`."""

    server_ms: int
    ends: tuple[Ending, ...]
    paused: bool = False
    """Whether they stand still."""


class PlayerOut(msgspec.Struct, frozen=True):
    """Somebody at the table."""

    seat: int
    name: str
    online: bool
    is_bot: bool


class ScoreOut(msgspec.Struct, frozen=True):
    """One line of the scoreboard."""

    seat: int
    place: int
    score: int
    still_in: bool
    drops_left: int | None


class ScoreboardOut(_Out, frozen=True, kw_only=True, tag="scoreboard"):
    """The match between deals: standings, the last deals' points, and what is awaited."""

    entries: int
    """Length of the match's log, by which a newer scoreboard is known."""
    status: str
    paused: bool
    """Whether all clocks stand still, and nothing can be played or answered."""
    due_in_ms: int | None
    players: tuple[PlayerOut, ...]
    lines: tuple[ScoreOut, ...]
    deals: tuple[tuple[tuple[int, int], ...], ...]
    """The last deals, each as pairs of seat and points."""
    step: Any
    """What the match wants next, as rules 6 call it."""
    next_commitment: str
    """SHA-256 of the secret that the next deal will be shuffled with."""


class ChatOut(_Out, frozen=True, kw_only=True, tag="chat"):
    """Something said at the table."""

    seat: int
    name: str
    text: str
    at_ms: int


class SnapshotOut(_Out, frozen=True, kw_only=True, tag="snapshot"):
    """Everything this viewer may know. `state` is the deal as he sees it, None without one."""

    table: str
    seat: int | None
    deal: str
    version: int
    state: DealState | None
    legal: tuple[SeatCommand, ...]
    """Commands this seat could send now; a grouping stands for any."""
    clock: ClockOut
    scoreboard: ScoreboardOut
    chat: tuple[ChatOut, ...]


class EventsOut(_Out, frozen=True, kw_only=True, tag="events"):
    """What has happened, in order; `version` is the deal's after the last of them."""

    deal: str
    version: int
    events: tuple[Event, ...]
    legal: tuple[SeatCommand, ...]
    clock: ClockOut


class DoneOut(_Out, frozen=True, kw_only=True, tag="done"):
    """The command with this id has been played; its events end at `version`."""

    id: str
    version: int
    repeated: bool


class RefusedOut(_Out, frozen=True, kw_only=True, tag="refused"):
    """The command or frame was refused and nothing has changed."""

    id: str | None
    code: str
    sentence: str
    field: str | None
    snapshot: SnapshotOut | None = None
    """Where the client was behind."""


OutFrame = SnapshotOut | EventsOut | DoneOut | RefusedOut | ClockOut | ScoreboardOut | ChatOut

encoder: Final = msgspec.json.Encoder()


def write_frame(frame: OutFrame) -> str:
    """A frame as JSON."""
    return encoder.encode(frame).decode()
