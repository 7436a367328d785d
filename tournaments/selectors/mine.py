"""What one player has to do now, what he has entered, what he plays, and what came of it.

A fixed number of queries, whatever he has played; what is over comes in pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import F
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments import money
from tournaments.amounts import in_unit
from tournaments.models import HOLDS_A_SEAT, Entry, EntryState, Placing, TableKind
from tournaments.play.after import TableNow, tables_now
from tournaments.selectors.calls import CallLine, calls_of
from tournaments.selectors.waiting import place_in_line
from tournaments.structure.lifecycle import State
from wording import named

PAST_A_PAGE: Final = 20
_BEFORE: Final = (State.ANNOUNCED, State.REGISTERING, State.CLOSED)
_DURING: Final = (State.RUNNING, State.PAUSED)
_OVER: Final = (State.COMPLETED, State.CANCELLED, State.ABORTED)
_TOOK_PART: Final = (*HOLDS_A_SEAT, EntryState.NO_SHOW)


class Need(NamedTuple):
    """Something that waits for the player: what, where, and how long still."""

    sentence: str
    button: str
    address: str
    seconds_left: int | None = None


class Coming(NamedTuple):
    """An entry into something that has not begun; `place` is that on the waitlist."""

    entry: Entry
    note: str
    place: int | None
    seconds_left: int | None


class Running(NamedTuple):
    """A tournament that is being played, with the player's open table if he sits at one."""

    entry: Entry
    note: str
    table: str
    """Its name in addresses, empty without one."""


class Past(NamedTuple):
    """A tournament that is over; amounts are written out."""

    entry: Entry
    rank: int | None
    note: str
    prize: str
    net: str
    is_gain: bool


class MyPlay(NamedTuple):
    """Everything on a player's own page."""

    needs: tuple[Need, ...]
    coming: tuple[Coming, ...]
    waiting: tuple[Coming, ...]
    running: tuple[Running, ...]
    past: tuple[Past, ...]
    page: Page[Any]


def my_play(*, player_id: int, page: str | int = 1, now: datetime) -> MyPlay:
    """A player's own page."""
    calls = calls_of(player_id)
    entries = list(_not_over(player_id))
    seats = list(_open_seats(player_id))
    tables = tables_now([seat.table.match_id for seat in seats])
    coming = [_coming(entry, now) for entry in entries if entry.tournament.state in _BEFORE]
    shown = Paginator(_past(player_id), PAST_A_PAGE).get_page(page)
    return MyPlay(
        needs=tuple(_needs(calls, entries, seats, tables, now)),
        coming=tuple(one for one in coming if one.place is None),
        waiting=tuple(one for one in coming if one.place is not None),
        running=tuple(_running(entries, seats, tables)),
        past=past_lines(player_id, list(shown)),
        page=shown,
    )


def _not_over(player_id: int) -> Any:
    """The player's entries into what is not over, with the place on the waitlist."""
    states = (*HOLDS_A_SEAT, EntryState.APPLIED, EntryState.WAITING)
    return (
        Entry.objects.filter(player=player_id, state__in=states)
        .filter(tournament__state__in=(*_BEFORE, *_DURING))
        .select_related("tournament")
        .annotate(place=Coalesce(place_in_line(), 0))
        .order_by(F("tournament__starts_at").asc(nulls_last=True), "tournament_id")
    )


def _open_seats(player_id: int) -> Any:
    """The player's seats at tables that are being played."""
    return (
        Placing.objects.filter(
            entry__player=player_id,
            table__is_over=False,
            table__round__tournament__state__in=_DURING,
        )
        .select_related("entry", "table__round__tournament", "table__match__table")
        .order_by("-table__round__number", "-pk")
    )


def _coming(entry: Any, now: datetime) -> Coming:
    starts_at = entry.tournament.starts_at
    left = None if starts_at is None else int((starts_at - now).total_seconds())
    waits = entry.state == EntryState.WAITING
    note = ""
    if entry.state == EntryState.APPLIED:
        note = _("The organiser has not decided yet.")
    elif entry.checked_in_at is not None:
        note = _("You have checked in.")
    return Coming(entry, note, entry.place if waits else None, left if left and left > 0 else None)


# What waits for the player


def _needs(
    calls: Iterable[CallLine],
    entries: Iterable[Entry],
    seats: Sequence[Placing],
    tables: Mapping[int, TableNow],
    now: datetime,
) -> Iterator[Need]:
    """Questions with a clock first, then tables, then check-ins."""
    asked = [seat for seat in seats if seat.seat in tables[seat.table.match_id].asked]
    for seat in asked:
        yield _question(seat, tables[seat.table.match_id].question, now)
    answered = {seat.table.match.table.public_id for seat in asked}
    yield from (_call(call) for call in calls if call.table not in answered)
    for entry in entries:
        if need := _check_in(entry, now):
            yield need


