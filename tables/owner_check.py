"""All tables of one owner looked at together: what was played there, and what is wrong.

Every deal's log is replayed and compared with its row, result and shuffle; every match's log with
its row. Nothing here writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max

from tables import store
from tables.models import Deal, DealEvent, Match, MatchEntry, MatchStatus
from tables.rules.errors import RuleViolation
from tables.rules.formats import MatchOver
from tables.rules.formats.base import DealScored
from tables.selectors import check_deal

AT_ONCE = 50
"""Matches or deals read at once."""


class Tally(NamedTuple):
    """How much was played: matches, deals, and commands that were played in deals."""

    matches: int
    deals: int
    commands: int


def tally_of(owner: str) -> Tally:
    """What was played at the tables of an owner. Three queries."""
    matches = Match.objects.filter(table__owner=owner)
    events = DealEvent.objects.filter(deal__match__table__owner=owner, command_id__isnull=False)
    deals = Deal.objects.filter(match__table__owner=owner).count()
    on_sheets = MatchEntry.objects.filter(
        match__table__owner=owner, match__in_person=True, kind=_kind(DealScored)
    ).count()
    commands = events.exclude(command_id="open").count()
    return Tally(matches.count(), deals + on_sheets, commands)


def last_moment(owner: str, match_id: int | None = None) -> datetime | None:
    """When something last happened at an owner's tables, or in one match; None for never."""
    matches = Match.objects.filter(table__owner=owner)
    if match_id is not None:
        matches = matches.filter(pk=match_id)
    opened = matches.aggregate(at=Max("opened_at"))["at"]
    entered = MatchEntry.objects.filter(match__in=matches).aggregate(at=Max("at"))["at"]
    live = DealEvent.objects.filter(deal__match__in=matches, deal__over_at__isnull=True)
    moved = live.aggregate(at=Max("at"))["at"]
    return max((at for at in (opened, entered, moved) if at is not None), default=None)


def faults_at(owner: str) -> Iterator[str]:
    """What is wrong at the tables of an owner, in sentences that name the table."""
    yield from _match_faults(owner)
    deals = Deal.objects.filter(match__table__owner=owner).select_related("match__table")
    for deal in deals.order_by("pk").iterator(AT_ONCE):
        for fault in check_deal(deal).faults:
            yield f"{deal.label}: {fault}"


def _match_faults(owner: str) -> Iterator[str]:
    matches = Match.objects.filter(table__owner=owner).select_related("table")
    for match in matches.order_by("pk").iterator(AT_ONCE):
        for fault in _faults_of(match):
            yield f"{match.table.label}: {fault}"


def _faults_of(match: Match) -> Iterator[str]:
    """A match's row against its log: status, length, deals."""
    entries = match.entries.count()
    if entries != match.version:
        yield f"The log has {entries} entries, the row says {match.version}."
    try:
        game = store.load_game(match)
    except RuleViolation as fault:
        yield f"The log cannot be replayed: {fault}"
        return
    if match.status == MatchStatus.VOID:
        return
    is_over = isinstance(game.next_step(), MatchOver)
    if is_over != (match.status == MatchStatus.OVER):
        yield f"The log says {'over' if is_over else 'not over'}, the row {match.status}."
    scored = sum(isinstance(entry, DealScored) for entry in game.log)
    if not match.in_person and scored != match.deals.filter(over_at__isnull=False).count():
        yield f"{scored} deals are in the log, another number were played to their end."


def _kind(entry: type[DealScored]) -> str:
    return str(entry.__struct_config__.tag)
