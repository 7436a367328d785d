"""Quick tables: seats, bots, limits, and what becomes of those that do not fill."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from tests.pages import text_of
from tests.tournaments.helpers import NOW, players, secret_for, wallet
from tournaments import selectors, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import QuickTable, Tournament
from tournaments.services.quick import AT_ONCE, WAITS, QuickFormat, Wish
from tournaments.structure.lifecycle import State
from wording import named, part

pytestmark = pytest.mark.django_db


def sit(person: User, **wish: object) -> Tournament:
    return services.sit_down(
        player_id=person.pk,
        wish=Wish(**wish),  # type: ignore[arg-type]
        secret_for=secret_for,
        now=NOW,
    )


@pytest.mark.parametrize("format_name", list(QuickFormat))
@pytest.mark.parametrize("seats", [2, 6])
def test_a_table_with_bots_begins_at_once(format_name: QuickFormat, seats: int) -> None:
    (person,) = players(1, points=0)
    made = sit(person, format=format_name, seats=seats, with_bots=True)
    made.refresh_from_db()
    assert made.state == State.RUNNING
    assert made.entries.exclude(bot="").count() == seats - 1
    seat = selectors.seat_of(made.public_id, person.pk)
    assert seat is not None
    assert seat.has_begun


def test_two_people_of_one_wish_meet_and_their_table_begins_with_the_second() -> None:
    first, second = players(2)
    waiting = sit(first, stake=100)
    assert waiting.state == State.REGISTERING
    assert wallet(first).held == 100
    assert sit(second, stake=100).pk == waiting.pk
    waiting.refresh_from_db()
    assert waiting.state == State.RUNNING
    assert wallet(second).posted == 400


def test_its_name_is_told_in_the_readers_language_and_names_that_people_gave_are_not() -> None:
    [person] = players(1, points=1_000)
    table = sit(person, format=QuickFormat.POOL101, seats=3)
    assert named(table.name) == "Quick table: 101 pool, 3 players"
    with translation.override("hi"):
        assert named(table.name) == "क्विक टेबल: 101 पूल, 3 खिलाड़ी"
        assert part("paused") != "paused"
        assert named("paused") == "paused"


def test_who_wants_another_kind_gets_another_table() -> None:
    first, second, third = players(3)
    kinds = {sit(first).pk, sit(second, seats=3).pk, sit(third, format=QuickFormat.DEALS).pk}
    assert len(kinds) == 3


def test_who_asks_again_is_led_back_to_his_seat() -> None:
    (person,) = players(1)
    assert sit(person).pk == sit(person).pk
    assert sit(person, with_bots=True).pk == sit(person, with_bots=True).pk
    assert QuickTable.objects.count() == 2


def test_nobody_is_seated_at_a_bots_table_of_somebody_else() -> None:
    first, second = players(2)
    assert sit(first, with_bots=True).pk != sit(second, with_bots=True).pk


def test_a_player_sits_at_a_few_tables_at_most() -> None:
    (person,) = players(1)
    for seats in range(2, 2 + AT_ONCE):
        sit(person, seats=seats)
    with pytest.raises(TournamentRefusal) as refused:
        sit(person, with_bots=True)
    assert refused.value.code is TournamentCode.TOO_MANY_TABLES


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"seats": 7}, "seats"),
        ({"seats": 1}, "seats"),
        ({"stake": 7}, "stake"),
        ({"stake": 10, "with_bots": True}, "stake"),
    ],
)
def test_what_is_not_offered_is_refused(wish: dict[str, object], field: str) -> None:
    (person,) = players(1)
    with pytest.raises(TournamentRefusal) as refused:
        sit(person, **wish)
    assert refused.value.field == field
    assert not QuickTable.objects.exists()


def test_who_cannot_pay_the_stake_leaves_no_table_behind() -> None:
    (person,) = players(1, points=5)
    with pytest.raises(Exception, match="5"):
        sit(person, stake=10)
    assert not QuickTable.objects.exists()


def test_the_last_who_leaves_calls_the_table_off() -> None:
    first, second = players(2)
    made = sit(first, seats=3, stake=50)
    sit(second, seats=3, stake=50)
    services.leave(public_id=made.public_id, player_id=first.pk, now=NOW)
    made.refresh_from_db()
    assert made.state == State.REGISTERING
    services.leave(public_id=made.public_id, player_id=second.pk, now=NOW)
    made.refresh_from_db()
    assert made.state == State.CANCELLED
    assert wallet(first).available == wallet(second).available == 500


def test_nobody_leaves_a_table_that_he_does_not_sit_at() -> None:
    first, second = players(2)
    made = sit(first)
    with pytest.raises(TournamentRefusal) as refused:
        services.leave(public_id=made.public_id, player_id=second.pk, now=NOW)
    assert refused.value.code is TournamentCode.UNKNOWN_TABLE


def test_a_table_that_does_not_fill_is_called_off_by_the_sweep() -> None:
    (person,) = players(1)
    made = sit(person, stake=500)
    assert services.act_on_due(now=NOW + WAITS - timedelta(seconds=1)) == 0
    services.act_on_due(now=NOW + WAITS)
    made.refresh_from_db()
    assert made.state == State.CANCELLED
    assert wallet(person).available == 500


def test_a_name_of_a_bot_that_a_person_has_is_not_played_for_him() -> None:
    taken = User.objects.create_user("bot-asha", password="open-deck-7")
    (person,) = players(1)
    made = sit(person, with_bots=True)
    assert not made.entries.filter(player=taken).exists()


def test_the_lobby_does_not_list_quick_tables() -> None:
    (person,) = players(1)
    sit(person)
    assert not selectors.listed_tournaments().exists()
    assert selectors.public_tournaments().count() == 1


def test_practice_is_one_click_from_the_page_to_the_table(client: Client) -> None:
    (person,) = players(1)
    client.force_login(person)
    assert "Practise against a bot" in text_of(client.get("/quick/").content.decode())
    answer = client.post("/quick/", {"format": "points", "seats": "2", "stake": "0", "bots": "on"})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/tables/")
    assert client.get(answer["Location"]).status_code == 200


def test_who_waits_is_led_to_the_table_when_it_begins(client: Client) -> None:
    first, second = players(2)
    client.force_login(first)
    answer = client.post("/quick/", {"format": "points", "seats": "2", "stake": "10"})
    here = answer["Location"]
    page = client.get(here).content.decode()
    assert "1 of 2 seats are taken" in page
    seen = page.partition("?seen=")[2].partition('"')[0]
    assert client.get(f"{here}part/?seen={seen}").status_code == 204
    sit(second, stake=10)
    assert client.get(f"{here}part/?seen={seen}")["HX-Redirect"].startswith("/tables/")
    assert client.get(here)["Location"].startswith("/tables/")


def test_a_refusal_is_said_on_the_page(client: Client) -> None:
    (person,) = players(1, points=0)
    client.force_login(person)
    answer = client.post("/quick/", {"format": "points", "seats": "2", "stake": "10"})
    assert answer.status_code == 409
    assert 'role="alert"' in answer.content.decode()


def test_leaving_is_a_button(client: Client) -> None:
    (person,) = players(1)
    client.force_login(person)
    here = client.post("/quick/", {"format": "deals", "seats": "2", "stake": "10"})["Location"]
    assert client.post(f"{here}leave/")["Location"] == "/quick/"
    assert "was not filled, or you have left" in client.get(here).content.decode()


def test_a_visitor_is_asked_to_log_in_and_a_stranger_finds_nothing(client: Client) -> None:
    first, second = players(2)
    made = sit(first)
    for address in ("/quick/", f"/quick/{made.public_id}/", f"/quick/{made.public_id}/part/"):
        assert client.get(address)["Location"].startswith("/login/")
    client.force_login(second)
    assert client.get(f"/quick/{made.public_id}/").status_code == 404
    assert client.get(f"/quick/{made.public_id}/part/").status_code == 404
