"""Calling players to their tables: in the site, and by e-mail where they asked for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from celery import current_app
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import QuerySet

from tournaments import people
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Call, Entry, EntryState, Placing, RoundTable
from tournaments.play import floor
from tournaments.services.lifecycle import lock

SEND_TASK: Final = "tournaments.send_call"
LOST_AFTER: Final = timedelta(minutes=2)
"""An e-mail that is not out by then is asked for again: its task was lost or gave up."""
TOO_LATE_AFTER: Final = timedelta(minutes=15)
"""A call is of no use any more."""
SENT_AT_ONCE: Final = 100
_GONE: Final = (EntryState.WITHDRAWN, EntryState.NOT_SEATED)


def call_players(placings: Sequence[Placing], *, now: datetime) -> list[Call]:
    """Call everybody who is to sit down; bots and those who have left are not called."""
    calls = Call.objects.bulk_create(
        Call(entry=placing.entry, table=placing.table, at=now)
        for placing in placings
        if not placing.entry.bot and placing.entry.state == EntryState.PLAYING
    )
    _tell(calls, now)
    wanted = [call.pk for call in calls if call.entry.call_by_email]
    if wanted:
        # A broker that is down is logged and spoils nothing: lost e-mails are asked for again.
        transaction.on_commit(lambda: _ask_for(wanted), robust=True)
    return calls


def call_again(*, tournament_id: int, table_id: int, now: datetime) -> int:
    """Call those who do not sit at their table yet once more, as if for the first time; how many.

    Raises `TournamentRefusal(UNKNOWN_TABLE)` unless the table is being played.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        open_tables = RoundTable.objects.select_related("round")
        table = open_tables.filter(pk=table_id, round__tournament=tournament, is_over=False).first()
        if table is None:
            raise TournamentRefusal(
                TournamentCode.UNKNOWN_TABLE,
                "This tournament has no such table that is being played.",
                field="table",
            )
        seated = floor.seated_at(table.match_id)
        waited_for = Call.objects.filter(table=table, entry__state=EntryState.PLAYING)
        calls = list(waited_for.exclude(entry__player__in=seated).select_related("entry"))
        again = Call.objects.filter(pk__in=[call.pk for call in calls])
        again.update(at=now, seen_at=None, emailed_at=None)
        people.call_again(table.pk, [call.entry.player_id for call in calls], now=now)
        wanted = [call.pk for call in calls if call.entry.call_by_email]
        if wanted:
            transaction.on_commit(lambda: _ask_for(wanted), robust=True)
    return len(calls)


def _tell(calls: Sequence[Call], now: datetime) -> None:
    """Put the calls into the players' inboxes, each with the way to its table."""
    if not calls:
        return
    opened = RoundTable.objects.filter(pk__in={call.table_id for call in calls})
    named = dict(opened.values_list("pk", "match__table__public_id"))
    people.call(calls[0].table.round.tournament, calls, named, now=now)


def _ask_for(call_ids: Sequence[int]) -> None:
    for call_id in call_ids:
        current_app.send_task(SEND_TASK, args=[call_id])


def set_by_email(*, tournament_id: int, player_id: int, wanted: bool) -> Entry:
    """Whether a player is called by e-mail, too, when his tables open in this tournament.

    Raises `TournamentRefusal`: NOT_ENTERED, or NO_ADDRESS for who wants it and has no address.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        entry = tournament.entries.select_related("player").filter(player_id=player_id).first()
        if entry is None or entry.state in _GONE:
            raise TournamentRefusal(
                TournamentCode.NOT_ENTERED, "This player has not entered.", field="player"
            )
        if wanted and not entry.player.email:
            raise TournamentRefusal(
                TournamentCode.NO_ADDRESS,
                "There is no e-mail address to send to; enter one first.",
                field="email",
            )
        entry.call_by_email = wanted
        entry.save(update_fields=["call_by_email"])
    return entry


def mark_seen(*, player_id: int, now: datetime) -> int:
    """The player has seen what he is called to; how many calls that were."""
    return Call.objects.filter(entry__player_id=player_id, seen_at__isnull=True).update(seen_at=now)


def send_by_email(*, call_id: int, now: datetime) -> bool:
    """Send a call's e-mail; whether it went out now.

    Not twice, not to who has left or whose table is over, not without an address. Raises what the
    mail server's connection does; then nothing is noted, and it can be tried again.
    """
    with transaction.atomic():
        call = _to_send().select_for_update(of=("self",)).filter(pk=call_id).first()
        if call is None:
            return False
        call.emailed_at = now
        call.save(update_fields=["emailed_at"])
        # A subject is one line, whatever a name has in it.
        name = " ".join(call.table.round.tournament.name.split())
        send_mail(
            subject=f"{name}: take your seat",
            message=(
                f"Round {call.table.round.number} of {name} has begun, and table "
                f"{call.table.number} waits for you. Log in and take your seat: whoever is "
                "absent is played by the absence rules.\n"
            ),
            from_email=None,
            recipient_list=[call.entry.player.email],
        )
    return True


def unsent(*, now: datetime) -> list[int]:
    """Calls whose e-mail should be out by now, and still is of use."""
    overdue = _to_send().filter(at__lte=now - LOST_AFTER, at__gte=now - TOO_LATE_AFTER)
    return list(overdue.order_by("pk").values_list("pk", flat=True)[:SENT_AT_ONCE])


def _to_send() -> QuerySet[Call]:
    return (
        Call.objects.filter(
            entry__call_by_email=True,
            entry__state=EntryState.PLAYING,
            emailed_at__isnull=True,
            table__is_over=False,
        )
        .exclude(entry__player__email="")
        .select_related("entry__player", "table__round__tournament")
    )
