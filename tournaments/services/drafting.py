"""What an organiser sets of a tournament, checked as a whole: making one, changing it, copying it.

A *draft* is everything he may choose. It is checked the same way when a tournament is made and
when one is changed, so nothing can be set later that could not have been set at first.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec
from django.db import transaction

from tournaments import money, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import MAX_CAPACITY, Shape, Tournament
from tournaments.services.duties import take_charge
from tournaments.services.ticket_terms import check_promised
from tournaments.structure.bracket import MAX_BRACKET
from tournaments.structure.due import StartKind, Times, fitted_times
from tournaments.structure.prizes import prize_table
from tournaments.structure.seating import table_sizes

BY_HAND: Final = Times()
MAX_NAME: Final = 120
MAX_FEE: Final = 10**12
_MOST_ENTRIES: Final = {
    Shape.HEADS_UP: MAX_BRACKET,
    Shape.KNOCKOUT: MAX_CAPACITY,
    Shape.LEVELS: MAX_CAPACITY,
}


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """What an organiser chooses. Amounts are in the asset's smallest unit."""

    name: str
    shape: Shape
    terms: play.TournamentTerms
    entry_fee: int
    house_fee: int = 0
    capacity: int
    min_entries: int = 2
    asset: str = money.PLAY_POINTS
    in_person: bool = False
    """With cards on real tables; then it may be played for a currency."""
    times: Times = BY_HAND


def create(
    *,
    name: str,
    shape: Shape,
    terms: play.TournamentTerms,
    entry_fee: int,
    house_fee: int = 0,
    capacity: int,
    min_entries: int = 2,
    asset: str = money.PLAY_POINTS,
    in_person: bool = False,
    times: Times = BY_HAND,
    draw_label: str | None = None,
    organiser_id: int | None = None,
    now: datetime,
) -> Tournament:
    """A new tournament in draft, which `organiser_id` (a user) runs, or nobody but who may run all.

    Amounts are in the asset's smallest unit.

    Raises `TournamentRefusal` (name, fees, capacity, asset), `RuleViolation` (format, profile) or
    `StructureError` (prizes, times), each naming the field.
    """
    draft = Draft(
        name=name,
        shape=shape,
        terms=terms,
        entry_fee=entry_fee,
        house_fee=house_fee,
        capacity=capacity,
        min_entries=min_entries,
        asset=asset,
        in_person=in_person,
        times=times,
    )
    return make(draft, draw_label=draw_label, organiser_id=organiser_id, now=now)


def make(
    draft: Draft,
    *,
    draw_label: str | None = None,
    organiser_id: int | None = None,
    now: datetime,
) -> Tournament:
    """A new tournament of a draft; raises what `create` raises."""
    draft = checked(draft)
    with transaction.atomic():
        tournament = Tournament(created_at=now)
        if draw_label is not None:
            tournament.draw_label = draw_label
        write(draft, tournament)
        tournament.clean_fields()
        tournament.save()
        take_charge(tournament, organiser_id)
        money.books_of(tournament)
    return tournament


def draft_of(tournament: Tournament) -> Draft:
    """What was chosen for a tournament. Raises `TournamentRefusal(BAD_TERMS)`."""
    times = tournament.times
    if times.kind is not StartKind.FIXED_TIME:
        times = msgspec.structs.replace(times, starts_at=None)
    return Draft(
        name=tournament.name,
        shape=Shape(tournament.shape),
        terms=play.terms_of(tournament),
        entry_fee=tournament.entry_fee,
        house_fee=tournament.house_fee,
        capacity=tournament.capacity,
        min_entries=tournament.min_entries,
        asset=tournament.asset,
        in_person=tournament.in_person,
        times=times,
    )


def write(draft: Draft, tournament: Tournament) -> None:
    """Put a checked draft into a row, which is not saved."""
    money.open_asset(code=draft.asset, online=not draft.in_person)
    tournament.name = draft.name
    tournament.shape = draft.shape
    tournament.terms = play.encode_terms(draft.terms)
    tournament.asset = draft.asset
    tournament.in_person = draft.in_person
    tournament.entry_fee = draft.entry_fee
    tournament.house_fee = draft.house_fee
    tournament.capacity = draft.capacity
    tournament.min_entries = draft.min_entries
    times = draft.times
    if times.kind is not StartKind.FIXED_PLAYERS or times.kind != tournament.start_kind:
        tournament.starts_at = times.starts_at
    tournament.start_kind = times.kind
    tournament.opens_at, tournament.closes_at = times.opens_at, times.closes_at
    tournament.check_in_opens_at = times.check_in_opens_at
    tournament.check_in_closes_at = times.check_in_closes_at


def checked(draft: Draft) -> Draft:
    """The draft made fit, or the refusal of what cannot be; raises what `create` raises."""
    name = draft.name.strip()
    if not 0 < len(name) <= MAX_NAME:
        raise TournamentRefusal(
            TournamentCode.BAD_NAME, f"Give it a name of 1 to {MAX_NAME} characters.", field="name"
        )
    _check_amount(draft.entry_fee, "entry_fee", 0, MAX_FEE)
    _check_amount(draft.house_fee, "house_fee", 0, draft.entry_fee)
    terms = play.fitted(draft.shape, draft.terms)
    if terms.is_promotional:
        _check_free(draft, terms)
    _check_capacity(draft, terms)
    expected = max(draft.capacity * (draft.entry_fee - draft.house_fee), terms.guarantee)
    worth = check_promised(terms, asset=draft.asset, expected=expected, capacity=draft.capacity)
    prize_table(terms.prizes, expected - worth, draft.capacity)
    times = fitted_times(draft.times)
    return msgspec.structs.replace(draft, name=name, terms=terms, times=times)


def _check_free(draft: Draft, terms: play.TournamentTerms) -> None:
    """Nothing of a promotional tournament is paid for, chips neither."""
    if draft.entry_fee:
        raise TournamentRefusal(
            TournamentCode.BAD_AMOUNT,
            "A promotional tournament takes no entry fee; set it to 0 or choose another stake.",
            field="entry_fee",
        )
    rebuy = None if terms.levels is None else terms.levels.rebuy
    if rebuy is not None and rebuy.fee:
        raise TournamentRefusal(
            TournamentCode.BAD_AMOUNT,
            "A promotional tournament sells no chips for a fee; set it to 0 or choose another "
            "stake.",
            field="rebuy.fee",
        )


def _check_capacity(draft: Draft, terms: play.TournamentTerms) -> None:
    _check_amount(draft.capacity, "capacity", 2, _MOST_ENTRIES.get(draft.shape, terms.seats))
    _check_amount(draft.min_entries, "min_entries", 2, draft.capacity)
    if draft.shape is not Shape.HEADS_UP:
        table_sizes(draft.capacity, terms.seats)
    late = terms.entering.late_until_round
    if late and draft.shape not in (Shape.KNOCKOUT, Shape.LEVELS):
        raise TournamentRefusal(
            TournamentCode.BAD_TERMS,
            "Only a knock-out of several tables, or timed levels, take players in after the start.",
            field="late_until_round",
        )


def _check_amount(value: int, field: str, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        raise TournamentRefusal(
            TournamentCode.BAD_AMOUNT,
            f"{field} must be a whole number from {low:,} to {high:,}, not {value!r}.",
            field=field,
        )
