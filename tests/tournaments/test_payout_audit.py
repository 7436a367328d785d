"""The payout audit: figures that add up, rules behind each unit, and what does not fit in red."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.paginator import Paginator
from django.test import Client
from django.urls import reverse

from ledger import services as ledger
from ledger.models import Entry as LedgerEntry
from ledger.services import CashKind
from rummy_site.roles import OPERATORS
from staff.models import StaffAction
from tests.ledger.by_nobody import freeze_account, reopen_account, request_cash
from tests.pages import logged_in, page_of
from tests.staff.helpers import member
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    leave,
    next_round,
    players,
    run_out,
    started,
    terms,
)
from tournaments import money, services
from tournaments.models import Entry, Payment, PaymentKind, Payout, Shape, Tournament
from tournaments.payout_audit import report_of
from tournaments.payout_audit.picture import picture_of
from tournaments.payout_audit.rules import Rule
from tournaments.structure.tickets import TicketPrize

pytestmark = pytest.mark.django_db


def settled(entrants: int = 3, prizes: str = "50,30,20", **changes: Any) -> Tournament:
    """A single table that was paid."""
    tournament = started(Shape.SINGLE, entrants, terms=terms("deals", prizes=prizes), **changes)
    finish(next_round(tournament).tables.get())
    return services.complete(tournament_id=tournament.pk, now=NOW)


def codes(tournament: Tournament) -> list[str]:
    """What an audit finds, each kind once."""
    found = report_of(Tournament.objects.get(pk=tournament.pk)).discrepancies
    return sorted({one.code for one in found})


def figures(tournament: Tournament) -> dict[str, int]:
    """The figures that are not zero."""
    found = report_of(tournament).figures
    return {figure.value: one.amount for figure, one in found.items() if one.amount}


@pytest.fixture
def operator() -> Client:
    """An operator's browser."""
    return logged_in(member("olga", OPERATORS))


def audit_page(tournament: Tournament) -> str:
    """The address of a tournament's audit."""
    return reverse("payouts:audit", args=[tournament.public_id])


# What adds up


def test_entries_less_refunds_are_the_pool_and_the_fee_and_the_pool_is_the_prizes() -> None:
    tournament = a_tournament(Shape.SINGLE, capacity=3, house_fee=50, terms=terms(prizes="60,40"))
    people = players(4)
    join(tournament, *people[:3])
    leave(tournament, people[0])
    join(tournament, people[3])
    close_and_start(tournament)
    finish(next_round(tournament).tables.get())
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert figures(tournament) == {
        "entries": 4 * FEE,
        "refunds": FEE,
        "pool": 3 * (FEE - 50),
        "fee": 150,
        "prizes": 3 * (FEE - 50),
    }
    assert codes(tournament) == []


def test_before_the_start_fees_are_set_aside_and_nothing_is_wrong() -> None:
    tournament = a_tournament(capacity=6)
    join(tournament, *players(2))
    assert figures(tournament) == {"entries": 2 * FEE, "set_aside": 2 * FEE}
    assert codes(tournament) == []


def test_rejoins_top_up_and_what_fixed_prizes_leave_have_figures_of_their_own() -> None:
    tournament = guaranteed()
    assert figures(tournament) == {
        "entries": 3 * FEE,
        "top_up": 500,
        "pool": 2_000,
        "prizes": 2_000,
    }
    left = settled(3, "fixed:800,500")
    assert codes(tournament) == codes(left) == []


def guaranteed() -> Tournament:
    tournament = started(Shape.SINGLE, 3, terms=terms("deals", prizes="50,30,20", guarantee=2_000))
    finish(next_round(tournament).tables.get())
    return services.complete(tournament_id=tournament.pk, now=NOW)


def test_a_cancelled_tournament_gives_everything_back_and_says_so() -> None:
    tournament = a_tournament(capacity=6, house_fee=50)
    join(tournament, *players(3))
    services.cancel(
        tournament_id=tournament.pk,
        actor="organiser",
        reason="rain",
        cancellation_fee=40,
        now=NOW,
    )
    assert figures(tournament) == {
        "entries": 3 * FEE,
        "refunds": 3 * FEE,
        "kept": 120,
        "fee": 120,
    }
    assert codes(tournament) == []


def test_a_tournament_that_was_called_off_in_the_middle_is_sound() -> None:
    tournament = started(Shape.KNOCKOUT, 7, house_fee=50)
    next_round(tournament)
    services.abort(tournament_id=tournament.pk, actor="organiser", reason="storm", now=NOW)
    assert figures(tournament) == {"entries": 7 * FEE, "refunds": 7 * FEE}
    assert codes(tournament) == []


