"""From the form to what services take, and back: the one place where both are known."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils import timezone

from tournaments import play
from tournaments.admin.setup.form import MOMENTS, Setup, Shown, on_the_wall
from tournaments.admin.setup.levels import rows_of
from tournaments.admin.setup.parts import PERCENT, PLACES
from tournaments.admin.setup.prizes import structure_of, table_of, tickets_of
from tournaments.admin.setup.rules_fields import (
    CLOCK,
    CLOCK_OPTIONS,
    FORMAT,
    PROFILE,
    PROFILE_OPTIONS,
    options_read,
    options_shown,
)
from tournaments.amounts import typed_amount
from tournaments.models import Shape
from tournaments.play import catalogue
from tournaments.services.drafting import Draft
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.due import StartKind, Times
from tournaments.structure.prizes import FixedAmounts, Surplus
from tournaments.structure.rebuys import LevelTerms, Rebuy
from tournaments.structure.rounds import Advance, BestOfTable, BestOverall


def usual_draft(shape: Shape) -> Draft:
    """What a new tournament of a shape starts from; the organiser says the rest."""
    return Draft(
        name="",
        shape=shape,
        terms=catalogue.usual_terms(shape),
        entry_fee=0,
        capacity=catalogue.usual_capacity(shape),
    )


# --- to the form -------------------------------------------------------------------------------


def shown_of(draft: Draft, *, is_new: bool = False, zone: str = "") -> Shown:
    """What stands in the form for a draft; a new one's name and fee are left to be filled in."""
    zone = zone or timezone.get_current_timezone_name()
    kind, rows = table_of(draft.terms.prizes, draft.terms.tickets, draft.asset)
    fields: dict[str, Any] = {
        "name": draft.name,
        "shape": draft.shape.value,
        "in_person": draft.in_person,
        "capacity": draft.capacity,
        "min_entries": draft.min_entries,
        "asset": draft.asset,
        "entry_fee": "" if is_new else typed_amount(draft.entry_fee, draft.asset),
        "house_fee": typed_amount(draft.house_fee, draft.asset),
        "prize_kind": kind,
        "zone": zone,
        "start_kind": draft.times.kind.value,
        **{name: _wall(getattr(draft.times, name), zone) for name in MOMENTS},
        **_shown_terms(draft),
        **_shown_entering(draft.terms.entering),
    }
    levels = draft.terms.levels
    return Shown(fields, rows, () if levels is None else rows_of(levels.schedule))


def _wall(moment: Any, zone: str) -> str:
    return "" if moment is None else on_the_wall(moment, zone)


def _shown_terms(draft: Draft) -> dict[str, Any]:
    terms, asset = draft.terms, draft.asset
    options = catalogue.format_options(terms.format.name, draft.shape)
    fixed = terms.prizes if isinstance(terms.prizes, FixedAmounts) else None
    by_percent = isinstance(terms.advance, BestOverall)
    return {
        "stake": terms.stake.value,
        "guarantee": typed_amount(terms.guarantee, asset) if terms.guarantee else "",
        "is_guaranteed": fixed is not None and fixed.is_guaranteed,
        "surplus": Surplus.TO_PRIZES.value if fixed is None else fixed.surplus.value,
        "format": terms.format.name,
        "profile": terms.profile.name,
        "seats": terms.seats,
        "advance_by": PERCENT if by_percent else PLACES,
        "advance": getattr(terms.advance, "percent" if by_percent else "places"),
        "third_place": terms.third_place,
        "seeding": terms.seeding.value,
        "hints": terms.hints,
        **options_shown(FORMAT, options, terms.format),
        **options_shown(PROFILE, PROFILE_OPTIONS, terms.profile),
        **options_shown(CLOCK, CLOCK_OPTIONS, terms.clock),
        **_shown_levels(terms.levels, asset),
    }


def _shown_levels(levels: LevelTerms | None, asset: str) -> dict[str, Any]:
    if levels is None:
        return {}
    rebuy = levels.rebuy
    fields: dict[str, Any] = {
        "starting_chips": levels.starting_chips,
        "has_rebuy": rebuy is not None,
    }
    if rebuy is None:
        return fields
    return fields | {
        "rebuy_chips": rebuy.chips,
        "rebuy_fee": typed_amount(rebuy.fee, asset),
        "rebuy_house_fee": typed_amount(rebuy.house_fee, asset),
        "rebuy_most": rebuy.most,
        "rebuy_until": rebuy.until_level,
        "rebuy_seconds": rebuy.seconds,
        "rebuy_answer_seconds": rebuy.answer_seconds,
    }


def _shown_entering(rules: EntryRules) -> dict[str, Any]:
    asked = rules.conditions
    return {
        "code": asked.code,
        "invited_only": asked.invited_only,
        "groups": list(asked.groups),
        "rating_from": asked.rating_from,
        "rating_to": asked.rating_to,
        "min_age": asked.min_age,
        "winners_of": list(asked.winners_of),
        "needs_approval": rules.needs_approval,
        "no_show_keeps_fee": rules.no_show_keeps_fee,
        "waitlist_moves_up": rules.waitlist_moves_up,
        "late_until_round": rules.late_until_round,
        "reentries": rules.reentries,
    }


