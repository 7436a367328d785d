"""What groups, outcomes, causes and endings of a deal are called."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tables.rules.events import Cause, EndReason, Limit
from tables.rules.melds import Kind
from tables.rules.results import Outcome

KINDS: Final[dict[Kind | None, str | Promise]] = {
    Kind.PURE_SEQUENCE: _("pure sequence"),
    Kind.IMPURE_SEQUENCE: _("sequence with a joker"),
    Kind.SET: _("set"),
    None: _("not in a group"),
}
OUTCOMES: Final[dict[Outcome, str | Promise]] = {
    Outcome.WON: _("won"),
    Outcome.LOST: _("lost"),
    Outcome.FIRST_DROP: _("first drop"),
    Outcome.MIDDLE_DROP: _("middle drop"),
    Outcome.WRONG_DECLARATION: _("wrong declaration"),
    Outcome.FULL_COUNT: _("whole hand counted"),
    Outcome.LEFT: _("left the table"),
}
CAUSES: Final[dict[Cause, str | Promise]] = {
    Cause.PLAYER: _("own decision"),
    Cause.AUTO_DROP: _("auto drop"),
    Cause.OFFLINE: _("no connection"),
    Cause.MISSED_TURNS: _("missed turns"),
    Cause.LEFT: _("left the table"),
    Cause.DECLARATION: _("by his declaration"),
    Cause.TIME: _("time was up"),
}
ENDS: Final[dict[EndReason, str | Promise]] = {
    EndReason.DECLARED: _("declared"),
    EndReason.LAST_PLAYER: _("last player"),
    EndReason.LIMIT: _("limit of the deal"),
}
LIMITS: Final[dict[Limit, str | Promise]] = {
    Limit.MOVES: _("limit reached: moves"),
    Limit.TIME: _("limit reached: time"),
    Limit.NO_CARDS: _("limit reached: no cards"),
}
