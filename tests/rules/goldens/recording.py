"""Recorded deals: which there are, who plays them, and how they are written down.

A recording is a text of JSON lines: the deal's specification, the events of the dealing, then each
command with its time, followed by the events it brought about. `record` lets a plain player make
all moves; `play_again` takes the commands from a recording. Both give the same text, or the engine
has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from tables.rules import commands as cm
from tables.rules.codec import encode_event
from tables.rules.deal import DealSpec, advance, legal_commands, open_deal, replay
from tables.rules.events import Event
from tables.rules.profiles import profile_named
from tables.rules.state import DealState, Phase
from tables.rules.terms import DealTerms
from tests.rules.goldens.plain_player import move_of

FOLDER: Final = Path(__file__).parent
T0: Final = 1_700_000_000_000

Incident = Callable[[DealState], cm.Command | None]
"""Something other than a plain move; None if it cannot happen now."""


class Golden(msgspec.Struct, frozen=True):
    """A deal to record: format terms, profile, players, and what happens before which command."""

    terms_name: str
    profile: str
    players: int

    @property
    def path(self) -> Path:
        """Where the recording lies."""
        return FOLDER / f"{self.terms_name}-{self.players}-players.jsonl"

    @property
    def spec(self) -> DealSpec:
        """What is dealt: by a toss among more than two, the first seat deals to one opponent."""
        first, middle = DROPS[self.terms_name]
        name = self.path.stem
        return DealSpec(
            deal_id=name,
            terms=DealTerms(
                profile=profile_named(self.profile), first_drop=first, middle_drop=middle
            ),
            seats=tuple(range(1, self.players + 1)),
            dealer=1 if self.players == 2 else None,
            secret=name.encode().ljust(32, b".")[:32],
            nonces=tuple(f"nonce {seat}" for seat in range(1, self.players + 1)),
            auto_drop=(3,) if self.players == 6 and first is not None else (),
        )


DROPS: Final[dict[str, tuple[int | None, int | None]]] = {
    "points": (20, 40),
    "pool101": (20, 40),
    "pool201": (25, 50),
    "deals": (None, None),
    "knockout": (None, None),
    "octro-points": (20, 40),
}
GOLDENS: Final = (
    *(Golden("points", "g24_points", players) for players in (2, 4, 6)),
    *(Golden("pool101", "rummycircle", players) for players in (2, 4, 6)),
    *(Golden("pool201", "g24_pool", players) for players in (2, 4, 6)),
    *(Golden("deals", "classic_rummy", players) for players in (2, 4, 6)),
    Golden("knockout", "g24_knockout", 2),
    Golden("octro-points", "octro", 4),
)


def _blunder(state: DealState) -> cm.Command | None:
    """Whoever is to discard finishes instead, though his hand is not complete."""
    if state.phase is not Phase.DISCARD or state.turn is None:
        return None
    return cm.Finish(state.turn, state.seat_state(state.turn).hand[0])


def _if_legal(command: cm.SeatCommand) -> Incident:
    return lambda state: command if command in legal_commands(state, command.seat) else None


INCIDENTS: Final[dict[int, dict[int, Incident]]] = {
    2: {5: _if_legal(cm.GoOffline(2)), 9: _if_legal(cm.ComeBack(2))},
    4: {
        7: _if_legal(cm.GoOffline(2)),
        19: _blunder,
        22: _if_legal(cm.ComeBack(2)),
        23: _if_legal(cm.SetAutoDrop(1, True)),
    },
    6: {8: _if_legal(cm.Leave(5)), 16: _if_legal(cm.GoOffline(2)), 25: _blunder},
}
"""By number of players, what happens before which command."""


def record(golden: Golden) -> str:
    """The recording of a deal played by `move_of`, slow now and then, with its incidents."""
    incidents = INCIDENTS[golden.players]

    def moves() -> Iterator[tuple[int, cm.Command]]:
        now, number = T0, 0
        while not deal.state.is_over:
            now += 1000 * (33 if number % 17 == 11 else 2 + number % 4)
            incident = incidents.get(number)
            command = incident(deal.state) if incident else None
            deadline = deal.state.deadline
            if deadline is not None and deadline <= now:
                now, command = deadline, cm.Expire()
            yield now, command or move_of(deal.state)
            number += 1

    deal = _Recording(golden.spec)
    return deal.text(moves())


def play_again(recording: str) -> str:
    """The same recording with its commands given to the engine anew."""
    first, *lines = map(msgspec.json.decode, recording.splitlines())
    commands = (
        (line["now"], msgspec.convert(line["command"], cm.Command))
        for line in lines
        if "command" in line
    )
    return _Recording(msgspec.convert(first["deal"], DealSpec)).text(commands)


class _Recording:
    """A deal being written down."""

    def __init__(self, spec: DealSpec) -> None:
        self.spec = spec
        self.dealt = open_deal(spec, T0)
        self.state = replay(self.dealt)

    def text(self, commands: Iterable[tuple[int, cm.Command]]) -> str:
        """All lines of the recording."""
        return "".join(f"{line}\n" for line in self._lines(commands))

    def _lines(self, commands: Iterable[tuple[int, cm.Command]]) -> Iterator[str]:
        yield _json({"deal": self.spec})
        yield from map(_event_line, self.dealt)
        for now, command in commands:
            events, self.state = advance(self.state, command, now)
            yield _json({"now": now, "command": command})
            yield from map(_event_line, events)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _event_line(event: Event) -> str:
    return f'{{"event":{encode_event(event)}}}'
