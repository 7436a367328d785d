"""Whatever leaves a site during a deal of six is searched for cards that its reader may not know.

A real process with everything in it - web, sockets, worker, beat - that logs all it can; a player
at the table who is also the site's administrator reads every page there is.
"""

from __future__ import annotations

import asyncio
import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.live.chaos import Desk, Site, Table, embedded_site
from tests.live.client import Player
from tests.live.processes import Process, running
from tests.live.secrets_search import cards_anywhere, cards_in_frame, cards_of, known_to

pytestmark = pytest.mark.chaos

LONG = {"turn_seconds": 60, "declare_seconds": 60, "extra_seconds": 0}
MOVES = 45
VISIT_EVERY = 15


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Its settings are the development ones, which tell most, and so does its log."""
    site = embedded_site(tmp_path_factory.mktemp("secrecy"))
    site.environment["RUMMY_LOG_LEVEL"] = "DEBUG"
    return site


@pytest.fixture(scope="module")
def desk(site: Site) -> Iterator[Desk]:
    """The site's desk."""
    desk = site.desk()
    yield desk
    desk.close()


@pytest.fixture(scope="module")
def web(site: Site) -> Iterator[Process]:
    """The one process of the site, running."""
    process = site.serve()
    with running(process):
        yield process


class Reader:
    """A player who has every right in the admin, and reads all pages."""

    def __init__(self, site: Site, promoted: dict[str, Any]) -> None:
        self._site = site
        self._headers = {"Cookie": f"sessionid={promoted['session']}"}
        self._lists: list[str] = promoted["lists"]
        self.replies: dict[str, str] = {}

    def _get(self, address: str) -> str:
        """The reply to an address, whatever its status."""
        url = f"http://{self._site.address}{address}"
        request = urllib.request.Request(url, headers=self._headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:  # noqa: S310
                text = reply.read().decode()
        except urllib.error.HTTPError as refusal:
            text = refusal.read().decode()
        self.replies[f"{len(self.replies)} {address}"] = text
        return text

    def read_everything(self, table: str, deal: str) -> None:
        """Pages of the table and its deal, and every list and row of the admin."""
        for address in ("/", f"/tables/{table}/", f"/deals/{deal}/", "/api/schema/", "/admin/"):
            self._get(address)
        for listed in self._lists:
            rows = re.findall(rf'href="({listed}[^"/]+/change/)', self._get(listed))
            for address in dict.fromkeys(rows):
                self._get(address)
                self._get(address.replace("change", "history"))
        self._get("/admin/tables/dealevent/?payload__contains=KD")
        self._get("/admin/tables/dealevent/?q=KD&o=9")
        self._get("/admin/tables/dealevent/999999/change/")


async def _wrongly(player: Player) -> None:
    """Commands that are refused: each refusal is read too."""
    for frame in (
        {"type": "discard", "card": "??"},
        {"type": "discard", "card": "JK"},
        {"type": "finish", "card": "AS"},
        {"type": "arrange", "groups": [["AS", "AS", "AS"]]},
        {"type": "declare", "groups": []},
        {"type": "draw_closed", "seen": 1},
        {"type": "drop"},
    ):
        if frame["type"] not in ("drop", "declare") or not player.must_act:
            given = {"seen": player.version, "id": player.new_id()} | frame
            await player.act(given)


async def _play(table: Table, reader: Reader) -> None:
    """Play on with wrong commands in between, reading everything now and then."""
    for number in range(MOVES):
        if number % VISIT_EVERY == 0:
            deal = table.deal()["id"]
            await asyncio.to_thread(reader.read_everything, table.table, deal)
            for player in table.players:
                await _wrongly(player)
                await player.send({"type": "hello"})
                await player.until("snapshot")
            await table.players[number % 6].send({"type": "chat", "text": f"move {number}"})
        await table.move()
        if table.deal()["phase"] == "over":
            return


def _assert_knows(
    player: Player, frame: dict[str, Any], deal: str, events: list[Any], running_until: int
) -> None:
    """The frame, or the snapshot inside a refusal, names no card that the player may not know."""
    for part in (frame, frame.get("snapshot") or {}):
        version = part.get("version", 0)
        if part.get("deal") == deal and 0 < version <= running_until:
            text = json.dumps(part, separators=(",", ":"))
            assert cards_in_frame(text) <= known_to(player.seat, events[:version]), text


async def test_nothing_that_leaves_a_running_deal_names_a_card_its_reader_may_not_know(
    site: Site, desk: Desk, web: Process
) -> None:
    opened = desk.ask("open_match", people=6, format_name="points", clock=LONG)
    table = Table(site, desk, opened)
    looker = Player(site.address, table.table)
    await table.sit_down()
    await looker.open(max_queue=10_000)  # he reads at the end
    await table.until_dealt()
    reader = Reader(site, desk.ask("promote", match=table.match, seat=0))
    await _play(table, reader)
    await _assert_looker(looker)  # before the long search below, which answers no pings
    logged = web.log.read_text()
    truth = desk.ask("truth", match=table.match)
    [(deal, events)] = truth["deals"].items()
    running_until = len(events) if table.deal()["phase"] != "over" else len(events) - 1
    for player in table.players:
        for text, frame in zip(player.raw, player.frames, strict=True):
            _assert_knows(player, frame, deal, events, running_until)
            if frame.get("version", 0) <= running_until:
                assert _secret(events) not in text
                assert truth["next_secret"] not in text
    mine = {card for frame in table.players[0].raw for card in cards_in_frame(frame)}
    assert mine >= set(_hands(events)[0])  # the search does find what is there
    shared = known_to(0, events)
    for address, page in reader.replies.items():
        found = cards_anywhere(page)
        assert found - shared - {"KD"} == set(), address
        assert _secret(events) not in page, address
        assert truth["next_secret"] not in page, address
    assert len(reader.replies) > 100
    assert cards_anywhere(logged) <= {"AS", "KD", "JK"}, "the log names cards"
    assert _secret(events) not in logged
    await table.hang_up()


async def _assert_looker(looker: Player) -> None:
    """Who plays no seat was told that there is a deal, and not a card of it while it was played."""
    await looker.send({"type": "chat", "text": "the last frame"})
    await looker.until("refused", code="not_a_player")
    await looker.close()
    assert any(frame["type"] == "snapshot" for frame in looker.frames)
    assert any(frame["type"] == "chat" for frame in looker.frames)
    for text, frame in zip(looker.raw, looker.frames, strict=True):
        state = frame.get("state")
        if state is None:
            assert cards_in_frame(text) == set(), text
        else:
            assert state["phase"] == "over"


def _hands(events: list[Any]) -> dict[int, list[str]]:
    """The hands as dealt."""
    [dealt] = [event for event in events if event["kind"] == "cards_dealt"]
    return dict(dealt["hands"])


def _secret(events: list[Any]) -> str:
    secret: str = events[0]["secret"]
    assert len(secret) == 64
    return secret


def test_the_search_finds_cards_in_whatever_form_they_are_written() -> None:
    for text in (
        '"KD"',
        "('KD', 'AS')",
        'said="{\\"card\\":\\"KD\\"}"',
        "&quot;KD&quot;",
        "<b>KD</b>",
    ):
        assert "KD" in cards_anywhere(text)
    assert cards_anywhere('aria-label="king of diamonds"') == {"KD"}
    assert cards_of({"hands": [[0, ["KD", "??"]]], "seat": 1}) == {"KD"}
    assert cards_anywhere("table xKD-2Hy of 7D8") == set()