def _question(seat: Placing, question: str, now: datetime) -> Need:
    match, tournament = seat.table.match, seat.table.round.tournament
    sentences = {
        "rejoin": _("%(tournament)s: you are out. Do you buy in again?"),
        "rebuy": _("%(tournament)s: you have too few chips. Do you buy more?"),
        "split": _("%(tournament)s: somebody offers to split the prize. Do you accept?"),
    }
    left = None if match.due_at is None else max(0, int((match.due_at - now).total_seconds()))
    address = reverse("tables:table", args=[match.table.public_id])
    return Need(
        sentences[question] % {"tournament": named(tournament.name)}, _("Answer"), address, left
    )


def _call(call: CallLine) -> Need:
    said = {"tournament": named(call.tournament_name), "table": call.table_number}
    sentence = _("%(tournament)s: your seat at table %(table)d is ready.")
    if call.is_tie_break:
        sentence = _("%(tournament)s: a tie-break waits for you at table %(table)d.")
    address = reverse("tables:table", args=[call.table])
    return Need(sentence % said, _("Take your seat"), address)


def _check_in(entry: Entry, now: datetime) -> Need | None:
    tournament = entry.tournament
    opens, closes = tournament.check_in_opens_at, tournament.check_in_closes_at
    if entry.state != EntryState.ENTERED or entry.checked_in_at is not None:
        return None
    if opens is None or closes is None or not opens <= now < closes:
        return None
    if tournament.check_in_ended_at is not None:
        return None
    sentence = _("%(tournament)s: say that you are there, or you lose your seat.")
    return Need(
        sentence % {"tournament": named(tournament.name)},
        _("To the check-in"),
        reverse("tournaments:tournament", args=[tournament.public_id]),
        int((closes - now).total_seconds()),
    )


# What is being played


def _running(
    entries: Iterable[Entry], seats: Sequence[Placing], tables: Mapping[int, TableNow]
) -> Iterator[Running]:
    at: dict[int, Placing] = {}
    for seat in seats:
        at.setdefault(seat.table.round.tournament_id, seat)
    for entry in entries:
        if entry.tournament.state not in _DURING or entry.state == EntryState.WAITING:
            continue
        sits = at.get(entry.tournament_id)
        if sits is None:
            yield Running(entry, _without_table(entry), "")
        else:
            note = _at_table(sits, tables[sits.table.match_id])
            yield Running(entry, note, sits.table.match.table.public_id)


def _without_table(entry: Entry) -> str:
    if entry.state == EntryState.PLAYING:
        return _("You go on; your next table is not open yet.")
    return _("You are out; your rank is known when the others have played.")


def _at_table(seat: Placing, now: TableNow) -> str:
    score, table = now.scores.get(seat.seat), seat.table
    said = {"round": table.round.number, "table": table.number}
    where = _("Round %(round)d, table %(table)d") % said
    if table.kind == TableKind.TIE_BREAK:
        where = _("Round %(round)d, tie-break at table %(table)d") % said
    if score is None:
        return where
    standing = _("place %(place)d, total %(score)s") % {"place": score.place, "score": score.score}
    return f"{where}: {standing}"


# What is over


def _past(player_id: int) -> Any:
    took_part = Entry.objects.filter(player=player_id, state__in=_TOOK_PART)
    over = took_part.filter(tournament__over_at__isnull=False, tournament__state__in=_OVER)
    return over.select_related("tournament").order_by("-tournament__over_at", "-pk")


def past_lines(player_id: int, entries: Sequence[Entry]) -> tuple[Past, ...]:
    """Lines of entries (with their tournaments) into what is over. Two queries."""
    net = money.net_of_player(player_id, [entry.tournament for entry in entries]) if entries else {}
    return tuple(_line(entry, net[entry.tournament_id]) for entry in entries)


def _line(entry: Entry, net: int) -> Past:
    tournament = entry.tournament
    notes = {
        State.CANCELLED: _("cancelled"),
        State.ABORTED: _("called off"),
    }
    note = _("not checked in") if entry.state == EntryState.NO_SHOW else ""
    sign = "+" if net > 0 else "−" if net < 0 else ""
    return Past(
        entry=entry,
        rank=entry.rank,
        note=note or notes.get(State(tournament.state), ""),
        prize=in_unit(entry.prize, tournament.asset) if entry.prize else "",
        net=sign + in_unit(abs(net), tournament.asset),
        is_gain=net > 0,
    )
