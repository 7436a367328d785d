"""What players are told: once each, in the inbox and by e-mail, and only while it applies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Lead, Notice, NoticeKind, Profile
from players.services import inbox
from tests.pages import text_of
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    leave,
    next_round,
    open_tables,
    players,
    started,
)
from tournaments import services
from tournaments.models import Shape
from tournaments.services.reminding import remind_due
from tournaments.structure.due import StartKind, Times

pytestmark = pytest.mark.django_db


def kinds(person: User, *, live: bool = True) -> list[str]:
    rows = Notice.objects.filter(player=person)
    if live:
        rows = rows.filter(taken_back_at__isnull=True)
    return list(rows.order_by("pk").values_list("kind", flat=True))


def news(person: User, **changes: Any) -> inbox.News:
    wanted: dict[str, Any] = {
        "player_id": person.pk,
        "kind": NoticeKind.TOLD,
        "key": "one",
    } | changes
    return inbox.News(**wanted, facts={"name": "Cup", "sentence": "hello"})


@pytest.fixture
def person() -> User:
    return User.objects.create_user("asha", email="asha@site.example")


def test_a_thing_is_told_once(person: User) -> None:
    inbox.tell([news(person)], now=NOW)
    inbox.tell([news(person)], now=NOW)
    assert Notice.objects.count() == 1


def test_what_is_undone_is_told_to_nobody(person: User) -> None:
    with transaction.atomic():
        inbox.tell([news(person)], now=NOW)
        transaction.set_rollback(True)
    assert not Notice.objects.exists()


def test_an_email_goes_out_once_as_text_and_html(person: User) -> None:
    inbox.tell([news(person, link="/tournaments/x/")], now=NOW)
    assert inbox.send_mail(now=NOW) == 1
    assert inbox.send_mail(now=NOW) == 0
    (sent,) = mail.outbox
    assert isinstance(sent, EmailMultiAlternatives)
    assert sent.subject == "Cup: hello"
    assert "/tournaments/x/" in sent.body
    assert "/tournaments/x/" in str(sent.alternatives[0][0])


def test_a_name_of_several_lines_makes_no_header_of_an_email(person: User) -> None:
    inbox.tell(
        [
            inbox.News(
                player_id=person.pk,
                kind=NoticeKind.REGISTERED,
                key="k",
                facts={"name": "Cup\nBcc: all@site.example"},
            )
        ],
        now=NOW,
    )
    inbox.send_mail(now=NOW)
    assert "\n" not in mail.outbox[0].subject


def test_an_email_that_fails_is_tried_again_later_and_given_up_at_last(
    person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: Any, **__: Any) -> int:
        raise SMTPServerDisconnected("down")

    inbox.tell([news(person, mail_until=NOW + timedelta(days=9))], now=NOW)
    monkeypatch.setattr(EmailMultiAlternatives, "send", down)
    at = NOW
    for _ in range(inbox.MOST_TRIES):
        assert inbox.send_mail(now=at) == 0
        assert inbox.send_mail(now=at) == 0
        at += timedelta(days=1)
    notice = Notice.objects.get()
    assert (notice.mail_at, notice.mailed_at, notice.mail_tries) == (None, None, inbox.MOST_TRIES)


def test_an_email_that_is_of_no_use_any_more_is_not_sent(person: User) -> None:
    inbox.tell([news(person, mail_until=NOW)], now=NOW)
    assert inbox.send_mail(now=NOW) == 0
    assert not mail.outbox
    assert not Notice.objects.filter(mail_at__isnull=False).exists()


def test_who_has_no_address_is_told_in_his_inbox_alone() -> None:
    (person,) = players(1)
    inbox.tell([news(person)], now=NOW)
    assert inbox.send_mail(now=NOW) == 0
    assert not Notice.objects.filter(mail_at__isnull=False).exists()


def test_joining_waiting_and_moving_up_are_told() -> None:
    first, second, third = players(3)
    tournament = a_tournament(Shape.HEADS_UP, capacity=2)
    join(tournament, first, second, third)
    assert kinds(first) == ["registered"]
    assert kinds(third) == ["waitlisted"]
    leave(tournament, first)
    assert kinds(first) == []
    assert kinds(third) == ["waitlisted", "promoted"]


def test_who_joins_again_is_told_again() -> None:
    (person,) = players(1)
    tournament = a_tournament()
    join(tournament, person)
    leave(tournament, person)
    join(tournament, person)
    assert kinds(person) == ["registered"]
    assert kinds(person, live=False) == ["registered", "registered"]


def test_bots_are_told_nothing() -> None:
    (bot,) = players(1)
    tournament = a_tournament()
    services.register(
        tournament_id=tournament.pk, player_id=bot.pk, actor="x", bot="steady", now=NOW
    )
    assert kinds(bot) == []


def test_calling_off_is_told_with_the_fee_that_went_back_and_takes_the_rest_back() -> None:
    first, second = players(2)
    tournament = a_tournament(capacity=6)
    join(tournament, first, second)
    services.cancel(tournament_id=tournament.pk, actor="organiser", reason="Rain.", now=NOW)
    assert kinds(first) == ["cancelled", "refund"]
    assert Notice.objects.get(player=first, kind="cancelled").facts["reason"] == "Rain."


def test_a_call_waits_until_the_table_is_over_and_the_end_is_told() -> None:
    tournament = started(Shape.SINGLE, 3)
    next_round(tournament)
    (table,) = open_tables(tournament)
    called = Notice.objects.filter(kind=NoticeKind.CALLED)
    assert called.filter(is_waiting=True).count() == 3
    assert called[0].link == f"/tables/{table.match.table.public_id}/"
    finish(table)
    assert not called.filter(is_waiting=True).exists()
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert Notice.objects.filter(kind=NoticeKind.RESULT).count() == 3
    prizes = Notice.objects.filter(kind=NoticeKind.PRIZE)
    assert {notice.facts["amount"] for notice in prizes} == {
        f"{FEE * 3 * share // 100} play points" for share in (50, 30, 20)
    }


def a_coming(starts_at: datetime) -> Any:
    return a_tournament(
        times=Times(
            kind=StartKind.FIXED_TIME,
            starts_at=starts_at,
            closes_at=starts_at - timedelta(minutes=1),
        )
    )


def test_a_reminder_comes_with_its_lead_and_once_and_not_to_who_has_left() -> None:
    first, second = players(2)
    starts_at = NOW + timedelta(hours=2)
    tournament = a_coming(starts_at)
    join(tournament, first, second)
    assert remind_due(now=NOW) == 0
    leave(tournament, second)
    assert remind_due(now=starts_at - timedelta(minutes=10)) == 1
    assert remind_due(now=starts_at - timedelta(minutes=9)) == 0
    assert kinds(first) == ["registered", "reminder"]
    assert kinds(second) == []


def test_each_is_reminded_as_long_before_as_he_chose() -> None:
    early, never, usual = players(3)
    Profile.objects.create(user=early, lead_minutes=Lead.DAY)
    Profile.objects.create(user=never, lead_minutes=Lead.OFF)
    starts_at = NOW + timedelta(days=2)
    join(a_coming(starts_at), early, never, usual)
    assert remind_due(now=starts_at - timedelta(hours=23)) == 1
    assert kinds(early) == ["registered", "reminder"]
    assert remind_due(now=starts_at - timedelta(seconds=1)) == 1
    assert kinds(never) == ["registered"]


def test_an_email_names_the_start_in_the_zone_of_its_reader(person: User) -> None:
    Profile.objects.create(user=person, zone="Asia/Kolkata", language="en")
    facts = {"name": "Cup", "starts": "2026-03-01T18:00:00+00:00"}
    inbox.tell(
        [inbox.News(player_id=person.pk, kind=NoticeKind.REMINDER, key="r", facts=facts)], now=NOW
    )
    inbox.send_mail(now=NOW)
    assert mail.outbox[0].subject == "Cup starts at 1 Mar 2026, 23:30 IST."


def test_who_leaves_before_his_reminder_is_sent_gets_none() -> None:
    first, second = players(2)
    User.objects.filter(pk=first.pk).update(email="first@site.example")
    starts_at = NOW + timedelta(hours=2)
    tournament = a_coming(starts_at)
    join(tournament, first, second)
    remind_due(now=starts_at - timedelta(minutes=10))
    leave(tournament, first)
    assert inbox.send_mail(now=starts_at - timedelta(minutes=9)) == 0
    assert not mail.outbox


def test_starting_is_not_held_up_by_many_players() -> None:
    tournament = a_tournament(capacity=6)
    join(tournament, *players(6))
    close_and_start(tournament)
    with CaptureQueriesContext(connection) as queries:
        next_round(tournament)
    told = [query for query in queries if "players_notice" in query["sql"]]
    assert len(told) == 1


def test_the_inbox_shows_own_notices_leads_to_them_and_marks_them(
    client: Client, person: User
) -> None:
    (stranger,) = players(1)
    inbox.tell([news(person, link="/wallet/"), news(stranger)], now=NOW)
    mine, other = Notice.objects.get(player=person), Notice.objects.get(player=stranger)
    assert client.get("/inbox/")["Location"].startswith("/login/")
    client.force_login(person)
    assert text_of(client.get("/inbox/").content.decode()).count("Cup: hello") == 1
    assert client.get(f"/inbox/{other.pk}/").status_code == 404
    assert client.get(f"/inbox/{mine.pk}/")["Location"] == "/wallet/"
    mine.refresh_from_db()
    assert mine.read_at is not None
    client.post("/inbox/mark/", {"notice": mine.pk, "as": "unread"})
    mine.refresh_from_db()
    assert mine.read_at is None
    client.post("/inbox/mark/", {"notice": other.pk})
    client.post("/inbox/mark/", {"notice": "all"})
    other.refresh_from_db()
    mine.refresh_from_db()
    assert mine.read_at is not None
    assert other.read_at is None


def test_the_inbox_comes_in_pages_of_one_query(client: Client, person: User) -> None:
    inbox.tell([news(person, key=f"{n}") for n in range(60)], now=NOW)
    client.force_login(person)
    first = client.get("/inbox/").content.decode()
    assert first.count("Cup: hello") == 25
    assert "?before=" in first
    with CaptureQueriesContext(connection) as queries:
        client.get("/inbox/")
    assert sum("players_notice" in query["sql"] for query in queries) == 1


def test_news_of_every_page_are_one_query_and_nothing_when_nothing_is_new(
    client: Client, person: User
) -> None:
    inbox.tell([news(person, kind=NoticeKind.CALLED, link="/tables/x/")], now=datetime.now(UTC))
    assert client.get("/inbox/news/").status_code == 204
    client.force_login(person)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get("/inbox/news/?at=/")
    assert sum("players_notice" in query["sql"] for query in queries) == 1
    page = answer.content.decode()
    assert "Take your seat" in page
    seen = page.partition("?seen=")[2].partition("&")[0]
    assert client.get(f"/inbox/news/?at=/&seen={seen}").status_code == 204
    assert "data-call" not in client.get("/inbox/news/?at=/tables/x/").content.decode()


def test_a_page_asks_for_news_only_for_who_is_logged_in(client: Client, person: User) -> None:
    assert "/inbox/news/" not in client.get("/").content.decode()
    client.force_login(person)
    assert "/inbox/news/" in client.get("/").content.decode()