def test_a_player_who_came_back_for_another_fee_is_counted_apart() -> None:
    tournament = started(Shape.SINGLE, 3)
    [person] = tournament.entries.order_by("number")[:1]
    money.grant(
        asset=money.PLAY_POINTS,
        player_ids=[person.player_id],
        amount=2 * FEE,
        key="more",
        actor="x",
        now=NOW,
    )
    money.take_rejoin(tournament=tournament, player_id=person.player_id, number=1, now=NOW)
    money.take_late_fee(
        tournament=tournament, entry=person, is_reentry=True, actor="system", now=NOW
    )
    assert figures(tournament) == {
        "entries": 3 * FEE,
        "rejoins": FEE,
        "re_entries": FEE,
        "pool": 5 * FEE,
    }


# Which rule produced each unit


def parts_of(tournament: Tournament) -> list[list[tuple[str, int]]]:
    """Rules and amounts of each prize, best first."""
    return [[(p.rule.value, p.amount) for p in line.parts] for line in report_of(tournament).prizes]


def test_a_share_and_the_unit_that_did_not_divide_are_told_apart() -> None:
    tournament = settled(3, "50,30,20", entry_fee=37)
    assert parts_of(tournament) == [
        [(Rule.SHARE, 55), (Rule.REMAINDER, 1)],
        [(Rule.SHARE, 33)],
        [(Rule.SHARE, 22)],
    ]
    assert sum(amount for parts in parts_of(tournament) for _rule, amount in parts) == 3 * 37


def test_tied_players_share_their_ranks_prizes_and_one_gets_the_odd_unit() -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("deals", prizes="50,30,20"), entry_fee=37)
    finish(next_round(tournament).tables.get(), 0, 80, 80, places=(1, 2, 2))
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert parts_of(tournament)[1:] == [
        [(Rule.TIE, 27), (Rule.REMAINDER, 1)],
        [(Rule.TIE, 27)],
    ]
    assert codes(tournament) == []


def test_of_two_who_lost_level_the_smaller_margin_has_the_prize() -> None:
    tournament = started(Shape.HEADS_UP, 4, terms=terms("heads_up", prizes="50,30,20"))
    first, second = next_round(tournament).tables.order_by("number")
    finish(first, 100, 90)
    finish(second, 100, 20)
    run_out(tournament)
    services.complete(tournament_id=tournament.pk, now=NOW)
    rules = [rule for parts in parts_of(tournament) for rule, _amount in parts]
    assert rules == [Rule.SHARE, Rule.SHARE, Rule.SMALLER_MARGIN]
    assert codes(tournament) == []


def test_a_ticket_is_a_prize_with_its_target_named() -> None:
    final = a_tournament(capacity=6, name="Grand final", entry_fee=300)
    ticket = TicketPrize(1, final.public_id, 300)
    tournament = started(Shape.SINGLE, 3, terms=terms("deals", prizes="60,40", tickets=(ticket,)))
    finish(next_round(tournament).tables.get())
    services.complete(tournament_id=tournament.pk, now=NOW)
    best = report_of(tournament).prizes[0]
    assert (best.ticket, best.target) == (300, "Grand final")
    assert [part.rule for part in best.parts] == [Rule.SHARE, Rule.TICKET]
    assert figures(tournament)["tickets"] == 300
    assert codes(tournament) == []


def test_the_picture_shows_all_tickets_whichever_page_of_prizes_is_open() -> None:
    final = a_tournament(capacity=6, name="Grand final", entry_fee=300)
    tickets = tuple(TicketPrize(rank, final.public_id, 300) for rank in (1, 2))
    tournament = started(Shape.SINGLE, 3, terms=terms("deals", prizes="60,40", tickets=tickets))
    finish(next_round(tournament).tables.get())
    services.complete(tournament_id=tournament.pk, now=NOW)
    report = report_of(tournament)
    one_prize = Paginator(report.prizes.object_list[:1], 1).page(1)
    assert report.tickets == 600
    assert picture_of(report._replace(prizes=one_prize)) == picture_of(report)


# What does not fit


def _reverse_prize(tournament: Tournament) -> None:
    payout = LedgerEntry.objects.get(kind="payout", reference=money.reference_of(tournament))
    ledger.reverse(entry=payout.pk, key="undo", actor="olga", reason="wrong player", now=NOW)


