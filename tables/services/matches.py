"""Opening matches, dealing their deals, and answering what is asked between two deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec
from django.db import transaction

from tables import broadcast, store
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, DealEvent, Match, MatchStatus, Seat, Table
from tables.rules import codec
from tables.rules.deal import DealSpec, open_deal
from tables.rules.evolve import replay
from tables.rules.formats import AnyFormat, DealsStopped, Entry, MatchOver, NextDeal, open_match
from tables.rules.profiles import RuleProfile
from tables.rules.shoe import commitment_of
from tables.rules.state import DealState
from tables.rules.terms import ClockTerms
from tables.services import closing

SecretSource = Callable[[str], bytes]
"""32 secret bytes for what a label names; from the operating system, save in a simulation."""


class Place(msgspec.Struct, frozen=True):
    """A player at a table; `bot` is a strength, empty for a person."""

    player_id: int
    bot: str = ""


class TableSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A table to be opened with its match; seats are numbered in the order of `places`.

    `options` is its own format where the tables do not all play the same.
    """

    number: int
    label: str
    places: tuple[Place, ...]
    options: AnyFormat | None = None


def open_matches(
    *,
    owner: str,
    tables: Sequence[TableSpec],
    options: AnyFormat,
    profile: RuleProfile,
    clock: ClockTerms,
    secret_for: SecretSource,
    in_person: bool = False,
    hints: bool = False,
    now: datetime,
) -> list[Match]:
    """Open tables with a match each, in a fixed number of statements for any number of them.

    In person no clock runs, and the deals come from a scorer (see `score_sheets`). With `hints`
    players may ask for the best groups of their own hands.
    Raises `RuleViolation` if the format cannot be played by so many.
    """
    games = [open_match(t.options or options, profile, range(len(t.places)), clock) for t in tables]
    with transaction.atomic():
        rows = Table.objects.bulk_create(
            Table(owner=owner, label=t.label, number=t.number, created_at=now) for t in tables
        )
        matches = Match.objects.bulk_create(
            Match(
                table=row,
                format_name=game.opening.format.name,
                profile_name=profile.name,
                opening=store.encode_opening(game.opening),
                status=MatchStatus.DEALING,
                in_person=in_person,
                hints=hints,
                due_at=None if in_person else now,
                opened_at=now,
                **_committed(secret_for(_deal_label(row, 1))),
            )
            for row, game in zip(rows, games, strict=True)
        )
        Seat.objects.bulk_create(
            Seat(match=match, number=number, player_id=place.player_id, bot=place.bot)
            for match, table in zip(matches, tables, strict=True)
            for number, place in enumerate(table.places)
        )
    return matches


def open_again(
    match: Match,
    *,
    places: Sequence[Place] | None = None,
    secret_for: SecretSource,
    now: datetime,
) -> Match:
    """The next match at the table of one that was called off, under the same terms.

    The same people sit in the same seats unless `places` names others. Raises `RuleViolation` if
    the format cannot be played by so many.
    """
    if places is None:
        seated = match.seats.order_by("number")
        places = [Place(seat.player_id, seat.bot) for seat in seated]
    terms = store.load_game(match).opening
    game = open_match(terms.format, terms.profile, range(len(places)), terms.clock)
    number = match.number + 1
    again = Match(
        table=match.table,
        number=number,
        in_person=match.in_person,
        hints=match.hints,
        format_name=match.format_name,
        profile_name=match.profile_name,
        opening=store.encode_opening(game.opening),
        status=MatchStatus.DEALING,
        due_at=None if match.in_person else now,
        paused_at=match.paused_at and now,
        opened_at=now,
        **_committed(secret_for(_deal_label(match.table, 1, number))),
    )
    again.save()
    Seat.objects.bulk_create(
        Seat(match=again, number=seat, player_id=place.player_id, bot=place.bot)
        for seat, place in enumerate(places)
    )
    return again


def _deal_label(table: Table, number: int, match_number: int = 1) -> str:
    """Names a deal in its shuffle."""
    again = f"/match-{match_number}" if match_number > 1 else ""
    return f"{table.label}{again}/deal-{number}"


def _committed(secret: bytes) -> dict[str, str]:
    """The fields of a match that commit it to a secret for its next deal."""
    return {"next_secret": secret.hex(), "next_commitment": commitment_of(secret)}


