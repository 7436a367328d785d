"""Events, commands and states as JSON and back, with the number of the schema they were written in.

Decoding is strict: an unknown kind, field or type is `RuleViolation(BAD_RECORD)`.
"""

from __future__ import annotations

from typing import Final, TypeVar

import msgspec

from tables.rules.commands import SeatCommand
from tables.rules.errors import Code, RuleViolation
from tables.rules.events import Event
from tables.rules.state import DealState

T = TypeVar("T")

SCHEMA: Final = 1
"""Raised whenever an event changes its shape; old logs are then read by an upgrade step."""

_encoder: Final = msgspec.json.Encoder()
_event_decoder: Final[msgspec.json.Decoder[Event]] = msgspec.json.Decoder(Event, strict=True)
_command_decoder: Final[msgspec.json.Decoder[SeatCommand]] = msgspec.json.Decoder(
    SeatCommand, strict=True
)


def encode_event(event: Event) -> str:
    """One event as a JSON object; its `kind` names it."""
    return _encoder.encode(event).decode()


def decode_event(text: str | bytes, schema: int = SCHEMA) -> Event:
    """The event written as `text` under `schema`. Raises `RuleViolation(BAD_RECORD)`."""
    if schema != SCHEMA:
        raise RuleViolation(
            Code.BAD_RECORD, f"Events of schema {schema} cannot be read here.", field="schema"
        )
    return _decoded(_event_decoder, text)


def encode_command(command: SeatCommand) -> str:
    """One command as a JSON object; its `do` names it."""
    return _encoder.encode(command).decode()


def decode_command(text: str | bytes) -> SeatCommand:
    """The command written as `text`. Raises `RuleViolation(BAD_RECORD)`."""
    return _decoded(_command_decoder, text)


def encode_state(state: DealState) -> str:
    """A state or view as JSON, for snapshots."""
    return _encoder.encode(state).decode()


def _decoded(decoder: msgspec.json.Decoder[T], text: str | bytes) -> T:
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise RuleViolation(Code.BAD_RECORD, f"This record cannot be read: {error}.") from error
