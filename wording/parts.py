"""Words that fill places of sentences and are not names: states, outcomes, what was compared.

They stand here for the catalogue, under the context `PART`; the sentences' own places are filled
with them by programs that know no catalogue. A part may have places itself: `round %(n)s`.
"""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

PART: Final = "part"

PARTS: Final[tuple[Promise, ...]] = (
    # What a tournament is, and what can be done to it.
    pgettext_lazy("part", "draft"),
    pgettext_lazy("part", "announced"),
    pgettext_lazy("part", "registering"),
    pgettext_lazy("part", "closed"),
    pgettext_lazy("part", "running"),
    pgettext_lazy("part", "paused"),
    pgettext_lazy("part", "completed"),
    pgettext_lazy("part", "cancelled"),
    pgettext_lazy("part", "aborted"),
    pgettext_lazy("part", "announce"),
    pgettext_lazy("part", "open registration"),
    pgettext_lazy("part", "close registration"),
    pgettext_lazy("part", "reopen registration"),
    pgettext_lazy("part", "start"),
    pgettext_lazy("part", "pause"),
    pgettext_lazy("part", "resume"),
    pgettext_lazy("part", "complete"),
    pgettext_lazy("part", "cancel"),
    pgettext_lazy("part", "abort"),
    # What tie-breaks compare, and what they find.
    pgettext_lazy("part", "the round reached"),
    pgettext_lazy("part", "who played on"),
    pgettext_lazy("part", "chips in %(round)s"),
    pgettext_lazy("part", "points in %(round)s"),
    pgettext_lazy("part", "the place at the table in %(round)s"),
    pgettext_lazy("part", "the margin lost by in %(round)s"),
    pgettext_lazy("part", "the match for third place"),
    pgettext_lazy("part", "the deciding round"),
    pgettext_lazy("part", "the round before"),
    pgettext_lazy("part", "the round %(back)s before"),
    pgettext_lazy("part", "round %(n)s"),
    pgettext_lazy("part", "won round %(n)s"),
    pgettext_lazy("part", "left the tournament"),
    pgettext_lazy("part", "played on"),
    pgettext_lazy("part", "not played"),
    pgettext_lazy("part", "none"),
    pgettext_lazy("part", "place %(n)s"),
    pgettext_lazy("part", "won"),
    pgettext_lazy("part", "lost"),
    pgettext_lazy("part", "ranks %(first)s to %(last)s"),
    # Who may enter, and what stands in the way of a change.
    pgettext_lazy("part", "there is none yet"),
    pgettext_lazy("part", "yours is %(n)s"),
    pgettext_lazy("part", "%(some)s or %(last)s"),
    pgettext_lazy("part", "chips were bought"),
    pgettext_lazy("part", "a lot was drawn"),
    pgettext_lazy("part", "table %(table)s of round %(round)s was opened"),
    # Tables that players make by themselves.
    pgettext_lazy("part", "Quick table: %(game)s, %(n)s players"),
    pgettext_lazy("part", "points"),
    pgettext_lazy("part", "101 pool"),
    pgettext_lazy("part", "deals"),
    # What a score sheet counts.
    pgettext_lazy("part", "The winner"),
    pgettext_lazy("part", "A first drop"),
    pgettext_lazy("part", "A middle drop"),
    pgettext_lazy("part", "A wrong declaration"),
    pgettext_lazy("part", "A full count"),
    pgettext_lazy("part", "Who is absent"),
    pgettext_lazy("part", "%(what)s counts %(n)s points"),
    pgettext_lazy("part", "A hand counts at most %(n)s points"),
    pgettext_lazy("part", "at most %(n)s, or %(limit)s"),
    pgettext_lazy("part", "not in this match"),
    pgettext_lazy("part", "%(n)s points"),
    pgettext_lazy("part", "0 to %(n)s points, or the cards"),
    pgettext_lazy("part", "all cards, 0 to %(n)s points, or the cards"),
    pgettext_lazy("part", "%(n)s points, or the hand that was dealt to him"),
    # Amounts with their unit.
    pgettext_lazy("part", "%(n)s play points"),
    pgettext_lazy("part", "%(n)s practice points"),
    pgettext_lazy("part", "%(n)s chips"),
    # A switch.
    pgettext_lazy("part", "on"),
    pgettext_lazy("part", "off"),
)
