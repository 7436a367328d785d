"""The end of a tournament: final ranks with their reasons, prizes, approval, payment.

Each step is written down before the next, so whoever asks again, or resumes after a crash, finds
what was done and does the rest. Points are paid at once; a currency waits for a second person.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from tournaments import money
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import PaymentKind, Payout, PayoutState, Tournament
from tournaments.services import payments, ratings
from tournaments.services.awarding import owe_prizes
from tournaments.services.lifecycle import lock, transit
from tournaments.services.rounds import final_is_over
from tournaments.services.standing import final_standings
from tournaments.structure.lifecycle import Action
from wording.typed import is_printable

SYSTEM: Final = "system"
MAX_REASON: Final = 500
MAX_ACTOR: Final = 120
"""Letters of a name that people sign with."""


def complete(*, tournament_id: int, actor: str = SYSTEM, now: datetime) -> Tournament:
    """Rank everybody and pay the prizes, once the final is over.

    Asked again it pays what is still owed and may be paid, and changes nothing else. Raises
    `TournamentRefusal(ROUND_OPEN)` before that.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.over_at is None:
            last = tournament.rounds.order_by("-number").first()
            if last is None or last.closed_at is None or not final_is_over(tournament, last):
                raise TournamentRefusal(
                    TournamentCode.ROUND_OPEN,
                    "The final is not over; its result decides the prizes.",
                )
            transit(tournament, Action.COMPLETE, actor=actor, now=now)
            lines = final_standings(tournament)
            owe_prizes(tournament=tournament, lines=lines, actor=actor, now=now)
            money.retire_all_chips(tournament=tournament, now=now)
            tournament.over_at = now
            tournament.save()
    payments.pay_due(tournament_id=tournament_id, now=now)
    ratings.rate_tournament(tournament_id=tournament_id, now=now)
    return tournament


def approve_payout(*, tournament_id: int, actor: str, now: datetime) -> Payout:
    """Approve the prizes of a tournament and pay them. Approved already: pay what is still owed.

    Raises `TournamentRefusal`: `NO_PAYOUT` while it is not over, `NEEDS_APPROVAL` for whoever
    completed it and for whoever gets a prize of it, `PUT_BACK` until it is asked for anew.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        payout = _payout_of(tournament)
        if payout.state == PayoutState.HELD:
            raise TournamentRefusal(TournamentCode.PUT_BACK, _put_back_words(payout))
        if payout.state == PayoutState.AWAITING:
            _check_second(tournament, payout, actor)
            payout.state, payout.approved_by, payout.approved_at = PayoutState.APPROVED, actor, now
            payout.save(update_fields=["state", "approved_by", "approved_at"])
    payments.pay_due(tournament_id=tournament_id, now=now)
    payout.refresh_from_db()
    return payout


def put_back_payout(*, tournament_id: int, actor: str, reason: str, now: datetime) -> Payout:
    """Do not approve the prizes of a tournament; somebody has to ask for them anew.

    Raises `TournamentRefusal`: `NO_PAYOUT`, `ALREADY_APPROVED`, `BAD_REASON` without a reason that
    can be read.
    """
    if not reason.strip() or len(reason) > MAX_REASON or not is_printable(reason):
        raise TournamentRefusal(
            TournamentCode.BAD_REASON,
            f"Give a reason of 1 to {MAX_REASON} printable characters.",
            field="reason",
        )
    return _turn(tournament_id, PayoutState.HELD, actor, reason.strip(), now)


def ask_for_payout(*, tournament_id: int, actor: str, now: datetime) -> Payout:
    """Ask for prizes anew that were put back; whoever asks does not approve them.

    Raises `TournamentRefusal`: `NO_PAYOUT`, `ALREADY_APPROVED`.
    """
    return _turn(tournament_id, PayoutState.AWAITING, actor, "", now)


def _turn(tournament_id: int, state: PayoutState, actor: str, reason: str, now: datetime) -> Payout:
    with transaction.atomic():
        tournament = lock(tournament_id)
        payout = _payout_of(tournament)
        if payout.state not in (PayoutState.AWAITING, PayoutState.HELD):
            raise TournamentRefusal(
                TournamentCode.ALREADY_APPROVED,
                f"The prizes of {tournament.name} are {payout.state} already.",
            )
        if payout.state != state:
            payout.state = state
            if state == PayoutState.HELD:
                payout.held_by, payout.held_at, payout.held_reason = actor, now, reason
            else:
                payout.asked_by, payout.asked_at = actor, now
            payout.save()
    return payout


def _payout_of(tournament: Tournament) -> Payout:
    payout = Payout.objects.filter(tournament=tournament).first()
    if payout is None:
        raise TournamentRefusal(
            TournamentCode.NO_PAYOUT, f"{tournament.name} has no prizes to approve yet."
        )
    return payout


def _put_back_words(payout: Payout) -> str:
    return f"{payout.held_by} put it back: {payout.held_reason} It has to be asked for anew."


def _check_second(tournament: Tournament, payout: Payout, actor: str) -> None:
    winners = tournament.payments.exclude(kind=PaymentKind.REFUND).values_list(
        "entry__player__username", "entry__player_id"
    )
    gets_a_prize = any(
        money.same_person(actor, name[:MAX_ACTOR]) or actor == money.player_owner(player)
        for name, player in winners
    )
    asked = any(money.same_person(actor, name) for name in (payout.asked_by, SYSTEM))
    if not actor.strip() or asked or gets_a_prize:
        raise TournamentRefusal(
            TournamentCode.NEEDS_APPROVAL,
            "Somebody has to approve this who neither completed it nor gets a prize of it.",
            field="actor",
        )
