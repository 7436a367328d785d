"""Bots: players that see what a seat sees and answer with one of its legal commands.

They fill practice tables, stand in for the absent and play whole simulated tournaments. A bot has
a strength, keeps nothing between two questions, and takes chance as an argument.
"""

from tables.rules.bots.chance import Chance
from tables.rules.bots.choosing import Strength, choose
from tables.rules.bots.playing import play_deal, seat_to_move, steps_of

__all__ = ["Chance", "Strength", "choose", "play_deal", "seat_to_move", "steps_of"]
