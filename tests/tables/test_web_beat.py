"""Time in which no web process served is charged to nobody: nobody could play in it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from rummy_site import lifespan
from tables import tasks
from tables.models import ClockBeat, Deal
from tables.services.heartbeat import GRACE, beat, web_beat
from tables.threads import close_threads, in_database
from tests.tables.helpers import NOW, a_match, dealt

SECOND = timedelta(seconds=1)
TURN = 40 * SECOND
"""A turn of 30 s and 10 s of extra time."""


def _run(seconds: range, *, web: bool = True) -> list[int | None]:
    """The clock beats in each of these seconds, and a web process a moment before it."""
    beats = []
    for second in seconds:
        if web:
            web_beat(now=NOW + second * SECOND)
        beats.append(beat(now=NOW + second * SECOND))
    return beats


def _left(deal: Deal, now: datetime) -> timedelta:
    at = Deal.objects.get(pk=deal.pk).deadline_at
    assert at is not None
    return at - now


def _nothing() -> None:
    """Nothing to start, nothing to stop."""


@pytest.mark.django_db
def test_while_no_web_process_serves_the_clock_stands_still() -> None:
    dealt(a_match())
    assert _run(range(10)) == [0] * 10
    assert _run(range(10, 60), web=False) == [0] * 3 + [None] * 47


@pytest.mark.django_db
def test_the_time_without_a_web_process_is_given_back_once_from_its_last_beat_on() -> None:
    deal, _ = dealt(a_match())
    _run(range(11))
    _run(range(11, 70), web=False)
    assert _run(range(70, 73)) == [1, 0, 0]
    assert timedelta(0) <= _left(deal, NOW + 70 * SECOND) - (TURN - 10 * SECOND) < SECOND
    assert list(deal.events.values_list("kind", flat=True)).count("clock_shifted") == 1


@pytest.mark.django_db
@pytest.mark.parametrize("web_first", [True, False])
def test_a_standstill_of_everything_is_given_back_once_whoever_is_back_first(
    web_first: bool,
) -> None:
    deal, _ = dealt(a_match())
    _run(range(11))
    if web_first:
        web_beat(now=NOW + 65 * SECOND)
    else:
        assert beat(now=NOW + 65 * SECOND) is None
    assert _run(range(70, 73)) == [1, 0, 0]
    assert timedelta(0) <= _left(deal, NOW + 70 * SECOND) - (TURN - 10 * SECOND) < SECOND


@pytest.mark.django_db
def test_a_web_process_may_be_there_before_the_clock_has_ever_beaten() -> None:
    web_beat(now=NOW)
    deal, _ = dealt(a_match())
    assert beat(now=NOW + SECOND) == 0
    assert beat(now=NOW + 60 * SECOND) is None
    assert _run(range(61, 63)) == [1, 0]
    assert timedelta(0) <= _left(deal, NOW + 61 * SECOND) - TURN < SECOND


@pytest.mark.django_db
def test_one_of_two_web_processes_is_enough() -> None:
    dealt(a_match())
    for second in range(20):
        web_beat(now=NOW + second * SECOND)
        if second < 10:
            web_beat(now=NOW + second * SECOND + SECOND / 2)
        assert beat(now=NOW + second * SECOND) == 0


@pytest.mark.django_db
def test_without_any_web_beat_ever_the_clock_goes_by_itself() -> None:
    assert _run(range(10), web=False) == [0] * 10
    assert ClockBeat.objects.get().web_at is None


@pytest.mark.django_db
def test_a_web_beat_from_a_clock_that_runs_ahead_is_corrected() -> None:
    _run(range(2))
    web_beat(now=NOW + timedelta(hours=1))
    web_beat(now=NOW + 2 * SECOND)
    assert ClockBeat.objects.get().web_at == NOW + 2 * SECOND
    assert ClockBeat.objects.get().at == NOW + SECOND


@pytest.mark.django_db
def test_a_run_of_the_clock_acts_on_nothing_without_a_web_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deal, _ = dealt(a_match(), datetime.now(UTC) - 2 * TURN)
    monkeypatch.setattr(tasks, "SPAN_SECONDS", 0.3)
    away = datetime.now(UTC) - 2 * GRACE
    ClockBeat.objects.create(pk=1, at=away, web_at=away)
    assert tasks.run_clock() == 0
    assert "turn_missed" not in deal.events.values_list("kind", flat=True)
    ClockBeat.objects.update(at=datetime.now(UTC), web_at=datetime.now(UTC))
    assert tasks.run_clock() >= 1
    assert "turn_missed" in deal.events.values_list("kind", flat=True)


@pytest.mark.django_db(transaction=True)
async def test_a_server_that_knows_the_lifespan_beats_from_start_to_stop() -> None:
    await in_database(beat, now=datetime.now(UTC))
    told: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    said: list[str] = []

    async def send(message: dict[str, str]) -> None:
        said.append(message["type"])

    site = lifespan.WithLifespan(None, start=_nothing, stop=_nothing, beside=lifespan.beat)
    told.put_nowait({"type": "lifespan.startup"})
    serving = asyncio.create_task(site({"type": "lifespan"}, told.get, send))
    async with asyncio.timeout(10):
        while (await in_database(ClockBeat.objects.get)).web_at is None:
            await asyncio.sleep(0.02)
    told.put_nowait({"type": "lifespan.shutdown"})
    await serving
    assert said == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    close_threads()
