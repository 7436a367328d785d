"""What the figures and states of an audit are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import Payout, PayoutState
from tournaments.money.auditing import Figure
from tournaments.payout_audit.rules import Rule

_FIGURES: Final[Mapping[Figure, str | Promise]] = {
    Figure.ENTRIES: _("Entries"),
    Figure.REJOINS: _("Rejoins"),
    Figure.RE_ENTRIES: _("Re-entries"),
    Figure.REBUYS: _("Re-buys"),
    Figure.TOP_UP: _("Top-up to the guarantee"),
    Figure.REFUNDS: _("Refunds"),
    Figure.KEPT: _("Kept from refunds"),
    Figure.POOL: _("Prize pool"),
    Figure.FEE: _("Organiser's fee"),
    Figure.SET_ASIDE: _("Set aside, not taken yet"),
    Figure.PRIZES: _("Prizes paid"),
    Figure.TICKETS: _("Tickets"),
    Figure.SURPLUS: _("Left to the house"),
    Figure.OTHER: _("Fits no rule"),
}
_RULES: Final[Mapping[Rule, str | Promise]] = {
    Rule.SHARE: _("share"),
    Rule.REMAINDER: _("remainder"),
    Rule.TIE: _("tie"),
    Rule.SMALLER_MARGIN: _("smaller margin"),
    Rule.SPLIT: _("split"),
    Rule.TICKET: _("ticket"),
}
_STATES: Final[Mapping[str, tuple[str | Promise, str]]] = {
    PayoutState.AWAITING: (_("Held: waits for approval"), "held"),
    PayoutState.HELD: (_("Put back"), "bad"),
    PayoutState.APPROVED: (_("Approved"), "approved"),
    PayoutState.PAID: (_("Paid"), "paid"),
}


def figure_words(figure: Figure) -> str:
    """What a figure is called."""
    return str(_FIGURES[figure])


def state_of(state: str) -> tuple[str, str]:
    """How far a payout of this state is, and the name of its colour."""
    words, colour = _STATES.get(state, (_("Nothing to pay"), ""))
    return str(words), colour


def state_words(payout: Payout | None) -> tuple[str, str]:
    """How far a payout is, and the name of its colour."""
    return state_of("" if payout is None else payout.state)


def rule_words(rule: Rule) -> str:
    """What a rule is called."""
    return str(_RULES[rule])
