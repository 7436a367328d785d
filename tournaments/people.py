"""The only door from tournaments to players: telling them what happens to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.urls import reverse

from players.errors import PlayerRefusal
from players.selectors.inbox import told_already, voices_of
from players.selectors.profiles import of_age_since
from players.services import limits
from players.services.inbox import (
    CALL_KEPT,
    News,
    NoticeKind,
    end_calls,
    end_calls_about,
    take_back,
    tell,
)
from players.services.inbox import call_again as _call_again
from tournaments.amounts import decimals_of
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Call, Entry, Tournament

__all__ = [
    "NoticeKind",
    "admit",
    "call",
    "call_again",
    "calls_over",
    "check_present",
    "forget",
    "of_age_since",
    "remind",
    "tell_entries",
    "tell_notes",
    "zone_of",
]

_WHILE_IN: Final = (
    NoticeKind.REGISTERED,
    NoticeKind.WAITLISTED,
    NoticeKind.PROMOTED,
    NoticeKind.REMINDER,
    NoticeKind.CALLED,
)


def zone_of(player_id: int) -> str:
    """The name of the time zone a player reads times in. One query."""
    return voices_of([player_id])[player_id].zone


def _about(tournament: Tournament) -> str:
    return f"tournament:{tournament.pk}"


def _link(tournament: Tournament) -> str:
    return reverse("tournaments:tournament", args=[tournament.public_id])


def tell_entries(
    tournament: Tournament,
    kind: NoticeKind,
    entries: Iterable[Entry],
    *,
    what: str = "",
    facts: dict[int, dict[str, Any]] | None = None,
    now: datetime,
) -> None:
    """Tell those who entered; bots are not told. `facts` by entry, `what` names one of several."""
    own = facts or {}
    tell(
        [
            News(
                player_id=entry.player_id,
                kind=kind,
                key=f"{kind}:{tournament.pk}:{what or entry.attempt}",
                about=_about(tournament),
                facts={"name": tournament.name, **own.get(entry.pk, {})},
                link=_link(tournament),
            )
            for entry in entries
            if not entry.bot
        ],
        now=now,
    )


def tell_notes(
    sentences: Mapping[Entry, str], kind: NoticeKind | None, *, what: str, now: datetime
) -> None:
    """Tell players what staff or clock did to their entries, of each kind once a joining."""
    for tournament, entries in _by_tournament(sentences):
        named = {entry.pk: {"sentence": sentences[entry]} for entry in entries}
        for attempt in {entry.attempt for entry in entries}:
            tell_entries(
                tournament,
                kind or NoticeKind.TOLD,
                [entry for entry in entries if entry.attempt == attempt],
                what=str(attempt) if kind else f"{what}:{attempt}",
                facts=named,
                now=now,
            )


def _by_tournament(entries: Iterable[Entry]) -> list[tuple[Tournament, list[Entry]]]:
    found: dict[int, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.tournament_id, []).append(entry)
    return [(some[0].tournament, some) for some in found.values()]


def forget(tournament: Tournament, entries: Iterable[Entry], *, now: datetime) -> None:
    """Who has left is not reminded any more, nor told that he is in."""
    ids = [entry.player_id for entry in entries if not entry.bot]
    if ids:
        limits.give_back(player_ids=ids, about=_about(tournament))
        take_back(player_ids=ids, about=_about(tournament), kinds=_WHILE_IN, now=now)


def call(
    tournament: Tournament, calls: Sequence[Call], named: Mapping[int, str], *, now: datetime
) -> None:
    """Call players to their tables, by e-mail too who asked for it; `named` are their addresses."""
    voices = voices_of([one.entry.player_id for one in calls])
    tell(
        [
            News(
                player_id=one.entry.player_id,
                kind=NoticeKind.CALLED,
                key=_call_key(one.table_id),
                about=_about(tournament),
                facts={
                    "name": tournament.name,
                    "round": one.table.round.number,
                    "table": one.table.number,
                },
                link=reverse("tables:table", args=[named[one.table_id]]),
                by_mail=voices[one.entry.player_id].mail_calls,
                mail_until=now + CALL_KEPT,
            )
            for one in calls
        ],
        now=now,
    )


def call_again(table_id: int, player_ids: Collection[int], *, now: datetime) -> None:
    """Call players once more to a table that they were called to."""
    _call_again(key=_call_key(table_id), player_ids=player_ids, now=now)


def _call_key(table_id: int) -> str:
    return f"called:{table_id}"


def calls_over(
    tournament: Tournament, table_id: int | None = None, player_id: int | None = None
) -> None:
    """A table, or every table of a tournament, waits no more; or not for this player."""
    if table_id is None:
        end_calls_about(about=_about(tournament))
        return
    ids = None if player_id is None else [player_id]
    end_calls(keys=[_call_key(table_id)], player_ids=ids)


def remind(
    tournament: Tournament, player_ids: Sequence[int], *, starts_at: datetime, now: datetime
) -> int:
    """Remind players whose lead has come, once a start; how many."""
    key = f"{NoticeKind.REMINDER}:{tournament.pk}:{starts_at.isoformat()}"
    voices = voices_of(player_ids)
    leads = {pk: voices[pk].lead for pk in player_ids}
    due = [pk for pk, lead in leads.items() if lead and starts_at - lead <= now]
    due = sorted(set(due) - told_already(key, due)) if due else []
    tell(
        [
            News(
                player_id=pk,
                kind=NoticeKind.REMINDER,
                key=key,
                about=_about(tournament),
                facts={"name": tournament.name, "starts": starts_at.isoformat()},
                link=_link(tournament),
                mail_until=starts_at,
            )
            for pk in due
        ],
        now=now,
    )
    return len(due)


def admit(
    tournament: Tournament, entry: Entry, *, points: int, is_entry: bool = True, now: datetime
) -> None:
    """Count what a player pays for himself, if his own limits let him; bots have none.

    Raises `TournamentRefusal` (EXCLUDED, TIMED_OUT, ENTRIES_USED, POINTS_USED).
    """
    if entry.bot:
        return
    try:
        limits.admit(
            player_id=entry.player_id,
            about=_about(tournament),
            points=points,
            is_entry=is_entry,
            asset=tournament.asset,
            decimals=decimals_of(tournament.asset),
            now=now,
        )
    except PlayerRefusal as refusal:
        raise _told(refusal) from refusal


def check_present(entry: Entry, *, by_staff: bool, now: datetime) -> None:
    """Raises `TournamentRefusal`: EXCLUDED, and TIMED_OUT unless staff enters him."""
    if entry.bot:
        return
    try:
        limits.check_present(player_id=entry.player_id, by_staff=by_staff, now=now)
    except PlayerRefusal as refusal:
        raise _told(refusal) from refusal


def _told(refusal: PlayerRefusal) -> TournamentRefusal:
    return TournamentRefusal(TournamentCode(refusal.code), refusal.sentence, field=refusal.field)
