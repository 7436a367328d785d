"""A command sent again when its deal is over does nothing in the deal that came after it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from itertools import product
from typing import Any

import pytest

from tables import broadcast
from tables.models import Deal, DealEvent, Match, MatchStatus, Seat
from tables.services import arbiter
from tables.threads import in_database
from tests.live.client import Player
from tests.live.test_matches import seated
from tests.tables.helpers import a_match, dealt

pytestmark = pytest.mark.django_db(transaction=True)

Frame = dict[str, Any]
PLAIN = ("draw_closed", "draw_open", "drop", "auto_drop", "back", "leave")


async def _deal(match: Match) -> Deal:
    deal, _ = await in_database(dealt, match, datetime.now(UTC))
    return deal


async def _sees(player: Player, deal: Deal) -> None:
    while player.deal != deal.public_id:
        await player.next()


def _drop(player: Player, deal: str, name: str = "drop") -> Frame:
    return {"type": "drop", "id": name, "seen": player.version, "deal": deal}


async def _turn_comes(players: list[Player], wanted: Player) -> None:
    """Others play until it is the turn of who is wanted."""
    while not wanted.must_act:
        [other] = [player for player in players if player.must_act]
        await other.act(other.think())
        while wanted.version < other.version:
            await wanted.next()


@pytest.fixture
async def table(site: str) -> AsyncIterator[tuple[Match, Deal, list[Player]]]:
    """Two people at a pool table in their first deal; whose turn it is comes first."""
    match = await in_database(partial(a_match, 2, format_name="pool101"))
    deal = await _deal(match)
    headers = await in_database(seated, match)
    players = [Player(site, match.table.public_id, header) for header in headers]
    for player in players:
        await player.open()
        await player.until("snapshot")
    yield match, deal, sorted(players, key=lambda player: not player.must_act)
    for player in players:
        await player.close()


async def _log(deal: Deal) -> list[str]:
    rows = DealEvent.objects.filter(deal=deal).order_by("seq").values_list("kind", flat=True)
    return await in_database(list, rows)


async def _entries(match: Match) -> list[str]:
    rows = match.entries.order_by("seq").values_list("payload", flat=True)
    return await in_database(list, rows)


async def test_what_ended_a_deal_and_is_sent_again_in_the_next_gets_its_answer_again(
    table: tuple[Match, Deal, list[Player]],
) -> None:
    match, first, players = table
    mover = players[0]
    frame = _drop(mover, first.public_id)
    done = await mover.act(frame)
    second = await _deal(match)
    for player in players:
        await _sees(player, second)
    await _turn_comes(players, mover)
    before = await _log(second)
    again = await mover.act(frame)
    assert again == done | {"repeated": True}
    assert await _log(second) == before


async def test_what_was_meant_for_a_deal_that_is_over_is_refused_in_the_next(
    table: tuple[Match, Deal, list[Player]],
) -> None:
    """It was never played: the connection was lost on the way there."""
    match, first, players = table
    await players[0].act(_drop(players[0], first.public_id))
    second = await _deal(match)
    for player in players:
        await _sees(player, second)
    [mover] = [player for player in players if player.must_act]
    assert mover.view is not None
    before = await _log(second)
    for late in (
        _drop(mover, first.public_id, "late"),
        {"type": "draw_closed", "id": "draw", "seen": 4, "deal": first.public_id},
        {"type": "draw_closed", "id": "nowhere", "seen": 4, "deal": "nowhere"},
    ):
        assert (await mover.act(late))["code"] == "no_deal"
    assert await _log(second) == before
    assert (await mover.act(_drop(mover, second.public_id, "late")))["type"] == "done"


async def test_who_was_not_shown_the_new_deal_yet_does_nothing_in_it(
    table: tuple[Match, Deal, list[Player]], monkeypatch: pytest.MonkeyPatch
) -> None:
    match, first, players = table
    await players[0].act(_drop(players[0], first.public_id))
    for player in players:
        while player.board["status"] == "playing":
            await player.next()
    with monkeypatch.context() as lost:
        lost.setattr(broadcast, "_send", lambda *_: None)
        second = await _deal(match)
        before = await _log(second)
        for player in players:
            unnamed = {"type": "drop", "id": "unnamed", "seen": player.version}
            assert (await player.act(unnamed))["code"] == "no_deal"
        assert await _log(second) == before


async def test_leaving_counts_in_whichever_deal_it_arrives(
    table: tuple[Match, Deal, list[Player]],
) -> None:
    match, first, players = table
    leaver = players[1]
    await players[0].act(_drop(players[0], first.public_id))
    second = await _deal(match)
    await _sees(leaver, second)
    leave = {"type": "leave", "id": "go", "seen": 4, "deal": first.public_id}
    assert (await leaver.act(leave))["type"] == "done"
    seat = await in_database(Seat.objects.get, match=match, number=leaver.seat)
    assert seat.left


async def test_at_a_table_played_again_a_command_of_the_match_before_gets_its_answer(
    table: tuple[Match, Deal, list[Player]],
) -> None:
    match, first, [mover, *_] = table
    draw = {"type": "draw_closed", "id": "draw", "seen": mover.version, "deal": first.public_id}
    done = await mover.act(draw)
    again = await in_database(partial(arbiter.play_again, match_id=match.pk, now=datetime.now(UTC)))
    anew = await _deal(await in_database(Match.objects.get, pk=again))
    await _sees(mover, anew)
    before = await _log(anew)
    assert await mover.act(draw) == done | {"repeated": True}
    assert await _log(anew) == before


async def test_after_the_end_of_the_match_nothing_that_an_open_socket_sends_is_played(
    table: tuple[Match, Deal, list[Player]],
) -> None:
    match, deal, [first, winner] = table
    await first.act({"type": "leave", "id": "go", "seen": first.version})
    for player in (first, winner):
        while player.board["status"] != MatchStatus.OVER:
            await player.next()
    before = await _log(deal), await _entries(match)
    answers: list[Frame] = [{"type": "rejoin", "yes": True}, {"type": "offer_split"}]
    for player, (number, kind) in product((first, winner), enumerate(PLAIN)):
        frame = {"type": kind, "id": f"late-{number}", "seen": player.version}
        frame |= {"on": True} if kind == "auto_drop" else {}
        assert (await player.act(frame))["type"] == "refused", kind
    for player, answer in product((first, winner), answers):
        await player.send(answer)
        await player.until("refused")
    assert (await _log(deal), await _entries(match)) == before
    assert await in_database(match.deals.count) == 1
