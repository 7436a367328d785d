"""What does not fit: rows against transfers, prizes against rules, and what is left over.

Each *discrepancy* says what is wrong and what to do about it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from tournaments import money
from tournaments.amounts import in_unit
from tournaments.models import HOLDS_A_SEAT, PaymentKind, Payout, PayoutState, Tournament
from tournaments.money.auditing import Figure, Sum
from tournaments.payout_audit.rules import Computed
from tournaments.structure.lifecycle import State, is_over

SHOWN: Final = 100
"""Discrepancies that a page shows; the others are counted."""
_IN: Final = (
    *(Figure.ENTRIES, Figure.REJOINS, Figure.RE_ENTRIES, Figure.REBUYS, Figure.TOP_UP),
    Figure.KEPT,
)
_OUT: Final = (Figure.POOL, Figure.FEE, Figure.SET_ASIDE)


class Discrepancy(NamedTuple):
    """What is wrong, what to do, and the figure whose transfers to look at, where one helps."""

    code: str
    sentence: str
    advice: str
    figure: str = ""


class Owed(NamedTuple):
    """A payment as it was written down."""

    pk: int
    kind: PaymentKind
    amount: int
    paid_at: Any
    fault: str
    entry: int
    player: int


class Facts(NamedTuple):
    """All that checks look at."""

    tournament: Tournament
    payout: Payout | None
    figures: Mapping[Figure, Sum]
    remains: money.Remains
    payments: Sequence[Owed]
    paid: Mapping[PaymentKind, Mapping[str, int]]
    """What the ledger gave for each kind of payment, by owner."""
    put_in: Mapping[str, int]
    entries: Mapping[int, Any]
    """By id: number, player, state, rank, prize, whether a bot plays."""
    computed: Computed | None
    names: Mapping[int, str]
    """Of players (ids)."""

    def text(self, amount: int) -> str:
        """An amount with its unit."""
        return in_unit(amount, self.tournament.asset)

    def who(self, player: int) -> str:
        """A player's name."""
        return self.names.get(player, f"#{player}")


def discrepancies(facts: Facts) -> list[Discrepancy]:
    """Everything that does not fit; nothing of a sound tournament. Asks the database nothing."""
    return [
        *_of_figures(facts),
        *_of_payments(facts),
        *_of_prizes(facts),
        *_of_entries(facts),
        *_of_remains(facts),
    ]


def _of_figures(facts: Facts) -> Iterator[Discrepancy]:
    figures = facts.figures
    came_in = sum(figures[f].amount for f in _IN) - figures[Figure.REFUNDS].amount
    became = sum(figures[f].amount for f in _OUT)
    if came_in != became:
        yield Discrepancy(
            "unbalanced",
            _("%(in)s came in and stayed, but pool, fee and what is set aside are %(out)s.")
            % {"in": facts.text(came_in), "out": facts.text(became)},
            _("Have the books checked; a transfer was posted between the wrong accounts."),
        )
    other = figures[Figure.OTHER]
    if other.transfers:
        yield Discrepancy(
            "foreign_transfer",
            _("%(number)d transfers touch this tournament's money and belong to no rule of it.")
            % {"number": other.transfers},
            _("Look at them, ask who posted them, and reverse those that are wrong."),
            Figure.OTHER,
        )


def _of_payments(facts: Facts) -> Iterator[Discrepancy]:
    expected: dict[tuple[PaymentKind, str], int] = defaultdict(int)
    players: dict[str, int] = {}
    for payment in facts.payments:
        owner = money.owner_paid(payment.kind, payment_id=payment.pk, player_id=payment.player)
        players[owner] = payment.player
        expected[payment.kind, owner] += payment.amount if payment.paid_at else 0
        if payment.fault and not payment.paid_at:
            yield Discrepancy(
                "cannot_be_paid",
                _("%(who)s could not be paid %(amount)s: %(fault)s")
                % {
                    "who": facts.who(payment.player),
                    "amount": facts.text(payment.amount),
                    "fault": payment.fault,
                },
                _("Remove the cause (open the account), then pay again with the button below."),
            )
    for kind, given in facts.paid.items():
        for owner in {**given, **{o: 0 for k, o in expected if k == kind}}:
            is_known = (kind, owner) in expected
            wanted, found = expected[kind, owner], given.get(owner, 0)
            if found != wanted:
                who = facts.who(players[owner]) if owner in players else _named(facts, owner)
                yield _paid_otherwise(facts, kind, who, wanted, found, is_known=is_known)


def _named(facts: Facts, owner: str) -> str:
    _kind, _colon, number = owner.partition(":")
    return facts.names.get(int(number), owner) if number.isdecimal() else owner


_FIGURE_OF: Final = {
    PaymentKind.PRIZE: Figure.PRIZES,
    PaymentKind.TICKET: Figure.TICKETS,
    PaymentKind.REFUND: Figure.REFUNDS,
}


