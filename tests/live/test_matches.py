"""Whole matches over real sockets, by people's commands (issue of live tables)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tables import broadcast, services
from tables.frames import CommandFrame
from tables.models import Deal, Match, MatchStatus
from tables.rules.commands import Leave
from tables.rules.evolve import replay
from tables.rules.visibility import view_of
from tables.selectors import check_deal
from tables.services.alarms import act_on_due
from tables.store import events_of
from tables.threads import in_database
from tests.live.client import Player
from tests.tables.helpers import a_match, secret_for

pytestmark = pytest.mark.django_db(transaction=True)


CHEAP = '{"type": "nothing"}'
"""A frame that a server has read in no time, however busy it is."""


def logged_in(user: User) -> dict[str, str]:
    """The header of a browser that is logged in."""
    client = Client()
    client.force_login(user)
    return {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}


def seated(match: Match) -> list[dict[str, str]]:
    """Every seat's headers, by number."""
    return [logged_in(seat.player) for seat in match.seats.select_related("player")]


def _soon() -> datetime:
    return datetime.now(UTC) + timedelta(minutes=1)


async def _play_on(players: list[Player], match: Match) -> None:
    """Everybody acts when it is his turn; the clock deals the next deal and asks for answers."""

    async def take_part(player: Player) -> None:
        while player.board.get("status") != MatchStatus.OVER:
            if player.must_act:
                await player.act(player.think())
            else:
                await player.next()
            if player.board.get("status") == MatchStatus.ASKING:
                await _answer(player)

    async def clock() -> None:
        while True:
            await asyncio.sleep(0.05)
            await in_database(_deal_what_is_due, match.pk)

    ticking = asyncio.create_task(clock())
    try:
        await asyncio.gather(*(take_part(player) for player in players))
    finally:
        ticking.cancel()


def _deal_what_is_due(match_id: int) -> None:
    """Deal at once instead of after eight seconds; running times are left alone."""
    if Match.objects.get(pk=match_id).status == MatchStatus.DEALING:
        services.deal_next(match_id=match_id, secret_for=secret_for, now=datetime.now(UTC))


async def _answer(player: Player) -> None:
    """Buy chips, but no second life."""
    step = player.board["step"] or {}
    if step.get("step") in ("await_rejoin", "await_rebuy") and player.seat in step["seats"]:
        await player.send({"type": "rejoin", "yes": step["step"] == "await_rebuy"})
        player.board["step"] = None


LEVEL: dict[str, Any] = {
    "value": 5,
    "minimum_chips": 800,
    "stacks": (1000,) * 4,
    "rebuy_chips": 1000,
    "rebuys": (1,) * 4,
}
FORMATS: list[tuple[str, str, int, dict[str, Any]]] = [
    ("points", "g24_points", 6, {}),
    ("deals", "rummycircle", 3, {}),
    ("pool51", "g24_pool", 4, {"manual_split": False}),
    ("pool101", "octro", 2, {}),
    ("heads_up", "g24_knockout", 2, {}),
    ("highest_out", "classic_rummy", 3, {}),
    ("level", "rummycircle", 4, LEVEL),
]


@pytest.mark.parametrize(("format_name", "profile", "people", "options"), FORMATS)
async def test_a_whole_match_is_played_over_sockets_and_every_view_is_the_right_one(
    site: str, format_name: str, profile: str, people: int, options: dict[str, Any]
) -> None:
    match = await in_database(a_match, people, format_name=format_name, profile=profile, **options)
    headers = await in_database(seated, match)
    table = await in_database(lambda: match.table.public_id)
    players = [Player(site, table, header) for header in headers]
    for player in players:
        await player.open()
    await _play_on(players, match)
    for player in players:
        await player.close()
    deals = await in_database(lambda: list(Deal.objects.filter(match=match)))
    for deal in deals:
        assert (await in_database(check_deal, deal)).faults == ()
    may = {move["do"] for p in players for frame in p.frames for move in frame.get("legal", ())}
    assert may <= {kind.__struct_config__.tag for kind in get_args(CommandFrame)}
    finished = replay(await in_database(events_of, deals[-1]))
    for player in players:
        if player.deal == deals[-1].public_id:
            assert player.view == view_of(finished, player.seat)


