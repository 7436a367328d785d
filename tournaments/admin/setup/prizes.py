"""The table of prizes as an organiser writes it, and the structure that it is.

A row is for ranks from–to: a share in percent or an amount *each*, and perhaps a ticket. Where
prizes go by the number of entries, rows with the same "up to" belong together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from django import forms
from django.forms.formsets import BaseFormSet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.setup.fields import PercentField, TypedAmount, choice, whole
from tournaments.amounts import read_amount, typed_amount
from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.prizes import (
    MAX_PRIZES,
    ByEntries,
    EntriesRow,
    FixedAmounts,
    Percentages,
    PrizeStructure,
    Surplus,
    WinnerTakesAll,
)
from tournaments.structure.tickets import TicketPrize

MAX_ROWS: Final = 300
WINNER: Final = "winner"
SHARES: Final = "shares"
FIXED: Final = "fixed"
BY_ENTRIES: Final = "by_entries"
KINDS: Final = (
    (SHARES, gettext_lazy("Shares of the prize pool")),
    (WINNER, gettext_lazy("The winner takes all")),
    (FIXED, gettext_lazy("Fixed amounts")),
    (BY_ENTRIES, gettext_lazy("Shares that depend on how many enter")),
)
SURPLUS: Final = (
    (Surplus.TO_PRIZES, gettext_lazy("all prizes grow with it")),
    (Surplus.TO_HOUSE, gettext_lazy("the house keeps the rest")),
)


class PrizeRow(forms.Form):
    """A row of the table; one that says nothing is left out."""

    up_to = whole(gettext_lazy("Up to … entries"), 1, 100_000, required=False)
    rank_from = whole(gettext_lazy("From rank"), 1, MAX_PRIZES, required=False)
    rank_to = whole(gettext_lazy("to rank"), 1, MAX_PRIZES, required=False)
    share = PercentField(label=gettext_lazy("Share each, %"), required=False)
    amount = TypedAmount(label=gettext_lazy("Amount each"), required=False)
    ticket = choice(gettext_lazy("Ticket for"), (), required=False)
    ticket_value = TypedAmount(label=gettext_lazy("Ticket's worth"), required=False)

    def __init__(
        self, *args: Any, asset: str, targets: Sequence[tuple[str, str]], **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.asset = asset
        ticket: Any = self.fields["ticket"]
        ticket.choices = [("", "–"), *targets]

    def clean(self) -> dict[str, Any]:
        """Ranks from–to, and amounts in the smallest unit."""
        read: dict[str, Any] = super().clean() or {}
        first, last = read.get("rank_from"), read.get("rank_to")
        if first and last and last < first:
            self.add_error("rank_to", _("The last rank must not come before the first."))
        for field in ("amount", "ticket_value"):
            if not read.get(field):
                read[field] = None
                continue
            try:
                read[field] = read_amount(read[field], self.asset)
            except ValueError as fault:
                self.add_error(field, str(fault))
        if any(read.get(field) for field in ("share", "amount", "ticket")) and not first:
            self.add_error("rank_from", _("For which rank?"))
        if read.get("ticket") and read.get("ticket_value") is None:
            self.add_error("ticket_value", _("What is the ticket worth?"))
        return read


class PrizeRows(BaseFormSet):
    """The whole table."""

    @property
    def read(self) -> list[dict[str, Any]]:
        """What the rows say that say something, in their order."""
        rows = [form.cleaned_data for form in self.forms if form.is_valid()]
        return [row for row in rows if row.get("rank_from")]


PrizesFormSet: Final[Any] = forms.formset_factory(
    PrizeRow, formset=PrizeRows, extra=2, max_num=MAX_ROWS
)
"""The table with two empty rows below."""


def structure_of(
    kind: str, rows: list[dict[str, Any]], *, is_guaranteed: bool, surplus: str
) -> PrizeStructure:
    """What the table says. Raises `StructureError`, whose field is `prizes`."""
    try:
        match kind:
            case "winner":
                return WinnerTakesAll()
            case "fixed":
                amounts = _by_rank(rows, "amount", _("Give rank %(n)d an amount."))
                return FixedAmounts(amounts, is_guaranteed, Surplus(surplus))
            case "by_entries":
                return ByEntries(tuple(_entry_rows(rows)))
            case _:
                return Percentages(_by_rank(rows, "share", _("Give rank %(n)d a share.")))
    except StructureError as fault:
        raise StructureError(fault.code, fault.sentence, field="prizes") from fault


def _entry_rows(rows: list[dict[str, Any]]) -> Iterable[EntriesRow]:
    together = sorted(rows, key=lambda row: row["up_to"] or 10**9)
    for limit, some in groupby(together, key=lambda row: row["up_to"]):
        yield EntriesRow(limit, _by_rank(list(some), "share", _("Give rank %(n)d a share.")))


def _by_rank(rows: list[dict[str, Any]], field: str, missing: str) -> tuple[int, ...]:
    """The value of each rank from 1 on, without a gap."""
    found: dict[int, int] = {}
    for row in rows:
        if row[field] is None:
            continue
        for rank in range(row["rank_from"], (row["rank_to"] or row["rank_from"]) + 1):
            if rank in found:
                raise _bad(_("Rank %(n)d stands there twice.") % {"n": rank})
            found[rank] = row[field]
    for rank in range(1, max(found, default=1) + 1):
        if rank not in found:
            raise _bad(missing % {"n": rank})
    return tuple(found[rank] for rank in sorted(found))


def _bad(sentence: str) -> StructureError:
    return StructureError(StructureCode.BAD_ROWS, sentence, field="prizes")


def tickets_of(rows: list[dict[str, Any]]) -> tuple[TicketPrize, ...]:
    """The tickets in the table, by rank. Raises `StructureError`."""
    return tuple(
        TicketPrize(rank, row["ticket"], row["ticket_value"])
        for row in rows
        if row["ticket"]
        for rank in range(row["rank_from"], (row["rank_to"] or row["rank_from"]) + 1)
    )


def table_of(
    prizes: PrizeStructure, tickets: Sequence[TicketPrize], asset: str
) -> tuple[str, list[dict[str, Any]]]:
    """A structure as kind and rows, for the form to show; ranks with the same are put together."""
    promised = {ticket.rank: ticket for ticket in tickets}
    match prizes:
        case WinnerTakesAll():
            return WINNER, _tickets_alone(promised, asset)
        case FixedAmounts():
            values = [typed_amount(amount, asset) for amount in prizes.amounts]
            return FIXED, _rows("amount", values, promised, asset)
        case ByEntries():
            rows: list[dict[str, Any]] = []
            for row in prizes.rows:
                some = _rows("share", row.basis_points, {}, asset)
                rows += [one | {"up_to": row.up_to_entries} for one in some]
            return BY_ENTRIES, rows + _tickets_alone(promised, asset)
        case _:
            return SHARES, _rows("share", prizes.basis_points, promised, asset)


def _tickets_alone(promised: dict[int, TicketPrize], asset: str) -> list[dict[str, Any]]:
    return [
        {"rank_from": rank, "rank_to": rank, **_ticket(ticket, asset)}
        for rank, ticket in sorted(promised.items())
    ]


def _ticket(ticket: TicketPrize | None, asset: str) -> dict[str, Any]:
    if ticket is None:
        return {}
    return {"ticket": ticket.target, "ticket_value": typed_amount(ticket.value, asset)}


def _rows(
    field: str, values: Sequence[Any], promised: dict[int, TicketPrize], asset: str
) -> list[dict[str, Any]]:
    """A row for each run of ranks that get the same, tickets included."""
    ranks = [(rank, value, promised.get(rank)) for rank, value in enumerate(values, 1)]
    rows = []
    for (value, key), some in groupby(
        ranks, key=lambda one: (one[1], one[2] and (one[2].target, one[2].value))
    ):
        together = list(some)
        first, last = together[0], together[-1]
        ticket = first[2] if key else None
        rows.append(
            {
                "rank_from": first[0],
                "rank_to": last[0],
                field: value,
                **_ticket(ticket, asset),
            }
        )
    beyond = {rank: one for rank, one in promised.items() if rank > len(values)}
    return rows + _tickets_alone(beyond, asset)
