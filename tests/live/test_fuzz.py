"""Frames that nobody should send: each is answered, none breaks the socket or the deal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rummy_site.sockets import sockets
from tables import consumers
from tables import frames as fr
from tables.models import Deal, DealEvent, Match, MatchEntry, Seat
from tables.rules.cards import PACK
from tables.rules.errors import RuleViolation
from tables.selectors import check_deal
from tables.threads import close_threads
from tests.programs import key_for
from tests.tables.helpers import a_match, dealt

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 30.0
AT_MOST = 30
"""Frames of one example."""

NEVER_PLAYED = {"type": "discard", "seen": 1, "card": "??"}

few = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

TYPES = [
    *("draw_closed", "draw_open", "discard", "finish", "declare", "arrange", "drop", "auto_drop"),
    *("back", "rejoin", "offer_split", "answer_split", "chat", "nonce", "hello", "fly", "", 7),
]
FIELDS = ["id", "seen", "card", "groups", "on", "yes", "accepts", "text", "deal", "version", "seat"]

cards = st.sampled_from([*PACK, "JK", "??", "XX", "\x00\x00", "K"])
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=70)
    | cards,
    lambda inner: st.lists(inner, max_size=14) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)
objects = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        "id": st.text(max_size=66) | values,
        "seen": st.integers(0, 20) | values,
        "card": cards | values,
        "groups": st.lists(st.lists(cards, max_size=14), max_size=14) | values,
        **dict.fromkeys(FIELDS[4:7], st.booleans() | values),
        "text": st.text(max_size=70) | values,
        "version": st.integers(0, 20) | values,
    },
)
texts = (
    objects.map(json.dumps)
    | values.map(json.dumps)
    | st.text(max_size=200)
    | st.sampled_from(["[" * 5000, '{"type":' * 900, "\ud800", "\x00"])
)
frames = st.lists(texts | st.binary(max_size=200), min_size=1, max_size=AT_MOST)


class Stage:
    """A deal under way, and the token of the player who has to act."""

    def __init__(self) -> None:
        match = a_match()
        self.match_id = match.pk
        self.deal, state = dealt(match)
        seat = match.seats.get(number=state.turn or 0)
        self.token = key_for(User.objects.get(pk=seat.player_id))
        self.table = match.table.public_id
        self._fences = count(1)

    def everything(self) -> list[list[tuple[Any, ...]]]:
        """All rows a frame could change, presence apart, which a connection changes."""
        presence = ("player_went_offline", "player_came_back")
        return [
            list(DealEvent.objects.exclude(kind__in=presence).values_list("kind", "payload")),
            list(MatchEntry.objects.values_list()),
            list(Match.objects.values_list("status", "version")),
            list(Seat.objects.values_list("pk", "auto_drop", "left", "nonce")),
        ]

    async def send(self, sent: list[str | bytes]) -> list[list[dict[str, Any]]]:
        """What each frame is answered; an exception of the consumer is raised here."""
        headers = [(b"authorization", b"Token " + self.token.encode())]
        path = f"/ws/tables/{self.table}/"
        scope = {"type": "websocket", "path": path, "headers": headers, "query_string": b""}
        socket = ApplicationCommunicator(sockets, scope)
        await socket.send_input({"type": "websocket.connect"})
        assert (await socket.receive_output(PATIENCE))["type"] == "websocket.accept"
        answers = [await self._exchange(socket, frame) for frame in sent]
        await socket.send_input({"type": "websocket.disconnect", "code": 1000})
        await socket.wait(PATIENCE)
        return answers

    async def _exchange(
        self, socket: ApplicationCommunicator, frame: str | bytes
    ) -> list[dict[str, Any]]:
        """Frames up to the answer to a fence sent behind this one."""
        fence = f"fence-{next(self._fences)}"
        for sent in (frame, json.dumps(NEVER_PLAYED | {"id": fence})):
            kind = "bytes" if isinstance(sent, bytes) else "text"
            await socket.send_input({"type": "websocket.receive", kind: sent})
        answers: list[dict[str, Any]] = []
        while True:
            got = json.loads((await socket.receive_output(PATIENCE))["text"])
            if got["type"] == "refused" and got["id"] == fence:
                return answers
            answers.append(got)


def _is_readable(frame: str | bytes) -> bool:
    try:
        fr.read_frame(frame)
    except RuleViolation:
        return False
    return True


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """Made once for all examples of a test; nothing comes too fast."""
    monkeypatch.setattr(consumers, "FRAMES_AT_ONCE", 1_000_000)
    yield Stage()
    close_threads()


@few
@given(sent=frames)
def test_an_unreadable_frame_is_refused_and_changes_nothing(
    stage: Stage, sent: list[str | bytes]
) -> None:
    unreadable = [frame for frame in sent if not _is_readable(frame)][: AT_MOST // 2]
    before = stage.everything()
    answers = async_to_sync(stage.send)(unreadable)
    for answer in answers:
        assert [frame["code"] for frame in answer if frame["type"] == "refused"] == ["bad_frame"]
    assert stage.everything() == before


@few
@given(sent=frames)
def test_any_frame_is_answered_and_the_deal_stays_sound(
    stage: Stage, sent: list[str | bytes]
) -> None:
    answers = async_to_sync(stage.send)(sent[: AT_MOST // 2])
    known = {kind.__struct_config__.tag for kind in fr.OutFrame.__args__}
    assert {frame["type"] for answer in answers for frame in answer} <= known
    for deal in Deal.objects.filter(match_id=stage.match_id):
        assert check_deal(deal).is_sound


@pytest.mark.parametrize("name", ["", "a\x00", "a b", "é", "a\n", "x" * 61])
def test_a_command_is_named_in_printable_ascii(name: str) -> None:
    """A NUL would be a fault of the database on PostgreSQL."""
    assert not _is_readable(json.dumps({"type": "draw_closed", "id": name, "seen": 3}))
    assert _is_readable(json.dumps({"type": "draw_closed", "id": "a:1-" + "x" * 56, "seen": 3}))


def test_frames_can_be_told_readable_from_unreadable() -> None:
    """Otherwise the two tests above would try nothing."""
    readable = '{"type":"discard","id":"a","seen":3,"card":"KD"}'
    assert _is_readable(readable)
    assert not _is_readable(readable.replace('"KD"', "7"))
