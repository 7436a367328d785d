"""Tables with real cards, and a scorer who writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.dispatch import Signal

from tables import services
from tables.models import Match
from tables.rules.formats import format_named
from tables.rules.formats.base import LotDrawn, NextDeal, PlayerLeft, RejoinAnswered
from tables.rules.profiles import profile_named
from tables.rules.results import DealResult, Outcome
from tables.rules.score_sheet import Kind, SheetRow
from tables.rules.terms import ClockTerms
from tables.selectors import game_of
from tests.tables.helpers import NOW, players, secret_for

ACTOR = "scorer"
KINDS = {
    Outcome.WON: Kind.WON,
    Outcome.LOST: Kind.LOST,
    Outcome.FIRST_DROP: Kind.DROP,
    Outcome.MIDDLE_DROP: Kind.MIDDLE_DROP,
    Outcome.WRONG_DECLARATION: Kind.WRONG_DECLARATION,
    Outcome.FULL_COUNT: Kind.FULL_COUNT,
    Outcome.LEFT: Kind.FULL_COUNT,
}


def a_club_match(
    people: int = 2,
    *,
    format_name: str = "pool101",
    profile: str = "rummycircle",
    owner: str = "club:1",
    **options: Any,
) -> Match:
    """A table with real cards, its first deal due."""
    places = tuple(services.Place(user.pk) for user in players(people))
    [match] = services.open_matches(
        owner=owner,
        tables=[services.TableSpec(number=1, label="club/table-1", places=places)],
        options=format_named(format_name, **options),
        profile=profile_named(profile),
        clock=ClockTerms(),
        secret_for=secret_for,
        in_person=True,
        now=NOW,
    )
    return match


def row(seat: int, kind: str | int, *, leaves: bool = False) -> SheetRow:
    """A row by its kind, or by the points that somebody lost."""
    if isinstance(kind, int):
        return SheetRow(seat=seat, kind=Kind.LOST, points=kind, leaves=leaves)
    return SheetRow(seat=seat, kind=Kind(kind), leaves=leaves)


def rows_of(winner: int, losses: Mapping[int, str | int]) -> list[SheetRow]:
    """The winner's row, and the losers' as written."""
    return [row(winner, "won"), *(row(seat, loss) for seat, loss in losses.items())]


def rows_from(result: DealResult) -> list[SheetRow]:
    """What a scorer writes who saw this result."""
    return [
        SheetRow(
            seat=score.seat,
            kind=KINDS[score.outcome],
            points=score.points,
            leaves=score.outcome is Outcome.LEFT,
        )
        for score in result.scores
    ]


def version(match: Match) -> int:
    """The version of the sheet that a scorer sees now."""
    return Match.objects.values_list("version", flat=True).get(pk=match.pk)


def enter(match: Match, winner: int, losses: Mapping[int, str | int], **more: Any) -> Match:
    """Enter a deal by its winner and what the others lost."""
    return enter_rows(match, rows_of(winner, losses), **more)


def enter_rows(match: Match, rows: list[SheetRow], **more: Any) -> Match:
    """Enter a deal as the scorer who sees the sheet as it is."""
    wanted: dict[str, Any] = {"actor": ACTOR, "sheet_version": version(match), "now": NOW} | more
    return services.enter_deal(match_id=match.pk, rows=rows, secret_for=secret_for, **wanted)


def say(match: Match, entry: Any, **more: Any) -> Match:
    """Enter an answer."""
    wanted: dict[str, Any] = {"actor": ACTOR, "sheet_version": version(match), "now": NOW} | more
    return services.answer_on_sheet(match_id=match.pk, entry=entry, secret_for=secret_for, **wanted)


def rejoin(match: Match, seat: int, comes_back: bool = True) -> Match:
    """Enter an answer about a rejoin."""
    return say(match, RejoinAnswered(seat, comes_back))


def leave(match: Match, seat: int) -> Match:
    """Enter that somebody leaves between two deals."""
    return say(match, PlayerLeft(seat))


def correct(match: Match, winner: int, losses: Mapping[int, str | int], **more: Any) -> Match:
    """Correct the last deal."""
    return correct_rows(match, rows_of(winner, losses), **more)


def correct_rows(match: Match, rows: list[SheetRow], **more: Any) -> Match:
    """Correct the last deal as the scorer who sees the sheet as it is."""
    wanted: dict[str, Any] = {
        "actor": ACTOR,
        "reason": "misread",
        "sheet_version": version(match),
        "now": NOW,
    } | more
    return services.correct_last_deal(match_id=match.pk, rows=rows, secret_for=secret_for, **wanted)


def follow(match: Match, log: tuple[Any, ...]) -> None:
    """Enter by hand everything that another match's log tells, lots and their like aside."""
    for entry in log:
        match.refresh_from_db()
        game = game_of(match.pk)
        if isinstance(game.next_step(), NextDeal) and hasattr(entry, "result"):
            enter_rows(match, rows_from(entry.result))
        elif isinstance(entry, PlayerLeft) and not game.is_in(entry.seat):
            continue
        elif not isinstance(entry, LotDrawn):
            say(match, entry)


def totals(match: Match) -> dict[int, int]:
    """Every seat's score."""
    return {line.seat: line.score for line in game_of(match.pk).standings()}


@contextmanager
def heard(signal: Signal) -> Iterator[list[Any]]:
    """The news that a signal carries meanwhile."""
    told: list[Any] = []

    def listen(*, news: Any, **_: Any) -> None:
        told.append(news)

    signal.connect(listen, weak=False)
    try:
        yield told
    finally:
        signal.disconnect(listen)