async def test_two_tabs_of_one_player_give_one_card(site: str) -> None:
    match, players = await _two(site)
    mover = next(p for p in players if p.must_act)
    async with Player(site, mover.url.split("/")[-2], mover.headers) as tab:
        await tab.until("snapshot")
        draw = {"type": "draw_closed", "seen": mover.version}
        first, second = await asyncio.gather(
            mover.act(draw | {"id": "tab-1"}), tab.act(draw | {"id": "tab-2"})
        )
    assert {first["type"], second["type"]} == {"done", "refused"}
    deal = await in_database(match.deals.get)
    kinds = [type(e).__name__ for e in await in_database(events_of, deal)]
    assert kinds.count("CardDrawn") == 1


async def _two(site: str, people: int = 2) -> tuple[Match, list[Player]]:
    match = await in_database(a_match, people)
    await in_database(_deal_what_is_due, match.pk)
    headers = await in_database(seated, match)
    table = await in_database(lambda: match.table.public_id)
    players = [Player(site, table, header) for header in headers]
    for player in players:
        await player.open()
        await player.until("snapshot")
    return match, players


async def test_a_command_sent_twice_acts_once_and_is_answered_the_same(site: str) -> None:
    _, players = await _two(site)
    mover = next(p for p in players if p.must_act)
    frame = {"type": "draw_closed", "id": "once", "seen": mover.version}
    first, again = await mover.act(frame), await mover.act(frame)
    assert (first["version"], first["repeated"]) == (again["version"], False)
    assert again["repeated"] is True


async def test_a_stale_client_is_refused_with_a_fresh_snapshot(site: str) -> None:
    _, players = await _two(site)
    waiting = next(p for p in players if not p.must_act)
    refused = await waiting.act({"type": "draw_closed", "id": "x", "seen": 1})
    assert refused["code"] == "not_your_turn"
    assert refused["snapshot"]["version"] == waiting.version


async def test_who_comes_back_gets_what_he_missed_and_ends_with_the_same_view(site: str) -> None:
    _, players = await _two(site)
    mover, other = sorted(players, key=lambda p: not p.must_act)
    await other.close()
    await mover.act(mover.think())
    await mover.act(mover.think())
    version = other.version
    await other.open()
    missed = await other.until("events")
    assert missed["version"] > version
    assert other.view is not None
    assert mover.view is not None
    assert other.view.open == mover.view.open
    assert other.must_act


async def test_between_two_deals_nobody_is_shown_the_old_hand(site: str) -> None:
    match, players = await _two(site, 3)
    await in_database(_everybody_drops, match.pk)
    async with Player(site, players[0].url.split("/")[-2], players[0].headers) as back:
        shown = await back.until("snapshot")
    assert shown["state"] is None
    assert shown["deal"] == ""


def _everybody_drops(match_id: int) -> None:
    """All but one player leave the running deal, which ends it."""
    deal = Deal.objects.get(match_id=match_id)
    state = replay(events_of(deal))
    while not state.is_over:
        played = services.play(
            deal_id=deal.pk,
            command=Leave(state.turn or 0),
            command_id=f"gone-{state.version}",
            now=datetime.now(UTC),
        )
        state = played.state or state


async def test_nobody_sees_a_card_he_may_not_know(site: str) -> None:
    """Six players: every frame of each is searched for the hidden cards of the others."""
    match = await in_database(a_match, 6, profile="rummycircle")
    await in_database(_deal_what_is_due, match.pk)
    headers = await in_database(seated, match)
    table = await in_database(lambda: match.table.public_id)
    players = [Player(site, table, header) for header in headers]
    spectator = Player(site, table)
    for player in (*players, spectator):
        await player.open()
        await player.until("snapshot")
    for _ in range(12):
        mover = next(p for p in players if p.must_act)
        await mover.act(mover.think())
        for player in players:
            while player.version < mover.version:
                await player.next()
    state = replay(await in_database(events_of, await in_database(match.deals.get)))
    for player in players:
        assert player.view == view_of(state, player.seat)
        for text in player.raw:
            assert '"secret":"' not in text or '"secret":""' in text
    assert spectator.view is None
    assert all("hand" not in text for text in spectator.raw)


async def test_a_seat_acts_for_itself_only_and_a_spectator_for_nobody(site: str) -> None:
    _, players = await _two(site)
    mover = next(p for p in players if p.must_act)
    forged = {"type": "draw_closed", "id": "f", "seen": 4, "seat": mover.seat}
    other = next(p for p in players if p is not mover)
    await other.send(forged)
    assert (await other.until("refused"))["code"] == "bad_frame"
    async with Player(site, mover.url.split("/")[-2]) as stranger:
        await stranger.until("snapshot")
        refused = await stranger.act({"type": "draw_closed", "id": "s", "seen": 4})
    assert refused["code"] == "not_a_player"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"type":"fly"}',
        '{"type":1}',
        '{"type":"hello","version":-1}',
        '{"type":"discard","id":"a","seen":1,"card":["KD"]}',
        '"' + "x" * 500,
        "[" * 3000,
    ],
)
async def test_a_frame_that_cannot_be_read_is_refused_and_the_socket_lives(
    site: str, text: str
) -> None:
    _, players = await _two(site)
    await players[0].send(text)
    assert (await players[0].until("refused"))["code"] == "bad_frame"
    await players[0].send({"type": "hello"})
    await players[0].until("snapshot")


