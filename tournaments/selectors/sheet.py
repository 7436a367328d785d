"""What the pages of one tournament show: overview, prizes, entrants, log."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, F, IntegerField, Value, When
from django.db.models.expressions import Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournaments import money, play
from tournaments.amounts import in_unit
from tournaments.models import HOLDS_A_SEAT, Entry, EntryState, LogLine, Shape, Tournament
from tournaments.play.rules import Section, rules_in_words
from tournaments.selectors.lists import (
    Card,
    card_of,
    player_name,
    public_tournaments,
    readable_terms,
    with_counts,
    words_of_action,
)
from tournaments.selectors.prizes import PrizeTable, names_of, prize_tables
from tournaments.structure.lifecycle import State, is_live
from tournaments.structure.tickets import PrizeRow
from wording import number_text

ENTRANTS_A_PAGE: Final = 50
PRIZES_A_PAGE: Final = 100
ASIDE_SHOWN: Final = 100
PRIZES_SHOWN: Final = 20
LOG_SHOWN: Final = 200


class Prize(NamedTuple):
    """What a rank gets, written out, and that as a share of the pool."""

    rank: int
    amount: str
    share: str


class Row(NamedTuple):
    """An entry in the standings."""

    entry: Entry
    name: str
    about: str
    """Number (where the rank stands in its place), seed, rejoins, and whether a bot plays."""
    prize: str
    chips: str
    """In timed levels while they are played, else empty."""


class Aside(NamedTuple):
    """Entries that take no part, by what became of them; `more` are not listed."""

    title: str
    entries: tuple[Entry, ...]
    more: int


class TotalsSheet(NamedTuple):
    """What moved for a tournament, written out; nothing is unaccounted for when it is balanced."""

    lines: tuple[tuple[str, str], ...]
    is_settled: bool
    is_balanced: bool


class Overview(NamedTuple):
    """What a tournament's page begins with; `cannot` says why its terms cannot be read."""

    card: Card
    fee_parts: str
    prizes: tuple[Prize, ...]
    more_prizes: bool
    prizes_are_final: bool
    rules: tuple[Section, ...]


class PrizesPage(NamedTuple):
    """All prizes of a page: for every seat taken, and as they are; and where the points went."""

    expected: PrizeList
    actual: PrizeList | None
    totals: TotalsSheet


class PrizeList(NamedTuple):
    """The prizes of a pool, written out."""

    entries: int
    pool: str
    overlay: str
    to_house: str
    rows: Page[Any]
    prizes: tuple[Prize, ...]


class EntrantsPage(NamedTuple):
    """Who has a seat, in the order of ranks, of chips in timed levels, or of joining."""

    page: Page[Any]
    rows: tuple[Row, ...]
    asides: tuple[Aside, ...]
    is_over: bool
    has_chips: bool


def overview(tournament: Tournament) -> Overview:
    """Facts, first prizes and rules. A fixed number of queries."""
    counted: Any = with_counts(public_tournaments()).get(pk=tournament.pk)
    terms = readable_terms(tournament)
    received = money.pool_received(tournament) if tournament.started_at else None
    prizes = _prizes(counted, terms, received)
    return Overview(
        card=card_of(counted, received),
        fee_parts=_fee_parts(tournament),
        prizes=prizes[:PRIZES_SHOWN],
        more_prizes=len(prizes) > PRIZES_SHOWN,
        prizes_are_final=received is not None,
        rules=() if terms is None else _rules(tournament, terms),
    )


def _rules(tournament: Tournament, terms: play.TournamentTerms) -> tuple[Section, ...]:
    return rules_in_words(
        terms,
        Shape(tournament.shape),
        lambda amount: in_unit(amount, tournament.asset),
        has_check_in=tournament.check_in_closes_at is not None,
    )


def prizes_page(tournament: Tournament, page: str | int = 1) -> PrizesPage:
    """Every prize, in pages. Raises `TournamentRefusal(BAD_TERMS)`."""
    tables = prize_tables(tournament)
    actual = None if tables.actual is None else _prize_list(tournament, tables.actual, page)
    totals = money.totals_of(tournament)
    return PrizesPage(
        _prize_list(tournament, tables.expected, page), actual, _totals(tournament, totals)
    )


def _prize_list(tournament: Tournament, table: PrizeTable, page: str | int) -> PrizeList:
    asset = tournament.asset
    rows = Paginator(table.rows, PRIZES_A_PAGE).get_page(page)
    targets = names_of({row.ticket for row in rows if row.ticket})
    return PrizeList(
        entries=table.entries,
        pool=in_unit(table.pool, asset),
        overlay=in_unit(table.overlay, asset) if table.overlay > 0 else "",
        to_house=in_unit(table.to_house, asset) if table.to_house else "",
        rows=rows,
        prizes=tuple(_prize(row, asset, targets) for row in rows),
    )


def entrants_page(tournament: Tournament, page: str | int = 1) -> EntrantsPage:
    """A page of those who have a seat, and who takes no part."""
    has_chips = tournament.shape == Shape.LEVELS and is_live(State(tournament.state))
    shown = _by_chips(tournament, page) if has_chips else _entrants(tournament, page)
    asset = tournament.asset
    return EntrantsPage(
        page=shown,
        rows=tuple(_row(entry, asset) for entry in shown),
        asides=_asides(tournament),
        is_over=tournament.state == State.COMPLETED,
        has_chips=has_chips,
    )


