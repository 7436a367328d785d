"""Telling players things: once each, in the transaction of the thing, by e-mail after it.

E-mails are found by a column, never sent ahead to a far moment: a task is asked for on commit, and
a sweep finds what it left. What does not apply any more is taken back and is then not sent.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from celery import current_app
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone, translation

from players.models.inbox import Notice, NoticeKind
from players.selectors.inbox import voices_of
from players.wording import sentence_of

__all__ = [
    "CALL_KEPT",
    "SEND_TASK",
    "News",
    "NoticeKind",
    "call_again",
    "end_calls",
    "end_calls_about",
    "mark_read",
    "mark_unread",
    "send_mail",
    "take_back",
    "tell",
]

SEND_TASK: Final = "players.send_mail"
MANY: Final = 500
AT_ONCE: Final = 100
FIRST_WAIT: Final = timedelta(seconds=15)
MOST_TRIES: Final = 8
KEPT: Final = timedelta(days=1)
"""After this no e-mail is tried any more."""
CALL_KEPT: Final = timedelta(minutes=15)
"""After this an e-mail that calls to a table is of no use."""

log = logging.getLogger(__name__)


class News(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to tell one player; `key` names it among all that he is told."""

    player_id: int
    kind: str
    key: str
    about: str = ""
    facts: dict[str, Any] = {}
    link: str = ""
    by_mail: bool = True
    mail_until: datetime | None = None


def tell(news: Sequence[News], *, now: datetime) -> None:
    """Tell each player his news; what he was told already is left as it is."""
    if not news:
        return
    Notice.objects.bulk_create(
        (
            Notice(
                player_id=one.player_id,
                kind=one.kind,
                key=one.key,
                about=one.about,
                facts=one.facts,
                link=one.link,
                at=now,
                is_waiting=one.kind == NoticeKind.CALLED,
                mail_at=now if one.by_mail else None,
                mail_until=one.mail_until or now + KEPT,
            )
            for one in news
        ),
        ignore_conflicts=True,
        batch_size=MANY,
    )
    if any(one.by_mail for one in news):
        # A broker that is down spoils nothing: the sweep finds what is to be sent.
        transaction.on_commit(_ask, robust=True)


def _ask() -> None:
    current_app.send_task(SEND_TASK)


def take_back(
    *, player_ids: Collection[int], about: str, kinds: Collection[str], now: datetime
) -> int:
    """Take notices back that do not apply any more; how many."""
    return Notice.objects.filter(
        player_id__in=player_ids, about=about, kind__in=kinds, taken_back_at__isnull=True
    ).update(taken_back_at=now, mail_at=None, is_waiting=False)


def call_again(*, key: str, player_ids: Collection[int], now: datetime) -> int:
    """A table that waits still calls these players as if for the first time; how many."""
    calls = Notice.objects.filter(key=key, player_id__in=player_ids, taken_back_at__isnull=True)
    called = calls.update(at=now, read_at=None, is_waiting=True)
    wanting = [player for player, voice in voices_of(player_ids).items() if voice.mail_calls]
    mails = calls.filter(player_id__in=wanting)
    if mails.update(mail_at=now, mail_until=now + CALL_KEPT, mail_tries=0, mailed_at=None):
        transaction.on_commit(_ask, robust=True)
    return called


def end_calls(*, keys: Collection[str], player_ids: Collection[int] | None = None) -> int:
    """The tables of these calls wait no more; of these players, or of everybody."""
    calls = Notice.objects.filter(key__in=keys, is_waiting=True)
    if player_ids is not None:
        calls = calls.filter(player_id__in=player_ids)
    return calls.update(is_waiting=False, mail_at=None)


def end_calls_about(*, about: str) -> int:
    """No table of this waits any more."""
    calls = Notice.objects.filter(about=about, is_waiting=True)
    return calls.update(is_waiting=False, mail_at=None)


def mark_read(*, player_id: int, notice_id: int | None = None, now: datetime) -> int:
    """Mark one notice as read, or all of a player's; how many were unread."""
    unread = Notice.objects.filter(player_id=player_id, read_at__isnull=True)
    if notice_id is not None:
        unread = unread.filter(pk=notice_id)
    return unread.update(read_at=now)


def mark_unread(*, player_id: int, notice_id: int) -> int:
    """Mark a notice as not read; how many were."""
    return Notice.objects.filter(player_id=player_id, pk=notice_id, read_at__isnull=False).update(
        read_at=None
    )


def send_mail(*, now: datetime) -> int:
    """Send every e-mail that is due; how many went out. One that fails is tried again later."""
    due = Notice.objects.filter(mail_at__lte=now).order_by("mail_at", "pk")
    return sum(_send(pk, now) for pk in due.values_list("pk", flat=True)[:AT_ONCE])


def _send(notice_id: int, now: datetime) -> bool:
    with transaction.atomic():
        rows = Notice.objects.select_for_update(skip_locked=True, of=("self",))
        notice = (
            rows.select_related("player")
            .filter(Q(mail_at__lte=now), pk=notice_id, taken_back_at__isnull=True)
            .first()
        )
        if notice is None:
            return False
        notice.mail_tries += 1
        is_late = notice.mail_until is not None and notice.mail_until <= now
        sent = False
        if notice.player.email and notice.player.is_active and not is_late:
            try:
                _message(notice).send()
                sent = True
            except OSError as fault:
                log.warning("an e-mail could not be sent", extra={"fault": str(fault)})
        is_to_be_tried = bool(notice.player.email) and not sent and not is_late
        notice.mail_at = None
        if is_to_be_tried and notice.mail_tries < MOST_TRIES:
            notice.mail_at = now + FIRST_WAIT * 2 ** (notice.mail_tries - 1)
        notice.mailed_at = now if sent else None
        notice.save(update_fields=["mail_at", "mail_tries", "mailed_at"])
    return sent


def _message(notice: Notice) -> EmailMultiAlternatives:
    """The e-mail in the player's language and zone, as text and as HTML."""
    voice = voices_of([notice.player_id])[notice.player_id]
    with translation.override(voice.language), timezone.override(voice.zone):
        # A subject is one line, whatever a name has in it.
        sentence = " ".join(sentence_of(notice.kind, notice.facts).split())
        context = {
            "sentence": sentence,
            "name": notice.player.get_username(),
            "address": f"{settings.RUMMY_ADDRESS.rstrip('/')}{notice.link or '/inbox/'}",
            "language": voice.language,
        }
        message = EmailMultiAlternatives(
            subject=sentence,
            body=render_to_string("players/mail.txt", context),
            to=[notice.player.email],
        )
        message.attach_alternative(render_to_string("players/mail.html", context), "text/html")
    return message
