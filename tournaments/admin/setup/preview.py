"""What a form would give, before anything is saved: the money that adds up, and prizes by rank.

Pure but for the names of tickets' targets: form in, amounts written out. A form that is not ready
yet gives a sentence of what is missing instead.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgspec
from django.utils.translation import gettext as _

from tournaments import play, selectors
from tournaments.admin.setup.draft import draft_from
from tournaments.admin.setup.form import Setup
from tournaments.admin.setup.prizes import structure_of, tickets_of
from tournaments.amounts import in_unit
from tournaments.models import Shape
from tournaments.play import catalogue
from tournaments.play.rules import Section, rules_in_words
from tournaments.refusals import sentence_of
from tournaments.selectors.prizes import PrizeTable, names_of
from tournaments.services.drafting import Draft, checked
from tournaments.structure.prizes import prize_table

RANKS_SHOWN: Final = 30


class Rank(NamedTuple):
    """A line of the prizes, written out; `ranks` is one rank or a run that gets the same."""

    ranks: str
    prize: str
    share: str
    is_rounded_up: bool


class Field(NamedTuple):
    """What it comes to with so many entries."""

    entries: int
    pool: str
    first: str


class Money(NamedTuple):
    """Everything of a preview; `lines` are the sum, from the fees down to the pool."""

    entries: int
    lines: tuple[tuple[str, str], ...]
    pool: str
    total: str
    adds_up: bool
    ranks: tuple[Rank, ...]
    more: int
    rounded_up: int
    fields: tuple[Field, ...]


class Asked(NamedTuple):
    """What a preview is made of: the pricing of a draft, and so many entries."""

    terms: play.TournamentTerms
    asset: str
    entry_fee: int
    house_fee: int
    capacity: int
    min_entries: int


class Preview(NamedTuple):
    """The money, or what keeps it from being worked out; the rules where the form is whole."""

    money: Money | None
    problem: str
    rules: tuple[Section, ...]


def preview_of(setup: Setup, base: Draft | None, wanted: str = "") -> Preview:
    """What the form as it stands would give with the wanted number of entries, or all seats."""
    setup.is_valid()
    rules = _rules(setup, base)
    read: dict[str, Any] = setup.form.cleaned_data
    try:
        asked = _asked(setup, read, base)
        if asked is None:
            return Preview(None, "", rules)
        money = money_of(asked, _entries(wanted, asked.capacity))
    except Exception as refusal:
        return Preview(None, sentence_of(refusal), rules)
    return Preview(money, "", rules)


def words_of(draft: Draft) -> tuple[Section, ...]:
    """The rules of a draft as players will read them."""
    return rules_in_words(
        draft.terms,
        draft.shape,
        lambda amount: in_unit(amount, draft.asset),
        has_check_in=draft.times.check_in_closes_at is not None,
    )


def _rules(setup: Setup, base: Draft | None) -> tuple[Section, ...]:
    if setup.has_errors:
        return ()
    try:
        return words_of(checked(draft_from(setup, base)))
    except Exception as refusal:
        sentence_of(refusal)
        return ()


def _entries(wanted: str, capacity: int) -> int:
    if wanted.isdecimal() and 1 <= int(wanted[:6]) <= max(capacity, 2):
        return int(wanted[:6])
    return capacity


def _asked(setup: Setup, read: dict[str, Any], base: Draft | None) -> Asked | None:
    """The parts of the form that the money depends on; None where one is missing."""
    capacity = read.get("capacity")
    if "money" not in setup.parts and base is not None:
        return Asked(
            base.terms,
            base.asset,
            base.entry_fee,
            base.house_fee,
            capacity or base.capacity,
            read.get("min_entries") or base.min_entries,
        )
    fee, house = read.get("entry_fee"), read.get("house_fee", 0)
    if fee is None or capacity is None or house is None or house > fee:
        return None
    if setup.prizes.total_error_count() or "guarantee" not in read:
        return None
    return Asked(
        _priced(setup, read),
        setup.form.played_for,
        fee,
        house,
        capacity,
        read.get("min_entries") or 2,
    )


def _priced(setup: Setup, read: dict[str, Any]) -> play.TournamentTerms:
    rows = setup.prizes.read
    prizes = structure_of(
        read.get("prize_kind", ""),
        rows,
        is_guaranteed=bool(read.get("is_guaranteed")),
        surplus=read.get("surplus") or "to_prizes",
    )
    usual = catalogue.usual_terms(Shape(setup.form.chosen))
    return msgspec.structs.replace(
        usual, prizes=prizes, tickets=tickets_of(rows), guarantee=read["guarantee"]
    )


def money_of(asked: Asked, entries: int) -> Money:
    """The sum and the prizes for so many entries. Raises `StructureError`."""
    table = _table(asked, entries)
    total = sum(row.amount + row.ticket_value for row in table.rows)
    rounded = _rounded_up(asked, table)
    ranks = _ranks(table, asked.asset, rounded)
    fields = sorted({asked.min_entries, (asked.capacity + 1) // 2, asked.capacity})
    return Money(
        entries=entries,
        lines=_lines(asked, table),
        pool=in_unit(table.pool, asked.asset),
        total=in_unit(total, asked.asset),
        adds_up=total + table.to_house == table.pool,
        ranks=ranks[:RANKS_SHOWN],
        more=max(0, len(ranks) - RANKS_SHOWN),
        rounded_up=len(rounded),
        fields=tuple(_field(asked, number) for number in fields),
    )


def _table(asked: Asked, entries: int) -> PrizeTable:
    return selectors.prize_preview(
        asked.terms, entries=entries, entry_fee=asked.entry_fee, house_fee=asked.house_fee
    )


def _field(asked: Asked, entries: int) -> Field:
    table = _table(asked, entries)
    first = table.rows[0] if table.rows else None
    worth = 0 if first is None else first.amount + first.ticket_value
    return Field(entries, in_unit(table.pool, asked.asset), in_unit(worth, asked.asset))


def _lines(asked: Asked, table: PrizeTable) -> tuple[tuple[str, str], ...]:
    def unit(amount: int) -> str:
        return in_unit(amount, asked.asset)

    def line(words: str, each: int) -> tuple[str, str]:
        parts = {"n": table.entries, "each": unit(each)}
        return words % parts, unit(table.entries * each)

    lines = [line(_("%(n)d entries of %(each)s"), asked.entry_fee)]
    if asked.house_fee:
        title, amount = line(_("for the house, %(n)d times %(each)s"), asked.house_fee)
        lines.append((title, f"− {amount}"))
    if table.overlay > 0:
        lines.append((_("added by the house"), f"+ {unit(table.overlay)}"))
    if table.to_house:
        lines.append((_("of the pool back to the house"), f"− {unit(table.to_house)}"))
    return tuple(lines)


def _rounded_up(asked: Asked, table: PrizeTable) -> frozenset[int]:
    """Ranks that got a smallest unit because their remainder was the largest."""
    cash = table.pool - sum(row.ticket_value for row in table.rows)
    shared = prize_table(asked.terms.prizes, cash, table.entries, shrink=True)
    return frozenset(prize.rank for prize in shared.prizes if prize.is_rounded_up)


def _ranks(table: PrizeTable, asset: str, rounded: frozenset[int]) -> tuple[Rank, ...]:
    targets = names_of({row.ticket for row in table.rows if row.ticket})
    found: list[tuple[int, int, str, str, bool]] = []
    for row in table.rows:
        parts = [in_unit(row.amount, asset)] if row.amount or not row.ticket else []
        if row.ticket:
            name = targets.get(row.ticket, row.ticket)
            worth = in_unit(row.ticket_value, asset)
            words = _("a ticket for %(name)s, worth %(worth)s")
            parts.append(words % {"name": name, "worth": worth})
        prize, share = " + ".join(parts), f"{row.share / 100:g} %"
        is_up = row.rank in rounded
        if found and found[-1][2:] == (prize, share, is_up):
            found[-1] = (found[-1][0], row.rank, prize, share, is_up)
        else:
            found.append((row.rank, row.rank, prize, share, is_up))
    return tuple(
        Rank(f"{low}" if low == high else f"{low}–{high}", prize, share, is_up)
        for low, high, prize, share, is_up in found
    )
