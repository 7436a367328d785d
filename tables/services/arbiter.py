"""What an arbiter may do at a table: give time, take a player out, give a seat to somebody else.

Unlike players he may do so in a pause, too: the table stays paused, and its times are as true as
before.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from tables import broadcast
from tables.errors import TableCode, TableRefusal
from tables.models import Connection, Deal, Match, MatchStatus, Seat
from tables.rules.commands import Leave, ShiftClock
from tables.rules.errors import Code, RuleViolation
from tables.rules.formats import PlayerLeft
from tables.services import closing, matches, pausing, score_sheets, voiding
from tables.services.play import play

MAX_EXTRA_SECONDS: Final = 3_600

_ENDED: Final = (MatchStatus.OVER, MatchStatus.VOID)


def extend(*, match_id: int, seconds: int, now: datetime) -> bool:
    """Give everybody whose time runs at a table so much more of it; whether anybody's did.

    That is a turn, a declaration, or the answer to a rejoin or split. Raises `RuleViolation`
    (`BAD_OPTION`) unless 1 to 3,600 seconds, `TableRefusal(UNKNOWN_MATCH)`.
    """
    if type(seconds) is not int or not 1 <= seconds <= MAX_EXTRA_SECONDS:
        raise RuleViolation(
            Code.BAD_OPTION, f"Give 1 to {MAX_EXTRA_SECONDS:,} seconds more.", field="seconds"
        )
    with transaction.atomic():
        match = closing.lock_match(match_id)
        deal = _running_deal(match)
        if deal is not None:
            shift = ShiftClock(1000 * seconds)
            play(deal_id=deal.pk, command=shift, command_id=f"extend:{deal.version}", now=now)
        elif match.status == MatchStatus.ASKING and match.due_at is not None:
            match.due_at += timedelta(seconds=seconds)
            match.save(update_fields=["due_at"])
            broadcast.announce_match(match_id=match.pk)
        else:
            return False
        return True


def mute_player(*, match_id: int, seat: int, muted: bool) -> bool:
    """Let a seat chat no more, or again; whether that was anything new."""
    with transaction.atomic():
        seats = Seat.objects.filter(match_id=match_id, number=seat).exclude(muted=muted)
        is_new = seats.update(muted=muted) > 0
        if is_new:
            broadcast.announce_match(match_id=match_id)
    return is_new


def remove_player(*, match_id: int, seat: int, actor: str, now: datetime) -> None:
    """Take a player out of his match for good: he leaves the deal as if by his own will.

    Where he has no say in the deal any more, or others' answers are awaited, he is out of the match
    as soon as that is over. A match that is over stays as it is. Raises
    `TableRefusal(UNKNOWN_MATCH)`.
    """
    with transaction.atomic():
        match = closing.lock_match(match_id)
        if match.status in _ENDED:
            return
        match.seats.filter(number=seat).update(left=True)
        pausing.bring_up(match, now=now)
        deal = _running_deal(match)
        if deal is None:
            _leave_match(match, seat, actor, now)
        else:
            _leave_deal(deal, seat, now)


def call_off(*, match_id: int, now: datetime) -> None:
    """Call a match off, also one that is over: nothing counts in it, and nothing can be done."""
    with transaction.atomic():
        voiding.void_match(closing.lock_match(match_id), now=now)


def play_again(*, match_id: int, now: datetime) -> int:
    """Call a match off, also one that is over, and let its table play anew; the new match's id.

    The same people sit in the same seats. A deal that is cut off is void. Raises
    `TableRefusal(UNKNOWN_MATCH)`.
    """
    with transaction.atomic():
        match = closing.lock_match(match_id)
        voiding.void_match(match, now=now)
        again = matches.open_again(match, secret_for=score_sheets.fresh_secret, now=now)
        broadcast.announce_table(match_id=match.pk)
        return again.pk


def reseat(*, match_id: int, places: Sequence[matches.Place], now: datetime) -> int:
    """Let other people sit down before the first deal; the id of the match they play.

    Raises `TableRefusal(DEALS_PLAYED)` once a deal was dealt, `RuleViolation` if the format cannot
    be played by so many.
    """
    with transaction.atomic():
        match = closing.lock_match(match_id)
        _check_not_dealt(match)
        voiding.void_match(match, now=now)
        again = matches.open_again(
            match, places=places, secret_for=score_sheets.fresh_secret, now=now
        )
        broadcast.announce_table(match_id=match.pk)
        return again.pk


def _check_not_dealt(match: Match) -> None:
    if match.deals_dealt or match.status in _ENDED:
        raise TableRefusal(
            TableCode.DEALS_PLAYED,
            "A deal has been dealt at this table; its players stay. Withdraw the player.",
        )


def _running_deal(match: Match) -> Deal | None:
    return match.deals.filter(over_at__isnull=True).first()


def _leave_deal(deal: Deal, seat: int, now: datetime) -> None:
    """Who is out of the deal, or has declared, leaves the match when the deal is over."""
    command_id = f"removed:{seat}:{deal.version}"
    try:
        play(
            deal_id=deal.pk,
            command=Leave(seat),
            command_id=command_id,
            now=now,
            even_paused=True,
        )
    except RuleViolation as refusal:
        if refusal.code not in (Code.OUT_OF_DEAL, Code.ALREADY_DECLARED, Code.NOT_SEATED):
            raise


def _leave_match(match: Match, seat: int, actor: str, now: datetime) -> None:
    entry = PlayerLeft(seat)
    try:
        if match.in_person:
            _write_on_sheet(match, entry, actor, now)
        else:
            secret = matches.last_secret(match)
            closing.enter(match=match, entry=entry, secret=secret, now=now)
    except RuleViolation as refusal:
        # The last one there waits for others to buy in again, or he was out before.
        if refusal.code not in (Code.ANSWERS_OPEN, Code.NOT_SEATED):
            raise


def _write_on_sheet(match: Match, entry: PlayerLeft, actor: str, now: datetime) -> None:
    """As the scorer would, who has to wait in a pause; the arbiter need not."""
    row = Match.objects.filter(pk=match.pk)
    with transaction.atomic():  # so that a refusal leaves it paused
        row.update(paused_at=None)
        score_sheets.answer_on_sheet(
            match_id=match.pk, entry=entry, actor=actor, sheet_version=match.version, now=now
        )
        row.filter(over_at__isnull=True).update(paused_at=match.paused_at)


def replace_player(*, match_id: int, player_id: int, by_player_id: int) -> int:
    """Give a player's seat to somebody else before the first deal; the seat's number.

    Sockets of the seat look on from now on. Raises `TableRefusal`: `NOT_A_PLAYER`, or
    `DEALS_PLAYED` once a deal was dealt.
    """
    with transaction.atomic():
        match = closing.lock_match(match_id)
        seat = Seat.objects.filter(match=match, player_id=player_id).first()
        if seat is None:
            raise TableRefusal(
                TableCode.NOT_A_PLAYER, "This player has no seat at the table.", field="player"
            )
        _check_not_dealt(match)
        Connection.objects.filter(seat=seat).delete()
        seat.player_id, seat.bot, seat.nonce = by_player_id, "", ""
        seat.online, seat.auto_drop = True, False
        seat.save()
        broadcast.announce_table(match_id=match.pk)
        broadcast.announce_match(match_id=match.pk)
        return seat.number