# --- from the form -----------------------------------------------------------------------------


def draft_from(setup: Setup, base: Draft | None) -> Draft:
    """What a form that could be read says; what it does not ask stays as in `base`.

    Raises `StructureError` or `RuleViolation` for what makes no sense together.
    """
    read: dict[str, Any] = setup.form.cleaned_data
    parts = setup.parts
    shape = setup.form.chosen
    start = base or usual_draft(shape)
    changes: dict[str, Any] = {"name": read["name"]}
    if "shape" in parts:
        changes |= {"shape": shape, "in_person": read["in_person"]}
    if "seats" in parts:
        changes |= {"capacity": read["capacity"], "min_entries": read["min_entries"]}
    if "money" in parts:
        changes |= {name: read[name] for name in ("entry_fee", "house_fee", "asset")}
    if "times" in parts:
        changes["times"] = times_from(read)
    terms = start.terms
    if "rules" in parts:
        terms = _terms_from(setup, read, None if base is None else base.terms)
    if "entering" in parts:
        terms = msgspec.structs.replace(terms, entering=_entering_from(read, terms.entering))
    return msgspec.structs.replace(start, **changes, terms=terms)


def times_from(read: dict[str, Any]) -> Times:
    """When what happens; a start is only set for a fixed time."""
    kind = StartKind(read["start_kind"])
    moments = {name: read.get(name) for name in MOMENTS}
    if kind is not StartKind.FIXED_TIME:
        moments["starts_at"] = None
    return Times(kind=kind, **moments)


def _terms_from(
    setup: Setup, read: dict[str, Any], based: play.TournamentTerms | None
) -> play.TournamentTerms:
    shape, options = setup.form.chosen, setup.form.options
    rows = setup.prizes.read
    usual = catalogue.usual_terms(shape)
    return play.TournamentTerms(
        format=catalogue.changed_format(
            read["format"],
            options_read(FORMAT, options[FORMAT], read),
            None if based is None else based.format,
        ),
        profile=catalogue.changed_profile(
            read["profile"],
            options_read(PROFILE, PROFILE_OPTIONS, read),
            None if based is None else based.profile,
        ),
        clock=catalogue.ClockTerms(**options_read(CLOCK, CLOCK_OPTIONS, read)),
        prizes=structure_of(
            read["prize_kind"],
            rows,
            is_guaranteed=read["is_guaranteed"],
            surplus=read["surplus"],
        ),
        tickets=tickets_of(rows),
        stake=catalogue.Stake(read["stake"]),
        guarantee=read["guarantee"],
        hints=read["hints"],
        seats=read.get("seats") or usual.seats,
        advance=_advance_from(read),
        third_place=read.get("third_place", False),
        seeding=play.Seeding(read.get("seeding") or play.Seeding.DRAWN),
        levels=_levels_from(setup, read) if setup.has_levels else None,
    )


def _advance_from(read: dict[str, Any]) -> Advance:
    if read.get("advance") is None:
        return BestOfTable()
    if read["advance_by"] == PERCENT:
        return BestOverall(read["advance"])
    return BestOfTable(read["advance"])


def _levels_from(setup: Setup, read: dict[str, Any]) -> LevelTerms:
    rebuy = None
    if read["has_rebuy"]:
        rebuy = Rebuy(
            chips=read["rebuy_chips"] or 0,
            fee=read["rebuy_fee"],
            house_fee=read["rebuy_house_fee"],
            most=1 if read["rebuy_most"] is None else read["rebuy_most"],
            until_level=1 if read["rebuy_until"] is None else read["rebuy_until"],
            seconds=30 if read["rebuy_seconds"] is None else read["rebuy_seconds"],
            answer_seconds=read["rebuy_answer_seconds"] or 20,
        )
    return LevelTerms(
        schedule=setup.levels.schedule, starting_chips=read["starting_chips"], rebuy=rebuy
    )


def _entering_from(read: dict[str, Any], before: EntryRules) -> EntryRules:
    return EntryRules(
        conditions=Conditions(
            code=read["code"],
            invited_only=read["invited_only"],
            groups=tuple(read["groups"]),
            rating_from=read["rating_from"],
            rating_to=read["rating_to"],
            min_age=read["min_age"],
            winners_of=tuple(read["winners_of"]),
        ),
        needs_approval=read["needs_approval"],
        no_show_keeps_fee=read.get("no_show_keeps_fee", before.no_show_keeps_fee),
        waitlist_moves_up=read["waitlist_moves_up"],
        late_until_round=read.get("late_until_round") or 0,
        reentries=read.get("reentries") or 0,
    )