def log_of(tournament: Tournament) -> tuple[LogLine, ...]:
    """Who changed the state, when and why; the first lines of it. `happened` says it in words."""
    lines: list[Any] = list(tournament.log.order_by("id")[:LOG_SHOWN])
    for line in lines:
        line.happened = words_of_action(line.action)
    return tuple(lines)


def _by_chips(tournament: Tournament, page: str | int) -> Page[Any]:
    """Those who hold chips in timed levels, most first, then those who are out."""
    numbered = tournament.entries.filter(state__in=HOLDS_A_SEAT).values_list("pk", "number")
    numbers = dict(numbered)
    stacks = money.stacks_of(tournament=tournament, entry_ids=sorted(numbers))
    order = sorted(numbers, key=lambda entry: (-stacks[entry], numbers[entry]))
    shown = Paginator(order, ENTRANTS_A_PAGE).get_page(page)
    rows: dict[int, Any] = Entry.objects.select_related("player").in_bulk(list(shown))
    for pk, entry in rows.items():
        entry.chips = stacks[pk]
    shown.object_list = [rows[pk] for pk in shown]
    return shown


def _fee_parts(tournament: Tournament) -> str:
    if not tournament.house_fee:
        return gettext("all of it goes into the prize pool")
    words = gettext("%(fee)s of it for the organiser")
    return words % {"fee": in_unit(tournament.house_fee, tournament.asset)}


def _prizes(
    tournament: Any, terms: play.TournamentTerms | None, received: int | None
) -> tuple[Prize, ...]:
    """The prize table: for all seats taken before the start, then the real one."""
    if terms is None:
        return ()
    tables = prize_tables(tournament, entries=tournament.seats, received=received)
    table = tables.expected if tables.actual is None else tables.actual
    if not table.pool:
        return ()
    rows = table.rows[: PRIZES_SHOWN + 1]
    targets = names_of({row.ticket for row in rows if row.ticket})
    return tuple(_prize(row, tournament.asset, targets) for row in rows)


def _prize(row: PrizeRow, asset: str, targets: dict[str, str]) -> Prize:
    parts = [in_unit(row.amount, asset)] if row.amount else []
    if row.ticket:
        worth = in_unit(row.ticket_value, asset)
        words = gettext("a ticket for %(name)s, worth %(worth)s")
        parts.append(words % {"name": targets.get(row.ticket, row.ticket), "worth": worth})
    return Prize(row.rank, gettext(" and ").join(parts), f"{row.share / 100:g} %")


def _entrants(tournament: Any, page: str | int) -> Page[Entry]:
    """Who has a seat: by rank, then who still plays, then by number."""
    still_in = Case(
        When(state=EntryState.OUT, then=Value(1)), default=Value(0), output_field=IntegerField()
    )
    entries = (
        tournament.entries.filter(state__in=HOLDS_A_SEAT)
        .select_related("player")
        .order_by(F("rank").asc(nulls_last=True), still_in, "number")
    )
    return Paginator(entries, ENTRANTS_A_PAGE).get_page(page)


def _row(entry: Entry, asset: str) -> Row:
    about = [] if entry.rank is None else [gettext("no. %(n)d") % {"n": entry.number}]
    if entry.seed:
        about.append(gettext("seed %(n)d") % {"n": entry.seed})
    if entry.rejoins:
        words = ngettext("%(n)d rejoin", "%(n)d rejoins", entry.rejoins)
        about.append(words % {"n": entry.rejoins})
    if entry.bot:
        about.append(str(_BOTS.get(entry.bot, entry.bot)))
    chips = getattr(entry, "chips", None)
    return Row(
        entry,
        player_name(entry),
        " · ".join(about),
        in_unit(entry.prize, asset),
        "" if chips is None else number_text(chips),
    )


_BOTS: Final = {
    "random_legal": _("random bot"),
    "steady": _("steady bot"),
    "sharp": _("sharp bot"),
}
_ASIDES: Final = {
    EntryState.WAITING: _("On the waitlist"),
    EntryState.NOT_SEATED: _("Waited, and no seat became free"),
    EntryState.WITHDRAWN: _("Withdrawn"),
}


def _asides(tournament: Tournament) -> tuple[Aside, ...]:
    counts = dict(
        tournament.entries.filter(state__in=list(_ASIDES))
        .order_by()
        .values_list("state")
        .annotate(Count("id"))
    )
    place = Window(RowNumber(), partition_by="state", order_by="number")
    listed = list(
        tournament.entries.filter(state__in=list(_ASIDES))
        .select_related("player")
        .annotate(place=place)
        .filter(place__lte=ASIDE_SHOWN)
        .order_by("number")
    )
    found = []
    for state, title in _ASIDES.items():
        entries = tuple(entry for entry in listed if entry.state == state)
        if entries:
            found.append(Aside(str(title), entries, counts[state] - len(entries)))
    return tuple(found)


def _totals(tournament: Tournament, totals: money.Totals) -> TotalsSheet:
    """In, out, and whether the two meet once nothing more will move."""
    asset = tournament.asset
    lines = [
        (gettext("Received"), totals.received),
        (gettext("Refunded"), totals.refunded),
        *([(gettext("Added by the house"), totals.overlay)] if totals.overlay else []),
        (gettext("Paid in prizes"), totals.paid),
        (gettext("Kept as the organiser's fee"), totals.fee),
    ]
    came_in = totals.received - totals.refunded + totals.overlay
    return TotalsSheet(
        lines=tuple((title, in_unit(amount, asset)) for title, amount in lines),
        is_settled=tournament.over_at is not None,
        is_balanced=came_in == totals.paid + totals.fee,
    )
