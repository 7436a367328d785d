"""Everything that a tournament's own page shows."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, F, IntegerField, Value, When
from django.db.models.expressions import Window
from django.db.models.functions import RowNumber

from tournaments import money, play
from tournaments.amounts import in_unit
from tournaments.models import HOLDS_A_SEAT, Entry, EntryState, LogLine, Tournament
from tournaments.selectors.lists import (
    Card,
    card_of,
    player_name,
    public_tournaments,
    readable_terms,
    unknown,
    with_counts,
)
from tournaments.selectors.prizes import names_of, prize_tables
from tournaments.selectors.rounds import RoundSheet, round_sheets
from tournaments.structure.tickets import PrizeRow

ENTRANTS_A_PAGE: Final = 100
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


class TournamentSheet(NamedTuple):
    """Everything a tournament's page shows."""

    card: Card
    fee_parts: str
    prizes: tuple[Prize, ...]
    prizes_are_final: bool
    entrants: Page[Entry]
    rows: tuple[Row, ...]
    """The entrants of this page."""
    asides: tuple[Aside, ...]
    rounds: tuple[RoundSheet, ...]
    totals: TotalsSheet
    log: tuple[LogLine, ...]


def tournament_sheet(public_id: str, page: str | int = 1) -> TournamentSheet:
    """A tournament's page. Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`."""
    found = with_counts(public_tournaments()).filter(public_id=public_id).first()
    if found is None:
        raise unknown()
    tournament: Any = found
    terms, asset = readable_terms(tournament), tournament.asset
    totals = money.totals_of(tournament)
    has_started = tournament.started_at is not None
    received = money.pool_received(tournament) if has_started else None
    entrants = _entrants(tournament, page)
    return TournamentSheet(
        card=card_of(tournament, received),
        fee_parts=_fee_parts(tournament),
        prizes=_prizes(tournament, terms, received),
        prizes_are_final=has_started,
        entrants=entrants,
        rows=tuple(_row(entry, asset) for entry in entrants),
        asides=_asides(tournament),
        rounds=round_sheets(tournament),
        totals=_totals(tournament, totals),
        log=tuple(tournament.log.order_by("id")[:LOG_SHOWN]),
    )


def _fee_parts(tournament: Tournament) -> str:
    if not tournament.house_fee:
        return "all of it goes into the prize pool"
    return f"{in_unit(tournament.house_fee, tournament.asset)} of it for the organiser"


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
    targets = names_of({row.ticket for row in table.rows[:PRIZES_SHOWN] if row.ticket})
    return tuple(_prize(row, tournament.asset, targets) for row in table.rows[:PRIZES_SHOWN])


def _prize(row: PrizeRow, asset: str, targets: dict[str, str]) -> Prize:
    parts = [in_unit(row.amount, asset)] if row.amount else []
    if row.ticket:
        worth = in_unit(row.ticket_value, asset)
        parts.append(f"a ticket for {targets.get(row.ticket, row.ticket)}, worth {worth}")
    return Prize(row.rank, " and ".join(parts), f"{row.share / 100:g} %")


class _Counted(Paginator):
    """A paginator that is told how many there are."""

    count = 0


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
    pages = _Counted(entries, ENTRANTS_A_PAGE)
    pages.count = tournament.seats
    return pages.get_page(page)


def _row(entry: Entry, asset: str) -> Row:
    about = [] if entry.rank is None else [f"no. {entry.number}"]
    if entry.seed:
        about.append(f"seed {entry.seed}")
    if entry.rejoins:
        about.append("1 rejoin" if entry.rejoins == 1 else f"{entry.rejoins} rejoins")
    if entry.bot:
        about.append(f"{entry.bot.replace('_', ' ')} bot")
    return Row(entry, player_name(entry), " · ".join(about), in_unit(entry.prize, asset))


_ASIDES: Final = {
    EntryState.WAITING: "On the waitlist",
    EntryState.NOT_SEATED: "Waited, and no seat became free",
    EntryState.WITHDRAWN: "Withdrawn",
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
            found.append(Aside(title, entries, counts[state] - len(entries)))
    return tuple(found)


def _totals(tournament: Tournament, totals: money.Totals) -> TotalsSheet:
    """In, out, and whether the two meet once nothing more will move."""
    asset = tournament.asset
    lines = [
        ("Received", totals.received),
        ("Refunded", totals.refunded),
        *([("Added by the house", totals.overlay)] if totals.overlay else []),
        ("Paid in prizes", totals.paid),
        ("Kept as the organiser's fee", totals.fee),
    ]
    came_in = totals.received - totals.refunded + totals.overlay
    return TotalsSheet(
        lines=tuple((title, in_unit(amount, asset)) for title, amount in lines),
        is_settled=tournament.over_at is not None,
        is_balanced=came_in == totals.paid + totals.fee,
    )