def _paid_otherwise(
    facts: Facts, kind: PaymentKind, who: str, wanted: int, found: int, *, is_known: bool
) -> Discrepancy:
    said = {
        "who": who,
        "what": _WORDS[kind](),
        "wanted": facts.text(wanted),
        "found": facts.text(found),
    }
    figure = _FIGURE_OF[kind]
    if not is_known or not wanted:
        return Discrepancy(
            "transfer_without_payment",
            _("%(who)s got %(found)s as a %(what)s, and nothing is written down as paid.") % said,
            _("Look at the transfers; reverse what nobody is owed."),
            figure,
        )
    if not found:
        return Discrepancy(
            "payment_without_transfer",
            _("The %(what)s of %(wanted)s for %(who)s is marked as paid, and no transfer stands.")
            % said,
            _("Look whether it was reversed; if it is owed, pay it by an adjustment with reason."),
            figure,
        )
    return Discrepancy(
        "amount_differs",
        _("The %(what)s of %(who)s is %(wanted)s, and the transfers give %(found)s.") % said,
        _("Look at the transfers; reverse what is too much, or pay the rest by an adjustment."),
        figure,
    )


_WORDS: Final[Mapping[PaymentKind, Any]] = {
    PaymentKind.PRIZE: lambda: _("prize"),
    PaymentKind.TICKET: lambda: _("ticket"),
    PaymentKind.REFUND: lambda: _("refund"),
}


def _of_prizes(facts: Facts) -> Iterator[Discrepancy]:
    payout = facts.payout
    if payout is None:
        if facts.tournament.state == State.COMPLETED:
            yield Discrepancy(
                "not_settled",
                _("It is completed, and nobody has settled it."),
                _("Have the organiser end the tournament once more; it pays nothing twice."),
            )
        return
    owed = [p for p in facts.payments if p.kind != PaymentKind.REFUND]
    given, pool = sum(p.amount for p in owed), facts.figures[Figure.POOL].amount
    if given + payout.to_house != pool:
        yield Discrepancy(
            "prizes_differ_from_pool",
            _("Prizes of %(given)s and %(house)s for the house are not the pool of %(pool)s.")
            % {
                "given": facts.text(given),
                "house": facts.text(payout.to_house),
                "pool": facts.text(pool),
            },
            _("Do not approve it. Look at what moved after the prizes were written down."),
            Figure.POOL,
        )
    yield from _of_rules(facts, owed)


def _of_rules(facts: Facts, owed: Sequence[Owed]) -> Iterator[Discrepancy]:
    if facts.computed is None:
        yield Discrepancy(
            "rules_unreadable",
            _("The prizes cannot be computed again from ranks, pool and rules."),
            _("Do not approve it before somebody has computed it by hand."),
        )
        return
    prizes = {p.entry: p.amount for p in owed if p.kind == PaymentKind.PRIZE}
    tickets = {p.entry: p.amount for p in owed if p.kind == PaymentKind.TICKET}
    for entry, row in facts.entries.items():
        wanted = facts.computed.amounts.get(entry, 0), facts.computed.tickets.get(entry, 0)
        found = prizes.get(entry, 0), tickets.get(entry, 0)
        if wanted != found or row["prize"] != found[0]:
            yield Discrepancy(
                "not_by_the_rules",
                _("%(who)s is owed %(found)s; the rules give %(wanted)s.")
                % {
                    "who": facts.who(row["player_id"]),
                    "found": facts.text(sum(found)),
                    "wanted": facts.text(sum(wanted)),
                },
                _("Do not approve it. Compare rank, pool and prize table; the row was changed."),
            )


def _of_entries(facts: Facts) -> Iterator[Discrepancy]:
    tournament = facts.tournament
    if tournament.started_at is None or not tournament.entry_fee:
        return
    for row in facts.entries.values():
        if row["state"] not in HOLDS_A_SEAT or row["state"] == "refunded":
            continue
        if facts.put_in.get(money.player_owner(row["player_id"]), 0) <= 0:
            yield Discrepancy(
                "seat_without_fee",
                _("%(who)s holds a seat, and no fee was taken for it.")
                % {"who": facts.who(row["player_id"])},
                _("Look at the entry and its refunds; take the fee by an adjustment if owed."),
                Figure.ENTRIES,
            )


def _of_remains(facts: Facts) -> Iterator[Discrepancy]:
    if not is_over(State(facts.tournament.state)):
        return
    unpaid = [payment for payment in facts.payments if not payment.paid_at]
    is_paid = facts.payout is not None and facts.payout.state == PayoutState.PAID
    if is_paid and unpaid:
        yield Discrepancy(
            "paid_too_early",
            _("The prizes are said to be paid, and %(number)d are not.") % {"number": len(unpaid)},
            _("Pay what is owed with the button below."),
        )
    remains = facts.remains
    left = remains.pool + remains.fees + remains.held
    if left and not unpaid:
        yield Discrepancy(
            "left_in_escrow",
            _("Everything is paid, and %(left)s is left in escrow.") % {"left": facts.text(left)},
            _("Find by the pool's transfers whose it is; move it by an adjustment."),
            Figure.POOL,
        )
    if remains.chips:
        yield Discrepancy(
            "chips_left",
            _("%(chips)d chips are still in play.") % {"chips": remains.chips},
            _("Have the books checked; chips are retired when a tournament ends."),
        )
