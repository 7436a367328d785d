"""The rules of one tournament in words, made of its terms and of nothing else.

Pure: terms and shape in, sections of sentences out. Amounts of money are given with their unit by
`unit`. The entry code is never among the words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tables.rules.formats import PoolFormat
from tables.words import clock_fact, conduct_facts, format_facts, profile_facts, profile_title
from tournaments.models import Shape
from tournaments.play.terms import Seeding, TournamentTerms
from tournaments.play.words import levels_facts
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.rounds import BestOfTable, BestOverall

Unit = Callable[[int], str]
"""An amount in the asset's smallest unit, written out."""


class Section(NamedTuple):
    """A heading and the sentences under it."""

    title: str
    sentences: tuple[str, ...]


def rules_in_words(
    terms: TournamentTerms, shape: Shape, unit: Unit, *, has_check_in: bool
) -> tuple[Section, ...]:
    """Everything that a player should know before he joins; sections with nothing are left out."""
    sections = (
        Section(_("How the tournament goes"), _course(terms, shape, unit)),
        Section(_("Who may enter, and when"), _entering(terms.entering, shape, has_check_in)),
        Section(_("What decides at the table"), _deciding(terms)),
        Section(
            _("Cards, groups and points: %(rules)s") % {"rules": profile_title(terms.profile)},
            profile_facts(terms.profile),
        ),
        Section(_("Declaring, absence and long deals"), conduct_facts(terms.profile)),
        Section(_("Time"), _times(terms)),
    )
    return tuple(section for section in sections if section.sentences)


def _deciding(terms: TournamentTerms) -> tuple[str, ...]:
    facts = format_facts(terms.format)
    return facts if terms.levels is None else (*levels_facts(terms.levels), *facts[1:])


def _course(terms: TournamentTerms, shape: Shape, unit: Unit) -> tuple[str, ...]:
    facts = [_shape(terms, shape)]
    if shape is Shape.KNOCKOUT:
        facts.append(_advance(terms.advance))
        facts.append(_("Players who are equal on the last place that goes on play a tie-break."))
    if terms.third_place:
        facts.append(_("The losers of the semi-finals play for third place."))
    if terms.seeding is Seeding.RATED:
        facts.append(_("The better rated are seeded higher; a draw decides among equals."))
    elif shape is not Shape.SINGLE:
        facts.append(_("Seats are drawn; the secret of each draw is committed to beforehand."))
    if terms.levels is not None and (rebuy := terms.levels.rebuy) is not None:
        words = _("A re-buy costs %(fee)s.")
        facts.append(words % {"fee": unit(rebuy.fee)})
    if terms.guarantee:
        facts.append(_("The prize pool is at least %(pool)s.") % {"pool": unit(terms.guarantee)})
    return tuple(facts)


def _shape(terms: TournamentTerms, shape: Shape) -> str:
    match shape:
        case Shape.HEADS_UP:
            return _("Two players meet at a table; the winner goes on until one is left.")
        case Shape.SINGLE:
            return _("One table of up to %(n)d players; its places are the ranks.") % {
                "n": terms.seats
            }
        case Shape.KNOCKOUT:
            return _(
                "Tables of up to %(n)d players, round after round, down to one final table."
            ) % {"n": terms.seats}
        case _:
            words = _("Tables of up to %(n)d players; chips are carried from level to level.")
            return words % {"n": terms.seats}


def _advance(advance: BestOfTable | BestOverall) -> str:
    if isinstance(advance, BestOverall):
        return _("The best %(n)d %% of a round go on, at least two.") % {"n": advance.percent}
    words = ngettext(
        "The best player of each table goes on.",
        "The best %(n)d players of each table go on.",
        advance.places,
    )
    return words % {"n": advance.places}


def _entering(rules: EntryRules, shape: Shape, has_check_in: bool) -> tuple[str, ...]:
    facts = list(_conditions(rules.conditions))
    if rules.needs_approval:
        facts.append(_("The organiser approves each entry; the fee is set aside meanwhile."))
    if has_check_in and rules.no_show_keeps_fee:
        facts.append(_("The fee of who does not check in stays in the prize pool."))
    if has_check_in and rules.waitlist_moves_up:
        facts.append(_("The waitlist gets the seats of those who did not check in."))
    if rules.late_until_round:
        words = _("After the start players may still enter while round %(n)d has not closed.")
        if shape is Shape.LEVELS:
            words = _("After the start players may still enter while level %(n)d has not closed.")
        facts.append(words % {"n": rules.late_until_round})
    if rules.reentries:
        words = ngettext(
            "Who is out in that time may pay again and come back, %(n)d time.",
            "Who is out in that time may pay again and come back, up to %(n)d times.",
            rules.reentries,
        )
        facts.append(words % {"n": rules.reentries})
    return tuple(facts)


def _conditions(asked: Conditions) -> tuple[str, ...]:
    facts = []
    if asked.code:
        facts.append(_("An entry code is needed; the organiser hands it out."))
    if asked.invited_only:
        facts.append(_("Only invited players may enter."))
    if asked.groups:
        facts.append(_("Only members of these groups: %(n)s.") % {"n": ", ".join(asked.groups)})
    if asked.rating_from is not None:
        facts.append(_("A rating of %(n)d or more is needed.") % {"n": asked.rating_from})
    if asked.rating_to is not None:
        facts.append(_("A rating of %(n)d or less is needed.") % {"n": asked.rating_to})
    if asked.min_age is not None:
        facts.append(_("Players must be %(n)d or older.") % {"n": asked.min_age})
    if asked.winners_of:
        facts.append(_("Only winners of the tournaments that lead to this one may enter."))
    return tuple(facts)


def _times(terms: TournamentTerms) -> tuple[str, ...]:
    facts = [clock_fact(terms.clock)]
    if isinstance(terms.format, PoolFormat) and (terms.format.rejoin or terms.format.manual_split):
        words = _("%(n)d seconds to answer whether to buy in again or to split.")
        facts.append(words % {"n": terms.format.answer_seconds})
    if terms.levels is not None and (rebuy := terms.levels.rebuy) is not None:
        words = _("%(n)d seconds to buy chips between two levels, %(m)d at a table.")
        facts.append(words % {"n": rebuy.seconds, "m": rebuy.answer_seconds})
    return tuple(facts)