class Dealt(NamedTuple):
    """A deal that was just dealt, and its state."""

    deal: Deal
    state: DealState


def deal_next(*, match_id: int, secret_for: SecretSource, now: datetime) -> Dealt:
    """Deal the next deal of a match. Raises `TableRefusal` unless one is due and may begin.

    It is shuffled with the secret that the match committed to before; `secret_for` gives the one
    for the deal after it.
    """
    with transaction.atomic():
        match = closing.lock_match(match_id)
        closing.check_online(match)
        closing.check_runs(match)
        if match.status != MatchStatus.DEALING:
            raise TableRefusal(
                TableCode.DEAL_RUNNING, "This match does not wait for a deal; look at its status."
            )
        game = store.load_game(match)
        step = game.next_step()
        if not isinstance(step, NextDeal):
            raise TableRefusal(TableCode.DEAL_RUNNING, "This match asks for something else first.")
        if not closing.may_deal(match=match, game=game, now=now):
            raise TableRefusal(
                TableCode.NO_MORE_DEALS, "No further deal begins at this table; end it instead."
            )
        return _deal(match, step, secret_for, now)


def _deal(match: Match, step: NextDeal, secret_for: SecretSource, now: datetime) -> Dealt:
    number = match.deals_dealt + 1
    label = _deal_label(match.table, number, match.number)
    seats = {seat.number: seat for seat in match.seats.all()}
    secret = bytes.fromhex(match.next_secret)
    events = open_deal(
        DealSpec(
            deal_id=label,
            terms=step.terms,
            seats=step.seats,
            dealer=step.dealer,
            secret=secret,
            nonces=tuple(seats[s].nonce for s in step.seats),
            no_drop=step.no_drop,
            auto_drop=tuple(s for s in step.seats if seats[s].auto_drop),
            offline=tuple(s for s in step.seats if not seats[s].online),
        ),
        store.to_ms(now),
    )
    deal = Deal(
        match=match,
        number=number,
        tie_break=step.tie_break,
        label=label,
        commitment=match.next_commitment,
        version=0,
        phase="new",
        opened_at=now,
    )
    deal.save()
    match.deals_dealt, match.status, match.due_at = number, MatchStatus.PLAYING, None
    for field, value in _committed(
        secret_for(_deal_label(match.table, number + 1, match.number))
    ).items():
        setattr(match, field, value)
    match.save(update_fields=["deals_dealt", "status", "due_at", "next_secret", "next_commitment"])
    state = replay(events)
    store.append(deal, events, state, command_id="open", now=now)
    broadcast.announce_events(
        match_id=match.pk, deal=deal.public_id, version=state.version, events=events
    )
    if state.is_over:
        closing.close_deal(match=match, deal=deal, state=state, now=now)
    return Dealt(deal, state)


def answer(*, match_id: int, entry: Entry, now: datetime) -> Match:
    """Let something happen between two deals: an answer, an offer, a departure, time passing.

    Raises `RuleViolation` if the format refuses it, `TableRefusal` while a deal is played.
    """
    with transaction.atomic():
        match = closing.lock_match(match_id)
        closing.check_online(match)
        closing.check_runs(match)
        if match.status == MatchStatus.PLAYING:
            raise TableRefusal(
                TableCode.DEAL_RUNNING, "A deal is being played; wait for the scoreboard."
            )
        closing.enter(match=match, entry=entry, secret=last_secret(match), now=now)
        return match


def stop_if_due(*, match_id: int, now: datetime) -> bool:
    """End a match whose owner lets no further deal begin; whether it was ended.

    A deal being played goes on. Nothing happens in a match that ends by its own rules.
    """
    with transaction.atomic():
        match = closing.lock_match(match_id)
        if match.status == MatchStatus.PLAYING or match.paused_at is not None:
            return False
        game = store.load_game(match)
        if isinstance(game.next_step(), MatchOver):
            return False
        if closing.may_deal(match=match, game=game, now=now):
            return False
        closing.enter(match=match, entry=DealsStopped(), secret=last_secret(match), now=now)
        return True


def last_secret(match: Match) -> bytes:
    """The secret of the match's last deal, for lots; no lot is drawn before a deal."""
    first = DealEvent.objects.filter(deal__match=match, seq=1).order_by("-deal__number").first()
    if first is None:
        return bytes(32)
    opened = codec.decode_event(first.payload, first.schema)
    return bytes.fromhex(getattr(opened, "secret", ""))
