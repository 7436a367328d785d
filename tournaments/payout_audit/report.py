"""The audit of one tournament put together: figures, prizes by rank, status, discrepancies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.core.paginator import Page, Paginator

from tournaments import money
from tournaments.models import PaymentKind, Payout, Ticket, Tournament
from tournaments.money import auditing
from tournaments.money.auditing import Figure, Sum
from tournaments.payout_audit.checks import Discrepancy, Facts, Owed, discrepancies
from tournaments.payout_audit.rules import Computed, Part, computed, ranked

PRIZES_A_PAGE: Final = 100
_ENTRY: Final = ("pk", "number", "player_id", "state", "rank", "prize", "bot")


class PrizeLine(NamedTuple):
    """What one entry is owed, by which rules, and how far it is paid."""

    rank: int
    number: int
    player: str
    """His user name."""
    amount: int
    ticket: int
    target: str
    """The name of the tournament that the ticket is for."""
    parts: tuple[Part, ...]
    reason: str
    paid_at: Any
    fault: str


class Report(NamedTuple):
    """An audit. Amounts are in the smallest unit of the tournament's asset."""

    tournament: Tournament
    payout: Payout | None
    figures: Mapping[Figure, Sum]
    remains: money.Remains
    discrepancies: list[Discrepancy]
    prizes: Page[Any]
    """Of `PrizeLine`, best rank first."""
    by_rank: tuple[tuple[int, int], ...]
    """Ranks and what they get in money, best first, all of them."""
    tickets: int
    """What all get in tickets."""
    unpaid: int
    """Payments that are owed and not made."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.discrepancies


def report_of(tournament: Tournament, *, page: str | int = 1) -> Report:
    """The audit of a tournament; `page` is one of its prizes. A fixed number of queries."""
    facts = _facts(tournament)
    owed = [payment for payment in facts.payments if payment.kind != PaymentKind.REFUND]
    amounts = _amounts(owed)
    winners = sorted(amounts, key=lambda e: (facts.entries[e]["rank"] or 0, e))
    shown: Page[Any] = Paginator(winners, PRIZES_A_PAGE).get_page(page)
    shown.object_list = _lines(facts, owed, amounts, list(shown.object_list))
    return Report(
        tournament=tournament,
        payout=facts.payout,
        figures=facts.figures,
        remains=facts.remains,
        discrepancies=discrepancies(facts),
        prizes=shown,
        by_rank=tuple((facts.entries[e]["rank"] or 0, amounts[e][0]) for e in winners),
        tickets=sum(ticket for _cash, ticket in amounts.values()),
        unpaid=sum(not payment.paid_at for payment in facts.payments),
    )


def _facts(tournament: Tournament) -> Facts:
    entries = {row["pk"]: row for row in tournament.entries.values(*_ENTRY)}
    figures = auditing.figures_of(tournament)
    payments = _payments(tournament)
    return Facts(
        tournament=tournament,
        payout=Payout.objects.filter(tournament=tournament).first(),
        figures=figures,
        remains=money.remains_of(tournament),
        payments=payments,
        paid={
            PaymentKind.PRIZE: auditing.paid_in_prizes(tournament),
            PaymentKind.TICKET: auditing.given_in_tickets(tournament),
            PaymentKind.REFUND: auditing.given_back(tournament),
        },
        put_in=auditing.put_in_by_owner(tournament),
        entries=entries,
        computed=_computed(tournament, entries.values(), figures),
        names=_names(tournament),
    )


def _payments(tournament: Tournament) -> list[Owed]:
    rows = tournament.payments.order_by("pk").values_list(
        "pk", "kind", "amount", "paid_at", "fault", "entry_id", "entry__player_id"
    )
    return [Owed(row[0], PaymentKind(row[1]), *row[2:]) for row in rows]


def _computed(
    tournament: Tournament, entries: Iterable[Any], figures: Mapping[Figure, Sum]
) -> Computed | None:
    lines = ranked([(row["pk"], row["rank"]) for row in entries if row["rank"]])
    pool = figures[Figure.POOL].amount - figures[Figure.TOP_UP].amount
    return computed(tournament, lines, received=pool)


def _names(tournament: Tournament) -> dict[int, str]:
    """All players' names; only what is shown is made of them, so nothing else is read."""
    entered = tournament.entries.values("player")
    return dict(get_user_model().objects.filter(pk__in=entered).values_list("pk", "username"))


def _amounts(owed: Iterable[Owed]) -> dict[int, tuple[int, int]]:
    """Money and ticket by entry."""
    found: dict[int, tuple[int, int]] = {}
    for payment in owed:
        cash, ticket = found.get(payment.entry, (0, 0))
        is_ticket = payment.kind == PaymentKind.TICKET
        found[payment.entry] = (
            (cash, ticket + payment.amount) if is_ticket else (cash + payment.amount, ticket)
        )
    return found


def _lines(
    facts: Facts,
    owed: Iterable[Owed],
    amounts: Mapping[int, tuple[int, int]],
    entries: list[int],
) -> list[PrizeLine]:
    """The prizes of these entries. Two queries."""
    mine: dict[int, list[Owed]] = {entry: [] for entry in entries}
    for payment in owed:
        if payment.entry in mine:
            mine[payment.entry].append(payment)
    rows = facts.tournament.entries.filter(pk__in=entries).values_list("pk", "prize_reason")
    reasons, targets = dict(rows), _targets(facts.tournament, entries)
    lines = []
    for entry in entries:
        row, paid = facts.entries[entry], [payment.paid_at for payment in mine[entry]]
        lines.append(
            PrizeLine(
                rank=row["rank"] or 0,
                number=row["number"],
                player=facts.who(row["player_id"]),
                amount=amounts[entry][0],
                ticket=amounts[entry][1],
                target=targets.get(entry, ""),
                parts=() if facts.computed is None else facts.computed.parts.get(entry, ()),
                reason=reasons.get(entry, ""),
                paid_at=max(paid) if all(paid) else None,
                fault=" ".join(p.fault for p in mine[entry] if p.fault and not p.paid_at),
            )
        )
    return lines


def _targets(tournament: Tournament, entries: list[int]) -> dict[int, str]:
    tickets = Ticket.objects.filter(payment__tournament=tournament, payment__entry__in=entries)
    return dict(tickets.values_list("payment__entry_id", "target__name"))
