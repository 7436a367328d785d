"""Bots at the table: they play through the same door as everybody else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from tables import store
from tables.models import Deal, Match
from tables.rules.bots import Chance, Strength, choose, seat_to_move
from tables.rules.commands import SeatCommand
from tables.rules.deal import legal_commands
from tables.rules.state import DealState
from tables.rules.visibility import view_of
from tables.services.matches import Dealt
from tables.services.play import play


def bot_move(state: DealState, seat: int, strength: Strength, chance: Chance) -> SeatCommand:
    """What the bot of a seat wants to do; it sees its own view of the deal only."""
    view = view_of(state, seat)
    return choose(view, legal_commands(view, seat), strength=strength, chance=chance)


def play_deal_with_bots(
    *, deal: Deal, state: DealState, chance: Chance, moments: Iterator[datetime]
) -> tuple[int, DealState]:
    """Play a deal to its end where every seat has a bot: the number of commands, the last state.

    Each command takes its time from `moments` and its id from the version it answers.
    """
    strengths = bots_of(deal.match)
    commands = 0
    while (seat := seat_to_move(state)) is not None:
        command = bot_move(state, seat, strengths[seat], chance)
        command_id = f"bot:{state.version}"
        played = play(deal_id=deal.pk, command=command, command_id=command_id, now=next(moments))
        state = played.state or store.load(Deal.objects.get(pk=deal.pk))
        commands += 1
    return commands, state


def deal_being_played(match_id: int) -> Dealt | None:
    """The deal that a match is in the middle of, as it stands; None between two deals."""
    deal = Deal.objects.select_related("match").filter(match=match_id, over_at=None).first()
    return None if deal is None else Dealt(deal, store.load(deal))


def bots_of(match: Match) -> dict[int, Strength]:
    """The strengths of a match's bots by seat; seats of people are left out."""
    seats = match.seats.exclude(bot="").values_list("number", "bot")
    return {number: Strength(bot) for number, bot in seats}
