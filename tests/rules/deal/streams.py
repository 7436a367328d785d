"""Random deals: a table with random terms, and random commands that get it into every phase.

All chance comes from the `Random` handed in, so one seed is one deal.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from tables.rules import commands as cm
from tables.rules.deal import legal_commands
from tables.rules.profiles import PROFILES
from tables.rules.state import DealState, Phase, SeatState
from tables.rules.terms import DealTerms
from tests.rules.deal.table import WIN, Table, cards, dealt, groups, opened, terms

WEIGHTS: Final[dict[type[cm.SeatCommand], int]] = {
    cm.DrawClosed: 30,
    cm.DrawOpen: 25,
    cm.Discard: 20,
    cm.Finish: 1,
    cm.Declare: 30,
    cm.Arrange: 3,
    cm.Drop: 2,
    cm.SetAutoDrop: 1,
    cm.GoOffline: 2,
    cm.ComeBack: 3,
    cm.Leave: 1,
}


def random_terms(chance: Random) -> DealTerms:
    """Any profile, with and without drops, sometimes with limits so low that they are reached."""
    name = chance.choice(sorted(PROFILES))
    drops = None if name == "g24_knockout" else chance.choice([(20, 40), (25, 50), None])
    changes: dict[str, Any] = {}
    if chance.random() < 0.3:
        changes["max_moves"] = chance.randint(1, 12)
    if chance.random() < 0.1:
        changes["max_deal_seconds"] = 60
    if name == "classic_rummy" and chance.random() < 0.3:
        changes["auto_play_turns"] = chance.randint(1, 3)
    return terms(name, drops=drops, **changes)


def random_table(chance: Random) -> Table:
    """A deal just begun: by the engine, or with one complete hand and a closed deck of any size."""
    deal_terms = random_terms(chance)
    players = chance.randint(2, deal_terms.profile.max_players)
    some = tuple(seat for seat in range(1, players + 1) if chance.random() < 0.2)
    if chance.random() < 0.5:
        return opened(
            players,
            deal_terms=deal_terms,
            secret=chance.randbytes(32),
            toss=chance.random() < 0.5,
            auto_drop=some if deal_terms.has_drop else (),
            offline=tuple(s for s in range(1, players + 1) if chance.random() < 0.2),
            no_drop=tuple(s for s in range(1, players + 1) if chance.random() < 0.1),
        )
    closed = chance.sample(cards("2C 3C 4C 5C 6C 7C 8C 7D 8D 9D"), chance.randint(1, 10))
    return dealt(
        WIN,
        players=players,
        deal_terms=deal_terms,
        closed=" ".join(closed),
        nothing_else=chance.random() < 0.5,
        auto_drop=tuple(seat for seat in some if seat > 1 and deal_terms.has_drop),
    )


def random_command(state: DealState, chance: Random) -> cm.SeatCommand:
    """A legal command, mostly of a seat whose turn or declaration is awaited."""
    seats = [seat.seat for seat in state.seats]
    awaited = [seat.seat for seat in state.to_declare] or [state.turn or seats[0]]
    legal = legal_commands(state, chance.choice(awaited if chance.random() < 0.8 else seats))
    if not legal:
        return random_command(state, chance)
    kinds = sorted({type(command) for command in legal}, key=lambda kind: kind.__name__)
    (kind,) = chance.choices(kinds, [WEIGHTS[kind] for kind in kinds])
    command = chance.choice([command for command in legal if type(command) is kind])
    if isinstance(command, (cm.Declare, cm.Arrange)):
        return type(command)(
            command.seat, random_groups(state.seat_state(command.seat), state.phase, chance)
        )
    return command


def random_groups(me: SeatState, phase: Phase, chance: Random) -> cm.Groups:
    """A grouping of the hand: the complete one if it is there, else any partition of some cards."""
    if sorted(me.hand) == sorted(cards(WIN)) and (phase is Phase.FINISH or chance.random() < 0.5):
        return groups(WIN)
    hand = chance.sample(me.hand, chance.randint(0, len(me.hand)))
    sizes = [chance.randint(3, 4) for _ in range(4)]
    parts = [tuple(hand[sum(sizes[:i]) : sum(sizes[: i + 1])]) for i in range(4)]
    return tuple(part for part in parts if part)


def play(table: Table, chance: Random, *, steps: int = 2_000) -> Iterator[cm.Command]:
    """Play on until the deal is over, and yield each command after it has happened."""
    for _ in range(steps):
        if table.state.is_over:
            return
        table.wait(chance.choice([0, 0.5, 3, 31]))
        deadline = table.state.deadline
        late = deadline is not None and deadline <= table.now
        command: cm.Command
        if late or chance.random() < 0.05:
            assert deadline is not None
            table.now = max(table.now, deadline)
            command = cm.Expire()
        elif chance.random() < 0.02:
            command = cm.ShiftClock(chance.randint(1, 60_000))
        else:
            command = random_command(table.state, chance)
        table.do(command)
        yield command
    raise AssertionError(f"{steps} commands and no end")