async def test_a_frame_of_a_megabyte_closes_the_socket_and_harms_nobody_else(site: str) -> None:
    _, players = await _two(site)
    await players[0].send("x" * 2**20)
    with pytest.raises(Exception, match=r"1009|too big|1000"):
        await players[0].until("never")
    await players[1].send({"type": "hello"})
    await players[1].until("snapshot")


async def test_a_flood_is_limited_and_in_the_end_cut_off(site: str) -> None:
    _, players = await _two(site)
    for _ in range(400):
        await players[0].send(CHEAP)
    with pytest.raises(Exception, match="4429"):
        await players[0].until("never")
    assert any(f["type"] == "refused" and f["code"] == "too_fast" for f in players[0].frames)
    await players[1].send({"type": "hello"})
    await players[1].until("snapshot")


async def test_each_frame_that_came_too_fast_is_refused_and_later_ones_are_answered(
    site: str,
) -> None:
    _, players = await _two(site)
    for _ in range(80):
        await players[0].send(CHEAP)
    codes = [(await players[0].until("refused"))["code"] for _ in range(80)]
    assert set(codes) == {"bad_frame", "too_fast"}
    await asyncio.sleep(0.2)
    await players[0].send({"type": "hello"})
    await players[0].until("snapshot")


async def test_chat_reaches_the_table_and_a_muted_seat_is_refused(site: str) -> None:
    match, players = await _two(site)
    await players[0].send({"type": "chat", "text": "  Good <b>luck</b>!  "})
    said = await players[1].until("chat")
    assert (said["seat"], said["text"]) == (players[0].seat, "Good <b>luck</b>!")
    seat = await in_database(lambda: match.seats.get(number=players[1].seat or 0))
    await in_database(services.mute, seat_id=seat.pk, muted=True)
    await players[1].send({"type": "chat", "text": "hello"})
    assert (await players[1].until("refused"))["code"] == "muted"
    for _ in range(5):
        await players[0].send({"type": "chat", "text": "spam"})
    assert (await players[0].until("refused"))["code"] == "too_fast"


async def test_a_players_nonce_goes_into_the_next_shuffle(site: str) -> None:
    match, players = await _two(site)
    await players[0].send({"type": "nonce", "text": "mine"})
    await players[0].send({"type": "hello"})
    await players[0].until("snapshot")
    assert await in_database(lambda: match.seats.get(number=players[0].seat or 0).nonce) == "mine"


async def test_an_alarm_reaches_the_sockets_like_a_move(site: str) -> None:
    _, players = await _two(site)
    mover, other = sorted(players, key=lambda p: not p.must_act)
    await in_database(act_on_due, now=_soon())
    missed = await other.until("events")
    assert "turn_missed" in [event["kind"] for event in missed["events"]]
    assert other.must_act
    await mover.until("events")


async def test_a_player_whose_last_socket_closes_is_shown_offline(site: str) -> None:
    match, players = await _two(site)
    await players[0].close()
    gone = await players[1].until("events")
    assert gone["events"][0]["kind"] == "player_went_offline"
    await players[0].open()
    back = await players[1].until("events")
    assert back["events"][0]["kind"] == "player_came_back"
    assert await in_database(lambda: match.deals.get().over_at) is None


async def test_a_last_message_that_is_lost_is_made_good_within_seconds(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing follows it that would show the gap; the look at the versions finds it."""
    match, players = await _two(site, 3)
    mover, *others = sorted(players, key=lambda p: not p.must_act)
    monkeypatch.setattr(broadcast, "_send", lambda *_: None)
    await mover.act(mover.think())
    for other in others:
        missed = await other.until("events")
        assert missed["version"] == mover.version
    await in_database(_everybody_drops, match.pk)
    for player in players:
        shown = await player.until("snapshot", deal="")
        assert shown["scoreboard"]["status"] == MatchStatus.OVER


async def test_an_unknown_table_closes_with_its_code(site: str) -> None:
    player = Player(site, "nowhere")
    with pytest.raises(Exception, match="4404"):
        async with player:
            await player.until("never")
