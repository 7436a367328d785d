"""How far the prizes of a tournament are, and what could not be paid."""

from __future__ import annotations

from tournaments.models import Payment, Payout, PayoutState, Tournament


def payout_state(tournament: Tournament) -> PayoutState:
    """How far the prizes of a tournament are."""
    payout = Payout.objects.filter(tournament=tournament).first()
    return PayoutState.NONE if payout is None else PayoutState(payout.state)


def unpaid_of(tournament: Tournament) -> list[Payment]:
    """What is owed and not paid, with its entry and player; `fault` says why it failed."""
    owed = tournament.payments.filter(paid_at__isnull=True)
    return list(owed.select_related("entry__player").order_by("pk"))
