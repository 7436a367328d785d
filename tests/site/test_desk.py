"""The desk: a first page for each role, players' files, deals without cards that are in play."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ledger.services import Line, post
from rummy_site.desk.charts import Point, bars
from rummy_site.roles import ARBITERS, OPERATORS, ORGANISERS, SUPPORT
from tables.models import ChatLine, Deal
from tables.rules.bots import Strength
from tests.pages import logged_in, page_of, queries_of, spoken_cards
from tests.staff.helpers import member
from tests.tables.helpers import a_match, dealt, play_out, tampering
from tests.tournaments.helpers import (
    a_tournament,
    close_and_start,
    join,
    next_round,
    players,
    started,
)
from tournaments import money
from tournaments.models import Entry, EntryNote, Shape, StaffRole, Tournament, TournamentStaff

pytestmark = pytest.mark.django_db

INDEX = "/admin/"


def browser(*groups: str, name: str = "olga") -> Client:
    """The browser of somebody with these roles."""
    return logged_in(member(name, *groups))


def today(tournament: Tournament) -> None:
    """Bring its entries to this day."""
    Entry.objects.filter(tournament=tournament).update(joined_at=datetime.now(UTC))


# The first page


def test_operators_see_entries_tables_escrow_and_fees_of_everything() -> None:
    tournament = started(Shape.KNOCKOUT, 7, house_fee=50, name="Spring cup")
    next_round(tournament)
    today(tournament)
    html = page_of(browser(OPERATORS), INDEX)
    assert "7 in 14 days" in html
    assert "3,150 play points" in html
    assert "Spring cup" in html
    assert "Fees by day, PLAY" not in html, "earned on another day"
    assert "Of your own tournaments" not in html


def test_fees_and_drop_outs_are_counted_on_their_days() -> None:
    tournament = a_tournament(Shape.SINGLE, capacity=3, house_fee=50)
    join(tournament, *players(3))
    close_and_start(tournament)
    now = datetime.now(UTC)
    Entry.objects.filter(tournament=tournament, number=1).update(left="withdrawn", left_at=now)
    second = tournament.entries.get(number=2)
    EntryNote.objects.create(
        entry=second, attempt=1, kind="no_show", sentence="x", actor="system", at=now
    )
    books = money.books_of(tournament)
    post(
        journal="cashier",
        kind="fee",
        key="k",
        lines=[Line.post(debit=books.issuance, credit=books.fees, amount=77)],
        actor="system",
        now=now,
    )
    html = page_of(browser(OPERATORS), INDEX)
    assert "Fees by day, PLAY" in html
    assert "77 play points in 14 days" in html
    assert "2 in 14 days" in html


def test_organisers_see_their_own_tournaments_and_no_money() -> None:
    own, others = started(Shape.SINGLE, 3, name="Own cup"), started(Shape.SINGLE, 3, name="Other")
    for one in (own, others):
        next_round(one)
        today(one)
    client = browser(ORGANISERS)
    olga = User.objects.get(username="olga")
    TournamentStaff.objects.create(tournament=own, user=olga, role=StaffRole.ORGANISER)
    html = page_of(client, INDEX)
    assert "Of your own tournaments" in html
    assert "3 in 14 days" in html
    part = html.partition('id="in-play"')[2].partition("</section>")[0]
    assert "Own cup" in part
    assert "Other" not in part
    assert "In escrow" not in html
    assert reverse("books:overview") not in html


def test_support_finds_the_way_to_players_and_no_figures() -> None:
    html = page_of(browser(SUPPORT), INDEX)
    assert reverse("desk:people") in html
    assert "desk-chart" not in html
    assert reverse("approvals") not in html


def test_the_first_page_takes_as_many_queries_for_many_rows_as_for_few() -> None:
    for role in (OPERATORS, ORGANISERS):
        client = browser(role, name=f"of-{role}")
        user = User.objects.get(username=f"of-{role}")

        def more(number: int, user: User = user) -> None:
            for _ in range(number):
                tournament = started(Shape.SINGLE, 3)
                next_round(tournament)
                today(tournament)
                TournamentStaff.objects.create(
                    tournament=tournament, user=user, role=StaffRole.ORGANISER
                )

        more(1)
        page_of(client, INDEX)
        before = len(queries_of(client, INDEX))
        more(6)
        assert len(queries_of(client, INDEX)) == before, role


def test_bars_are_as_high_as_their_values_and_hang_below_zero() -> None:
    chart = bars("k", "t", "s", [Point("a", 10, "10"), Point("b", -5, "-5"), Point("c", 0, "0")])
    first, second, third = chart.bars
    assert first.height == 2 * second.height
    assert first.y + first.height == second.y == chart.base
    assert third.height == 0
    assert bars("k", "t", "s", []).is_empty


# Players


def test_support_looks_up_a_player_and_sees_no_money() -> None:
    tournament = started(Shape.SINGLE, 3, name="Spring cup")
    player = tournament.entries.select_related("player").get(number=1).player
    EntryNote.objects.create(
        entry=tournament.entries.get(number=1),
        attempt=1,
        kind="added",
        sentence="Let in by hand.",
        actor="olga",
        at=datetime.now(UTC),
    )
    support = browser(SUPPORT)
    assert player.username in page_of(support, f"{reverse('desk:people')}?q={player.username[:4]}")
    html = page_of(support, reverse("desk:person", args=[player.username]))
    assert "Spring cup" in html
    assert "Let in by hand." in html
    assert 'id="money"' not in html
    with_money = page_of(
        browser(OPERATORS, name="meera"), reverse("desk:person", args=[player.username])
    )
    assert 'id="money"' in with_money
    for name in ("desk:deals", "admin:staff_staffaction_changelist"):
        to_all = f'href="{reverse(name)}?q={player.username}"'
        assert to_all in with_money
        assert to_all not in html


def test_a_players_file_has_his_matches_his_chat_and_his_log_ins() -> None:
    match = a_match(bot=Strength.STEADY)
    play_out(match)
    match.seats.update(bot="")
    seat = match.seats.select_related("player").get(number=0)
    other = match.seats.get(number=1)
    for number, text in ((seat.number, "good game"), (other.number, "not mine")):
        ChatLine.objects.create(match=match, seat=number, text=text, at=datetime.now(UTC))
    person = Client(headers={"user-agent": "Firefox on a boat"})
    person.force_login(seat.player)
    person.get("/account/settings/")
    html = page_of(browser(OPERATORS), reverse("desk:person", args=[seat.player.username]))
    assert "good game" in html
    assert "not mine" not in html
    assert reverse("desk:match", args=[match.pk]) in html


def test_a_players_file_takes_as_many_queries_for_many_rows_as_for_few() -> None:
    client = browser(OPERATORS)
    [person] = players(1, points=50_000)
    address = reverse("desk:person", args=[person.username])
    join(a_tournament(capacity=6), person)
    page_of(client, address)
    before = len(queries_of(client, address))
    for _ in range(12):
        join(a_tournament(capacity=6), person)
    assert len(queries_of(client, address)) == before


# Deals


def test_a_finished_deal_is_told_and_checked_and_a_changed_one_is_named() -> None:
    match = a_match(bot=Strength.STEADY)
    play_out(match)
    deal = Deal.objects.get(match=match)
    client, address = browser(OPERATORS), reverse("desk:deal", args=[deal.public_id])
    html = page_of(client, address)
    assert "Replayed and checked." in html
    assert "Secret of the shuffle" in html
    assert reverse("tables:replay", args=[deal.public_id]) in html
    with tampering() as cursor:
        cursor.execute("DELETE FROM tables_dealevent WHERE deal_id = %s AND seq = 5", [deal.pk])
    assert "The log does not hold" in page_of(client, address)


@pytest.mark.parametrize("is_superuser", [False, True])
def test_no_staff_sees_a_card_or_the_secret_of_a_deal_that_is_played(is_superuser: bool) -> None:
    deal, state = dealt(a_match())
    if is_superuser:
        client = logged_in(User.objects.create_superuser("root"))
    else:
        client = browser(OPERATORS)
    pages = [
        page_of(client, reverse("desk:deal", args=[deal.public_id])),
        page_of(client, reverse("desk:deals")),
        page_of(client, reverse("desk:match", args=[deal.match_id])),
    ]
    assert "shown to nobody of the staff" in pages[0]
    assert "<pre" not in pages[0]
    for html in pages:
        assert state.secret not in html
        assert spoken_cards(html) == []
    assert deal.public_id in pages[1]


def test_deals_are_found_by_player_table_and_owner() -> None:
    match, other = a_match(), a_match(owner="club:2")
    deal, another = dealt(match)[0], dealt(other)[0]
    client = browser(OPERATORS)
    name = match.seats.select_related("player").get(number=0).player.username
    for text in (name, match.table.public_id, "club:1", deal.public_id):
        html = page_of(client, f"{reverse('desk:deals')}?q={text}")
        assert deal.public_id in html
        assert another.public_id not in html


def test_what_was_said_at_a_match_is_read_with_names() -> None:
    match = a_match()
    dealt(match)
    seat = match.seats.select_related("player").get(number=1)
    at = datetime.now(UTC) - timedelta(minutes=1)
    ChatLine.objects.create(match=match, seat=1, text="<b>hurry</b>", at=at)
    html = page_of(browser(OPERATORS), reverse("desk:match", args=[match.pk]))
    assert "&lt;b&gt;hurry" in html
    assert seat.player.username in html


@pytest.mark.parametrize("role", [ORGANISERS, ARBITERS, SUPPORT, "player"])
def test_deals_are_for_operators_and_players_files_for_support_too(
    client: Client, role: str
) -> None:
    match = a_match()
    deal, _state = dealt(match)
    is_player = role == "player"
    client.force_login(User.objects.create_user("pia") if is_player else member("nina", role))
    refused = 302 if is_player else 403
    for name, parts in (("deals", []), ("deal", [deal.public_id]), ("match", [match.pk])):
        assert client.get(reverse(f"desk:{name}", args=parts)).status_code == refused
    expected = 200 if role == SUPPORT else refused
    assert client.get(reverse("desk:people")).status_code == expected


def test_what_is_not_there_is_not_found() -> None:
    client = browser(OPERATORS)
    for name, part in (("person", "nobody"), ("deal", "none"), ("match", 999)):
        assert client.get(reverse(f"desk:{name}", args=[part])).status_code == 404
