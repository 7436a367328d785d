"""Each server of a site killed at each delicate moment of a table that is played for fees.

Afterwards the match is played to its end: no card, no chip and no fee is lost or moved twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.live.chaos import DOWN_SECONDS, Desk, ServerSite, Table, assert_sound
from tests.live.chaos_books import FEE, HOUSE, IN_THE_WALLET
from tests.live.processes import Process, running

pytestmark = [pytest.mark.services, pytest.mark.chaos]

LONG = {"turn_seconds": 60, "declare_seconds": 60, "extra_seconds": 0}
QUICK = {"turn_seconds": 1, "declare_seconds": 1, "extra_seconds": 0}
ANSWER_SECONDS = 9
"""More than things stay killed, so that the time does not pass before."""
PAID_SECONDS = 30
SERVERS = ["web", "worker", "redis", "postgresql"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerSite]:
    """All five processes, running."""
    site = ServerSite(tmp_path_factory.mktemp("matrix"))
    with running(site.redis, site.postgresql):
        site.manage("migrate", "-v0")
        with running(site.web, site.worker, site.beat):
            yield site
    site.remove()


@pytest.fixture(scope="module")
def desk(site: ServerSite) -> Iterator[Desk]:
    """The site's desk."""
    desk = site.desk()
    desk.wait_for_clock()
    yield desk
    desk.close()


@pytest.fixture
async def tables() -> AsyncIterator[list[Table]]:
    """Tables whose people are sent home in the end."""
    opened: list[Table] = []
    yield opened
    for table in opened:
        await table.hang_up()


def _open(site: ServerSite, desk: Desk, tables: list[Table], people: int, **how: Any) -> Table:
    table = Table(site, desk, desk.ask("open_tournament", people=people, **how))
    tables.append(table)
    return table


async def _restart(site: ServerSite, name: str, table: Table) -> None:
    """Kill a server, leave it down, start it; everybody comes back."""
    process: Process = getattr(site, name)
    process.kill()
    await asyncio.sleep(DOWN_SECONDS)
    await asyncio.to_thread(process.start)
    await table.sit_down()


async def _assert_paid(table: Table, people: int, rejoins: int) -> None:
    """The prize is paid, once, out of everybody's fees, and the books are sound.

    Completing owes it in one transaction, the next one pays, and here they are read one by one.
    """
    fees = people + rejoins
    wanted = {
        "received": fees * FEE,
        "refunded": 0,
        "paid": fees * (FEE - HOUSE),
        "fee": fees * HOUSE,
        "overlay": 0,
    }
    give_up = time.monotonic() + PAID_SECONDS
    while (books := table.books())["totals"] != wanted and time.monotonic() < give_up:
        await asyncio.sleep(0.2)
    books = table.books()
    assert (books["totals"], books["state"]) == (wanted, "completed")
    assert books["faults"] == []
    assert books["rejoins"] == rejoins
    assert (books["pool"], books["prizes"]) == (0, fees * (FEE - HOUSE))
    assert books["wallets"] == people * IN_THE_WALLET - fees * HOUSE


@pytest.mark.parametrize("server", SERVERS)
async def test_killed_in_the_middle_of_a_turn_the_match_goes_on_to_its_prize(
    site: ServerSite, desk: Desk, tables: list[Table], server: str
) -> None:
    table = _open(site, desk, tables, 2, clock=LONG)
    await table.sit_down()
    await table.until_dealt()
    mover = await table.mover()
    await mover.act({"type": "draw_closed", "id": "before", "seen": mover.version})
    assert mover.view is not None
    hand = mover.view.seat_state(mover.seat or 0).hand
    await _restart(site, server, table)
    again = {"type": "draw_closed", "id": "before", "seen": mover.version}
    assert (await mover.act(again))["repeated"] is True
    assert mover.view.seat_state(mover.seat or 0).hand == hand
    facts = await table.to_the_end()
    assert_sound(facts)
    assert all("turn_missed" not in deal["kinds"] for deal in facts["deals"])
    await _assert_paid(table, people=2, rejoins=0)