def _give_from_nothing(tournament: Tournament) -> None:
    """A prize that nobody wrote down."""
    entry = tournament.entries.order_by("number").last()
    assert entry is not None
    books = money.books_of(tournament)
    wallet = money.wallet_of(tournament.asset, entry.player_id)
    put = ledger.Line.post(debit=books.promotion, credit=books.escrow, amount=7)
    pay = ledger.Line.post(debit=books.escrow, credit=wallet, amount=7)
    for kind, line in (("overlay", put), ("payout", pay)):
        ledger.post(
            journal=money.reference_of(tournament),
            kind=kind,
            key=f"forged:{kind}",
            lines=[line],
            actor="mallory",
            reference=money.reference_of(tournament),
            now=NOW,
        )


def _adjust_escrow(tournament: Tournament) -> None:
    request_cash(
        kind=CashKind.ADJUSTMENT,
        account=money.books_of(tournament).escrow,
        amount=9,
        key="put",
        actor="mallory",
        reason="no reason",
        now=NOW,
    )


def _mark_as_paid(tournament: Tournament) -> None:
    entry = tournament.entries.exclude(payments__kind=PaymentKind.PRIZE).first()
    assert entry is not None
    Payment.objects.create(
        tournament=tournament,
        entry=entry,
        kind=PaymentKind.PRIZE,
        amount=11,
        actor="mallory",
        owed_at=NOW,
        paid_at=NOW,
    )


def _raise_amount(tournament: Tournament) -> None:
    payment = tournament.payments.order_by("pk").first()
    assert payment is not None
    Payment.objects.filter(pk=payment.pk).update(amount=payment.amount + 1)


def _move_rank(tournament: Tournament) -> None:
    Entry.objects.filter(tournament=tournament, rank=1).update(rank=9)


def _reopen(tournament: Tournament) -> None:
    Payment.objects.filter(tournament=tournament).update(paid_at=None)


def _forget_fee(tournament: Tournament) -> None:
    entry = tournament.entries.order_by("number").first()
    assert entry is not None
    Entry.objects.filter(pk=entry.pk).update(player=players(1)[0])


def _forget_payout(tournament: Tournament) -> None:
    Payout.objects.filter(tournament=tournament).delete()


TAMPERINGS: dict[str, tuple[Callable[[Tournament], None], set[str]]] = {
    "a prize taken back": (_reverse_prize, {"payment_without_transfer", "left_in_escrow"}),
    "a transfer that nobody wrote down": (
        _give_from_nothing,
        {"amount_differs", "transfer_without_payment"},
    ),
    "an adjustment of the escrow": (_adjust_escrow, {"foreign_transfer", "left_in_escrow"}),
    "a payment without its transfer": (
        _mark_as_paid,
        {"payment_without_transfer", "prizes_differ_from_pool", "not_by_the_rules"},
    ),
    "an amount that was raised": (
        _raise_amount,
        {"amount_differs", "prizes_differ_from_pool", "not_by_the_rules"},
    ),
    "a rank that was changed": (_move_rank, {"not_by_the_rules"}),
    "payments opened again": (_reopen, {"paid_too_early", "transfer_without_payment"}),
    "a seat nobody paid for": (_forget_fee, {"seat_without_fee"}),
    "a payout that is gone": (_forget_payout, {"not_settled"}),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_what_was_tampered_with_is_named_in_red_with_what_to_do(
    operator: Client, name: str
) -> None:
    tamper, expected = TAMPERINGS[name]
    tournament = settled(4, "60,40")
    assert codes(tournament) == []
    tamper(tournament)
    found = set(codes(tournament))
    assert found & expected, found
    if name != "a transfer that nobody wrote down":
        assert expected <= found
    html = page_of(operator, audit_page(tournament))
    assert "Everything adds up" not in html
    assert html.index('role="alert"') < html.index('id="status"')
    for code in found:
        assert f'data-code="{code}"' in html


def test_a_frozen_wallet_is_named_and_the_button_pays_once_it_is_open(operator: Client) -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("deals", prizes="60,40"))
    finish(next_round(tournament).tables.get())
    winner = tournament.entries.get(placings__place=1)
    account = money.wallet_of(money.PLAY_POINTS, winner.player_id)
    freeze_account(account=account, actor="operator", reason="asked", now=NOW)
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert codes(tournament) == ["cannot_be_paid"]
    assert "Pay the one that is owed again" in page_of(operator, audit_page(tournament))
    pay = reverse("payouts:pay", args=[tournament.public_id])
    operator.post(pay)
    assert codes(tournament) == ["cannot_be_paid"]
    reopen_account(account=account, actor="operator", reason="clear", now=NOW)
    operator.post(pay)
    assert codes(tournament) == []
    assert "Everything that is owed has been paid" in page_of(operator, audit_page(tournament))
    operator.post(pay)
    assert "Nothing was changed" in page_of(operator, audit_page(tournament))
    lines = StaffAction.objects.filter(action="tournaments.pay_due", actor_name="olga")
    assert lines.count() == 2
