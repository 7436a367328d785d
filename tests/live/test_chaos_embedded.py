"""A site in one process is killed in the middle of play, and nothing is lost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.live.chaos import DOWN_SECONDS, Desk, Site, Table, assert_sound, embedded_site
from tests.live.processes import PATIENCE_SECONDS, Process, running

LONG = {"turn_seconds": 60, "declare_seconds": 60, "extra_seconds": 0}

pytestmark = pytest.mark.chaos


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Made once; each test serves it anew."""
    return embedded_site(tmp_path_factory.mktemp("embedded"))


@pytest.fixture(scope="module")
def desk(site: Site) -> Iterator[Desk]:
    """The site's desk."""
    desk = site.desk()
    yield desk
    desk.close()


@pytest.fixture
def web(site: Site, desk: Desk) -> Iterator[Process]:
    """The one process of the site, running."""
    process = site.serve()
    with running(process):
        desk.wait_for_clock()
        yield process


@pytest.fixture
async def tables() -> AsyncIterator[list[Table]]:
    """Tables whose people are sent home in the end."""
    opened: list[Table] = []
    yield opened
    for table in opened:
        await table.hang_up()


async def _restart(web: Process, table: Table) -> tuple[float, float]:
    """Kill it, leave it down, start it, sit down again; how long at least and at most it stood."""
    killed = time.monotonic()
    web.kill()
    await asyncio.sleep(DOWN_SECONDS)
    at_least = time.monotonic() - killed
    await asyncio.to_thread(web.start)
    await table.sit_down()
    return at_least, killed


async def _until_shifted(table: Table) -> dict[str, Any]:
    """The deal once its times have been moved on."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while "clock_shifted" not in (deal := table.deal())["kinds"]:
            await asyncio.sleep(0.1)
    return deal


async def _table(
    site: Site, desk: Desk, tables: list[Table], people: int = 2, **options: Any
) -> Table:
    table = Table(site, desk, desk.ask("open_match", people=people, **options))
    tables.append(table)
    await table.sit_down()
    await table.until_dealt()
    return table


async def test_killed_in_the_middle_of_a_turn_the_turn_goes_on_with_the_time_it_had(
    site: Site, desk: Desk, web: Process, tables: list[Table]
) -> None:
    table = await _table(site, desk, tables, clock=LONG)
    assert (await table.move())["type"] == "done"  # drawn, not discarded
    before = table.deal()
    hands = [player.view for player in table.players]
    at_least, killed = await _restart(web, table)
    after = await _until_shifted(table)
    moved_by = after["deadline"] - before["deadline"]
    assert at_least <= moved_by <= time.monotonic() - killed + 3
    assert after["kinds"][: len(before["kinds"])] == before["kinds"]
    assert after["kinds"].count("clock_shifted") == 1
    mover = await table.mover()
    assert mover.view is not None
    drawn = hands[table.players.index(mover)]  # the others may not have heard of it yet
    assert drawn is not None
    assert mover.view.open == drawn.open
    assert mover.view.seat_state(mover.seat or 0).hand == drawn.seat_state(mover.seat or 0).hand
    for _ in range(4):
        assert (await table.move())["type"] == "done"
    facts = table.facts()
    assert "turn_missed" not in facts["deals"][0]["kinds"]
    assert_sound(facts)


async def test_killed_between_finish_and_declare_the_finisher_declares_afterwards(
    site: Site, desk: Desk, web: Process, tables: list[Table]
) -> None:
    table = await _table(site, desk, tables, clock=LONG)
    mover = await table.mover()
    await mover.act({"type": "draw_closed", "id": "draw", "seen": mover.version})
    assert mover.view is not None
    hand = mover.view.seat_state(mover.seat or 0).hand
    await mover.act({"type": "finish", "id": "fin", "seen": mover.version, "card": hand[0]})
    assert table.deal()["phase"] == "finish"
    await _restart(web, table)
    await _until_shifted(table)
    again = {"type": "finish", "id": "fin", "seen": mover.version, "card": hand[0]}
    assert (await mover.act(again))["repeated"] is True
    declaration = {"type": "declare", "id": "decl", "groups": [list(hand[1:])]}
    assert (await mover.act(declaration | {"seen": mover.version}))["type"] == "done"
    facts = table.facts()
    assert facts["deals"][0]["phase"] == "over"
    assert facts["deals"][0]["kinds"].count("card_finished") == 1
    assert_sound(facts)


async def test_killed_while_somebody_may_buy_in_again_he_still_may(
    site: Site, desk: Desk, web: Process, tables: list[Table]
) -> None:
    how = {"format_name": "pool101", "clock": LONG, "answer_seconds": LONG["turn_seconds"]}
    table = Table(site, desk, desk.ask("open_match", people=3, **how))
    tables.append(table)
    asked = await asyncio.to_thread(desk.ask, "ask_rejoin", match=table.match)
    await table.sit_down()
    at_least, _ = await _restart(web, table)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while table.facts()["due"] - asked["due"] < at_least:
            await asyncio.sleep(0.1)
    for _ in range(2):  # as a client does that does not know whether the first one arrived
        await table.players[0].send({"type": "rejoin", "yes": True})
    assert (await table.players[0].until("refused"))["code"] in ("no_rejoin", "match_over")
    await table.until_dealt()
    facts = table.facts()
    assert facts["entries"].count("rejoin_answered") == 1
    assert_sound(facts)


async def test_killed_around_deadlines_each_of_them_acts_once(
    site: Site, desk: Desk, web: Process, tables: list[Table]
) -> None:
    quick = {"turn_seconds": 1, "declare_seconds": 1, "extra_seconds": 0}
    table = await _table(site, desk, tables, clock=quick)
    missed = [_missed(table)]
    for _ in range(2):
        web.kill()
        await asyncio.to_thread(web.start)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while _missed(table) == missed[-1]:
                await asyncio.sleep(0.1)
        missed.append(_missed(table))
    assert missed == sorted(set(missed))
    assert_sound(table.facts())


def _missed(table: Table) -> int:
    return sum(deal["kinds"].count("turn_missed") for deal in table.facts()["deals"])
