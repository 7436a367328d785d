"""Calling a tournament off: before its start, or in the middle.

Whoever paid gets back exactly what his own entries put in and nobody has given back yet, the
organiser's part included, whatever the fee is today. After finished rounds the prize pool may be
divided by the standing so far instead. Deals that were cut off are void.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from django.db import transaction

from tournaments import money, people, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Payment, PaymentKind, Tournament
from tournaments.services import payments, ratings
from tournaments.services.awarding import award, owe_prizes
from tournaments.services.lifecycle import lock, transit
from tournaments.services.standing import entries_of, standings_so_far
from tournaments.structure.lifecycle import Action, State, is_live

MAX_CHARGE: Final = 10**12
_FINAL: Final = (
    EntryState.WITHDRAWN,
    EntryState.NOT_SEATED,
    EntryState.NO_SHOW,
    EntryState.REFUSED,
)


class Back(NamedTuple):
    """What calling it off gives one player, in the asset's smallest unit, and why."""

    entry_id: int
    player_id: int
    amount: int
    reason: str


def cancel(
    *,
    tournament_id: int,
    actor: str,
    reason: str,
    cancellation_fee: int = 0,
    now: datetime,
) -> Tournament:
    """Call a tournament off before its start; every fee goes back.

    Of what each player put in up to `cancellation_fee` is kept. Who cannot be paid now keeps nobody
    else waiting: `payments.pay_due` tries again and says why. Raises `StructureError` after the
    start, `TournamentRefusal(BAD_AMOUNT)`.
    """
    if type(cancellation_fee) is not int or not 0 <= cancellation_fee <= MAX_CHARGE:
        raise TournamentRefusal(
            TournamentCode.BAD_AMOUNT,
            f"Give a cancellation fee from 0 to {MAX_CHARGE:,}.",
            field="cancellation_fee",
        )
    with transaction.atomic():
        tournament = lock(tournament_id)
        transit(tournament, Action.CANCEL, actor=actor, reason=reason, now=now)
        _owe_refunds(tournament, cancellation_fee, actor, now)
        _tell(tournament, reason, now)
        tournament.entries.exclude(state__in=_FINAL).update(state=EntryState.WITHDRAWN)
        tournament.over_at = now
        tournament.save()
    payments.pay_due(tournament_id=tournament_id, now=now)
    return tournament


def preview_cancel(*, tournament_id: int, cancellation_fee: int = 0) -> tuple[Back, ...]:
    """What `cancel` would give each player now, in the order of entering; nothing is changed."""
    with transaction.atomic():
        inside = _put_in(lock(tournament_id))
    return tuple(
        Back(
            entry.pk,
            entry.player_id,
            money.refund_after_charge(amount.total, cancellation_fee),
            "What was paid goes back.",
        )
        for entry, amount in inside
    )


def abort(
    *, tournament_id: int, actor: str, reason: str, by_standing: bool = False, now: datetime
) -> Tournament:
    """Call a running tournament off: everybody has his fees back, the organiser's part too.

    With `by_standing` the prize pool is divided by the standing after the finished rounds instead;
    raises `TournamentRefusal(NOT_DISTRIBUTABLE)` where there is none. See `preview_abort`.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if by_standing:
            _check_distributable(tournament)
        transit(tournament, Action.ABORT, actor=actor, reason=reason, now=now)
        play.void_tables(tournament, now=now)
        _tell(tournament, reason, now)
        lines = standings_so_far(tournament) if by_standing else ()
        tournament.rounds.filter(closed_at__isnull=True).update(closed_at=now)
        money.retire_all_chips(tournament=tournament, now=now)
        if by_standing:
            owe_prizes(tournament=tournament, lines=lines, actor=actor, now=now)
        else:
            money.earn_fees_before_refund(tournament=tournament, now=now)
            _owe_refunds(tournament, 0, actor, now)
            live = tournament.entries.filter(state__in=(EntryState.PLAYING, EntryState.OUT))
            live.update(state=EntryState.REFUNDED)
        tournament.over_at = now
        tournament.save()
    payments.pay_due(tournament_id=tournament_id, now=now)
    ratings.rate_tournament(tournament_id=tournament_id, now=now)
    return tournament


def _tell(tournament: Tournament, reason: str, now: datetime) -> None:
    """Tell everybody who is still in, and call nobody to a table any more."""
    told = list(tournament.entries.exclude(state__in=_FINAL))
    people.forget(tournament, told, now=now)
    people.tell_entries(
        tournament,
        people.NoticeKind.CANCELLED,
        told,
        what="off",
        facts={entry.pk: {"reason": reason} for entry in told},
        now=now,
    )


def preview_abort(*, tournament_id: int, by_standing: bool = False) -> tuple[Back, ...]:
    """What `abort` would give each player now, best placed first; nothing is changed.

    Raises as `abort` does.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if not is_live(State(tournament.state)):
            raise TournamentRefusal(
                TournamentCode.NOT_RUNNING, f"{tournament.name} is {tournament.state}, not running."
            )
        if not by_standing:
            inside = _put_in(tournament)
            return tuple(
                Back(entry.pk, entry.player_id, amount.total, "What was paid goes back.")
                for entry, amount in inside
            )
        _check_distributable(tournament)
        lines = standings_so_far(tournament)
        gets, entries = award(tournament, lines).gets, entries_of(lines)
    return tuple(
        Back(
            line.entrant,
            entries[line.entrant].player_id,
            gets[line.entrant].amount if line.entrant in gets else 0,
            gets[line.entrant].reason if line.entrant in gets else line.reason,
        )
        for line in lines
    )


def _check_distributable(tournament: Tournament) -> None:
    """The prize pool can be divided once a round is finished."""
    if not tournament.rounds.filter(closed_at__isnull=False).exists():
        raise TournamentRefusal(
            TournamentCode.NOT_DISTRIBUTABLE,
            "No round is finished, so there is no standing to go by; give the fees back.",
            field="by_standing",
        )


def _put_in(tournament: Tournament) -> list[tuple[Entry, money.PutIn]]:
    """Every entry whose player has something in the tournament, and what."""
    entries = list(tournament.entries.order_by("number"))
    inside = money.put_in(tournament, [entry.player_id for entry in entries])
    return [
        (entry, inside[entry.player_id]) for entry in entries if inside[entry.player_id].total > 0
    ]


def _owe_refunds(tournament: Tournament, charge: int, actor: str, now: datetime) -> None:
    Payment.objects.bulk_create(
        (
            Payment(
                tournament=tournament,
                entry=entry,
                kind=PaymentKind.REFUND,
                amount=money.refund_after_charge(inside.total, charge),
                kept=min(charge, inside.total),
                actor=actor,
                owed_at=now,
            )
            for entry, inside in _put_in(tournament)
        ),
        batch_size=500,
    )
