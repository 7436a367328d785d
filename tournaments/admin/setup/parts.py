"""The parts of the one form in which a tournament is set up, in the organiser's words.

A part is a section that is changed, or locked, as a whole. Names of fields are those that services
name in their refusals, so that a refusal finds its field.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from tournaments.admin.setup.fields import (
    MomentField,
    TypedAmount,
    choice,
    radio,
    switch,
    text,
    whole,
)
from tournaments.admin.setup.prizes import KINDS, SURPLUS
from tournaments.models import MAX_CAPACITY, Shape
from tournaments.play.catalogue import STAKES, Seeding
from tournaments.structure.due import StartKind

SHAPES: Final = (
    (Shape.KNOCKOUT, _("Knock-out with several tables")),
    (Shape.HEADS_UP, _("Heads-up bracket, two at a table")),
    (Shape.SINGLE, _("One table")),
    (Shape.LEVELS, _("Timed levels with rising points")),
)
STARTS: Final = (
    (StartKind.BY_HAND, _("when I start it")),
    (StartKind.FIXED_TIME, _("at a fixed time")),
    (StartKind.FIXED_PLAYERS, _("as soon as all seats are taken")),
)
ASSETS: Final = (
    ("PLAY", _("Play points")),
    ("PRACTICE", _("Practice points")),
    *((code, code) for code in ("INR", "USD", "EUR", "GBP", "AED", "LKR", "NPR", "BDT")),
)
PLACES: Final = "places"
PERCENT: Final = "percent"
ADVANCING: Final = (
    (PLACES, _("the best of each table")),
    (PERCENT, _("the best share over all tables")),
)
SEEDINGS: Final = (
    (Seeding.DRAWN, _("drawn")),
    (Seeding.RATED, _("by rating; a draw decides among equals")),
)
FOLDS: Final = (("", _("I have not been asked")), ("0", _("the first")), ("1", _("the second")))


class NamePart(forms.Form):
    """What can be changed for as long as there is a tournament."""

    name = text(_("Name"), meaning=_("As players read it in the lobby."))


class ShapePart(forms.Form):
    """What kind of tournament it is."""

    shape = radio(_("Kind"), SHAPES)
    in_person = switch(
        _("With cards on real tables"),
        meaning=_("A scorer enters each deal; nobody plays online."),
    )


class SeatsPart(forms.Form):
    """How many may come."""

    capacity = whole(_("Seats"), 2, MAX_CAPACITY)
    min_entries = whole(
        _("Fewest entries"),
        2,
        MAX_CAPACITY,
        meaning=_("With fewer it is called off, and every fee goes back."),
    )


class MoneyPart(forms.Form):
    """What it costs, and what of it goes where."""

    entry_fee = TypedAmount(label=_("Entry fee"), help_text=_("0 for a free tournament."))
    house_fee = TypedAmount(
        label=_("Of it for the house"),
        required=False,
        help_text=_("The rest of each fee goes into the prize pool."),
    )
    asset = choice(
        _("Played for"), ASSETS, meaning=_("Money: only in person, or where this site allows it.")
    )
    stake = choice(_("Kind of stake"), STAKES)


class PrizesPart(forms.Form):
    """How the pool is divided; the table of rows stands beside it."""

    prize_kind = radio(_("Prizes"), KINDS)
    guarantee = TypedAmount(
        label=_("Guaranteed prize pool"),
        required=False,
        help_text=_("The house adds what is missing. Empty: no guarantee."),
    )
    is_guaranteed = switch(
        _("Fixed amounts are paid in full"),
        meaning=_("The house adds what the fees do not reach for; else they shrink together."),
    )
    surplus = choice(_("If the pool is larger than the fixed amounts"), SURPLUS)


class RulesPart(forms.Form):
    """What is played at a table; its options come from the catalogue."""

    format = choice(_("Format"), ())
    profile = choice(_("House rules"), ())
    seats = whole(_("Players at a full table"), 2, 6)
    advance_by = choice(_("Who goes on from a round"), ADVANCING)
    advance = whole(
        _("How many, or how many percent"), 1, 90, meaning=_("Of each table, or of all players.")
    )
    third_place = switch(_("The losers of the semi-finals play for third place"))
    seeding = choice(_("Places in the first round are"), SEEDINGS)
    hints = switch(
        _("Hints at the table"), meaning=_("Shows a player the best groups of his own hand.")
    )


class LevelsPart(forms.Form):
    """Chips and re-buys of timed levels; the levels themselves are a table."""

    starting_chips = whole(_("Chips at the start"), 1)
    has_rebuy = switch(_("Players may buy chips again"))
    rebuy_chips = whole(_("Chips of a re-buy"), 1, required=False)
    rebuy_fee = TypedAmount(label=_("Price of a re-buy"), required=False)
    rebuy_house_fee = TypedAmount(label=_("Of it for the house"), required=False)
    rebuy_most = whole(_("How often a player may buy"), 1, 100, required=False)
    rebuy_until = whole(_("Until level"), 1, 100, required=False)
    rebuy_seconds = whole(_("Seconds to buy between two levels"), 0, 3600, required=False)
    rebuy_answer_seconds = whole(_("Seconds to buy at a table"), 1, 600, required=False)


class TimesPart(forms.Form):
    """When what happens."""

    start_kind = radio(_("It starts"), STARTS)
    starts_at = MomentField(label=_("Start"), required=False)
    zone = choice(_("Time zone"), (), meaning=_("All times of this form are in it."))
    opens_at = MomentField(
        label=_("Registration opens"), required=False, help_text=_("Empty: when you open it.")
    )
    closes_at = MomentField(
        label=_("Registration closes"),
        required=False,
        help_text=_("Empty: 10 minutes before a fixed start, else when you close it."),
    )
    check_in_opens_at = MomentField(
        label=_("Check-in opens"), required=False, help_text=_("Empty: there is no check-in.")
    )
    check_in_closes_at = MomentField(label=_("Check-in closes"), required=False)
    fold = choice(
        _("If the clocks are put back and an hour comes twice, I mean"), FOLDS, required=False
    )


class EnteringPart(forms.Form):
    """Who may enter, and until when; may be changed while players enter."""

    code = text(
        _("Entry code"),
        longest=64,
        meaning=_("Only who knows it may enter. Empty: none."),
        required=False,
    )
    invited_only = switch(
        _("Only invited players"), meaning=_("You invite them on the page of entrants.")
    )
    groups = forms.MultipleChoiceField(
        label=_("Only members of one of these groups"),
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
    )
    rating_from = whole(_("Rating from"), 0, 10_000, required=False)
    rating_to = whole(_("Rating to"), 0, 10_000, required=False)
    min_age = whole(
        _("Youngest age"),
        1,
        120,
        meaning=_("In years; you confirm each player's date of birth."),
        required=False,
    )
    winners_of = forms.MultipleChoiceField(
        label=_("Only winners of one of these"),
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
    )
    needs_approval = switch(
        _("I approve each entry"), meaning=_("The fee is set aside until you decide.")
    )
    no_show_keeps_fee = switch(
        _("Who does not check in loses his fee"), meaning=_("It stays in the prize pool.")
    )
    waitlist_moves_up = switch(_("The waitlist gets the seats of who does not check in"))
    late_until_round = whole(
        _("Late registration: while this round has not closed"),
        0,
        1_000,
        meaning=_("0: nobody enters after the start."),
    )
    reentries = whole(
        _("How often who is out may pay and come back"),
        0,
        100,
        meaning=_("As long as late registration lasts."),
    )


class Part(NamedTuple):
    """A section: its key, and the form that has its fields."""

    key: str
    form: type[forms.Form]


PARTS: Final = (
    Part("name", NamePart),
    Part("shape", ShapePart),
    Part("seats", SeatsPart),
    Part("money", MoneyPart),
    Part("prizes", PrizesPart),
    Part("rules", RulesPart),
    Part("levels", LevelsPart),
    Part("times", TimesPart),
    Part("entering", EnteringPart),
)
EVERY_PART: Final = frozenset(part.key for part in PARTS)
WHILE_PLAYERS_ENTER: Final = frozenset({"name", "seats", "times", "entering"})
AFTER_START: Final = frozenset({"name"})


def names_of(form: type[forms.Form]) -> tuple[str, ...]:
    """The fields that a part has."""
    declared: Any = form
    return tuple(declared.base_fields)
