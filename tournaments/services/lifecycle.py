"""Making a tournament and leading it through its states; each transition is logged."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db import models, transaction

from tournaments import money, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import MAX_CAPACITY, Entry, EntryState, LogLine, Shape, Tournament
from tournaments.structure.bracket import MAX_BRACKET
from tournaments.structure.lifecycle import Action, State, next_state
from tournaments.structure.prizes import prize_table
from tournaments.structure.registration import enough_entries
from tournaments.structure.seating import table_sizes

SecretSource = Callable[[str], bytes]
MAX_NAME: Final = 120
MAX_FEE: Final = 10**12
_MOST_ENTRIES: Final = {Shape.HEADS_UP: MAX_BRACKET, Shape.KNOCKOUT: MAX_CAPACITY}


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
    draw_label: str | None = None,
    now: datetime,
) -> Tournament:
    """A new tournament in draft. Amounts are in the asset's smallest unit.

    Raises `TournamentRefusal` (name, fees, capacity, asset), `RuleViolation` (format, profile) or
    `StructureError` (prizes), each naming the field.
    """
    if not 0 < len(name.strip()) <= MAX_NAME:
        raise TournamentRefusal(
            TournamentCode.BAD_NAME, f"Give it a name of 1 to {MAX_NAME} characters.", field="name"
        )
    _check_amount(entry_fee, "entry_fee", 0, MAX_FEE)
    _check_amount(house_fee, "house_fee", 0, entry_fee)
    terms = play.fitted(shape, terms)
    most = _MOST_ENTRIES.get(shape, terms.seats)
    _check_amount(capacity, "capacity", 2, most)
    _check_amount(min_entries, "min_entries", 2, capacity)
    if shape is not Shape.HEADS_UP:
        table_sizes(capacity, terms.seats)
    expected = max(capacity * (entry_fee - house_fee), terms.guarantee)
    prize_table(terms.prizes, expected, capacity)
    with transaction.atomic():
        money.open_asset(code=asset)
        tournament = Tournament(
            name=name.strip(),
            shape=shape,
            terms=play.encode_terms(terms),
            asset=asset,
            entry_fee=entry_fee,
            house_fee=house_fee,
            capacity=capacity,
            min_entries=min_entries,
            created_at=now,
        )
        if draw_label is not None:
            tournament.draw_label = draw_label
        tournament.clean_fields()
        tournament.save()
        money.books_of(tournament)
    return tournament


def _check_amount(value: int, field: str, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        raise TournamentRefusal(
            TournamentCode.BAD_AMOUNT,
            f"{field} must be a whole number from {low:,} to {high:,}, not {value!r}.",
            field=field,
        )


def lock(tournament_id: int) -> Tournament:
    """The tournament's row, locked. Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`."""
    tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
    if tournament is None:
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_TOURNAMENT, "There is no such tournament.", field="tournament"
        )
    return tournament


def transit(
    tournament: Tournament, action: Action, *, actor: str, reason: str = "", now: datetime
) -> None:
    """Change the state and log it; the caller holds the lock and saves the row."""
    before = State(tournament.state)
    tournament.state = next_state(before, action)
    LogLine.objects.create(
        tournament=tournament,
        action=action,
        before=before,
        after=tournament.state,
        actor=actor,
        reason=reason,
        at=now,
    )


def open_registration(
    *, tournament_id: int, actor: str, secret_for: SecretSource = play.fresh_secret, now: datetime
) -> Tournament:
    """Let players in; the secret of the first draw is committed to from now on."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        transit(tournament, Action.OPEN_REGISTRATION, actor=actor, now=now)
        commit_next_draw(tournament, 1, secret_for)
        tournament.save()
    return tournament


def commit_next_draw(tournament: Tournament, number: int, secret_for: SecretSource) -> None:
    """Publish the commitment of a round's draw before anybody can know who is in it."""
    secret = secret_for(f"{tournament.draw_label}/draw-{number}")
    tournament.next_secret = secret.hex()
    tournament.next_commitment = play.commitment_of(secret)


def close_registration(*, tournament_id: int, actor: str, now: datetime) -> Tournament:
    """End registration; whoever still waits gets no seat. Nobody is promoted from now on."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        transit(tournament, Action.CLOSE_REGISTRATION, actor=actor, now=now)
        tournament.save()
        _entries(tournament, EntryState.WAITING).update(state=EntryState.NOT_SEATED)
    return tournament


def start(*, tournament_id: int, actor: str, now: datetime) -> Tournament:
    """Take the fees and make the entries players. Raises `NOT_ENOUGH_ENTRIES`; cancel it then."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        transit(tournament, Action.START, actor=actor, now=now)
        entered = _entries(tournament, EntryState.ENTERED)
        count = entered.count()
        if not enough_entries(count, tournament.min_entries):
            raise TournamentRefusal(
                TournamentCode.NOT_ENOUGH_ENTRIES,
                f"{count} of at least {tournament.min_entries} have entered; cancel it instead.",
            )
        money.collect_fees(tournament=tournament, actor=actor, now=now)
        entered.update(state=EntryState.PLAYING)
        tournament.started_at = now
        tournament.save()
    return tournament


def _entries(tournament: Tournament, state: EntryState) -> models.QuerySet[Entry]:
    return tournament.entries.filter(state=state)