@pytest.mark.parametrize("server", SERVERS)
async def test_killed_between_finish_and_declare_the_match_goes_on_to_its_prize(
    site: ServerSite, desk: Desk, tables: list[Table], server: str
) -> None:
    table = _open(site, desk, tables, 2, clock=LONG)
    await table.sit_down()
    await table.until_dealt()
    mover = await table.mover()
    await mover.act({"type": "draw_closed", "id": "draw", "seen": mover.version})
    assert mover.view is not None
    hand = mover.view.seat_state(mover.seat or 0).hand
    finish = {"type": "finish", "id": "fin", "seen": mover.version, "card": hand[0]}
    assert (await mover.act(finish))["type"] == "done"
    await _restart(site, server, table)
    assert (await mover.act(finish))["repeated"] is True
    declare = {"type": "declare", "id": "decl", "seen": mover.version, "groups": [list(hand[1:])]}
    assert (await mover.act(declare))["type"] == "done"
    facts = await table.to_the_end()
    assert_sound(facts)
    assert facts["deals"][0]["kinds"].count("card_finished") == 1
    assert "turn_missed" not in facts["deals"][0]["kinds"]
    await _assert_paid(table, people=2, rejoins=0)


@pytest.mark.parametrize("server", SERVERS)
async def test_killed_while_a_buy_in_is_awaited_it_is_taken_once(
    site: ServerSite, desk: Desk, tables: list[Table], server: str
) -> None:
    how: dict[str, Any] = {"clock": LONG, "answer_seconds": LONG["turn_seconds"]}
    table = _open(site, desk, tables, 3, format_name="pool101", **how)
    asked = await asyncio.to_thread(desk.ask, "ask_rejoin", match=table.match)
    await table.sit_down()
    await _restart(site, server, table)
    async with asyncio.timeout(30):
        while table.facts()["due"] - asked["due"] < DOWN_SECONDS - 2:
            await asyncio.sleep(0.1)
    for _ in range(2):
        await table.players[0].send({"type": "rejoin", "yes": True})
    assert (await table.players[0].until("refused"))["code"] in ("no_rejoin", "match_over")
    facts = await table.to_the_end()
    assert_sound(facts)
    await _assert_paid(table, people=3, rejoins=1)


@pytest.mark.parametrize("server", SERVERS)
async def test_killed_while_a_buy_in_is_awaited_that_nobody_answers_the_time_passes_once(
    site: ServerSite, desk: Desk, tables: list[Table], server: str
) -> None:
    table = _open(
        site, desk, tables, 3, format_name="pool101", clock=LONG, answer_seconds=ANSWER_SECONDS
    )
    asked = await asyncio.to_thread(desk.ask, "ask_rejoin", match=table.match)
    await table.sit_down()
    await _restart(site, server, table)
    async with asyncio.timeout(30):
        while table.facts()["status"] == "asking":
            await asyncio.sleep(0.1)
    assert time.time() >= asked["due"] + DOWN_SECONDS - 2  # he had his time
    facts = await table.to_the_end()
    assert facts["entries"].count("time_passed") == 1
    assert_sound(facts)
    await _assert_paid(table, people=3, rejoins=0)


@pytest.mark.parametrize("server", SERVERS)
async def test_killed_around_deadlines_nobody_answers_each_acts_once(
    site: ServerSite, desk: Desk, tables: list[Table], server: str
) -> None:
    """People who only look on: the clock alone plays the match to its end, through a kill."""
    table = _open(site, desk, tables, 2, clock=QUICK)
    await table.sit_down()
    await table.until_dealt()
    await asyncio.sleep(1.5)
    process: Process = getattr(site, server)
    process.kill()
    await asyncio.to_thread(process.start)
    missed: set[int] = set()
    async with asyncio.timeout(90):
        while (facts := table.facts())["status"] != "over":
            missed.add(sum(deal["kinds"].count("turn_missed") for deal in facts["deals"]))
            await asyncio.sleep(0.2)
    assert len(missed) > 1
    assert_sound(facts)
    await _assert_paid(table, people=2, rejoins=0)
