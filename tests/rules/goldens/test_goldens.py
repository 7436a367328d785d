"""Golden playthroughs: recorded deals are played again and compared byte for byte."""

from __future__ import annotations

import msgspec
import pytest

from tables.rules.codec import decode_event
from tables.rules.deal import replay
from tables.rules.events import DealEnded, Event
from tests.rules.goldens.recording import FOLDER, GOLDENS, Golden, play_again, record

EACH = pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.path.stem)


def events_of(golden: Golden) -> list[Event]:
    """The log in a recording."""
    return events_in(golden.path.read_text())


def events_in(recording: str) -> list[Event]:
    """The log in the text of a recording."""
    lines = map(msgspec.json.decode, recording.splitlines())
    return [decode_event(msgspec.json.encode(line["event"])) for line in lines if "event" in line]


@EACH
def test_recorded_commands_bring_about_the_recorded_events(golden: Golden) -> None:
    recording = golden.path.read_text()
    assert play_again(recording) == recording


@EACH
def test_recording_anew_changes_nothing(golden: Golden) -> None:
    assert record(golden) == golden.path.read_text()


@EACH
def test_recorded_log_alone_leads_to_the_recorded_result(golden: Golden) -> None:
    log = events_of(golden)
    assert isinstance(log[-1], DealEnded)
    assert replay(log).result == log[-1].result
    assert len(log[-1].result.scores) == golden.players


def test_every_recording_belongs_to_a_deal_of_the_list() -> None:
    assert {path.name for path in FOLDER.glob("*.jsonl")} == {g.path.name for g in GOLDENS}


def test_recordings_show_most_of_what_can_happen_in_a_deal() -> None:
    kinds = {type(event).__name__ for golden in GOLDENS for event in events_of(golden)}
    assert kinds >= {
        *("DealOpened", "TossMade", "CardsDealt", "TurnStarted", "CardDrawn", "CardDiscarded"),
        *("TurnMissed", "PlayerWentOut", "CardFinished", "HandDeclared", "ShowOpened"),
        *("AutoDropSet", "PlayerWentOffline", "PlayerCameBack", "DealEnded"),
    }


def test_a_log_from_before_the_time_between_deals_was_an_option_leads_to_the_same_result() -> None:
    text, option = GOLDENS[0].path.read_text(), ',"next_deal_seconds":8'
    assert option in text
    now, before = events_in(text), events_in(text.replace(option, ""))
    assert replay(before).result == replay(now).result


def test_changed_recording_would_be_noticed() -> None:
    golden = GOLDENS[0]
    recording = golden.path.read_text()
    lines = recording.splitlines(keepends=True)
    place = next(i for i, line in enumerate(lines) if '"card_discarded"' in line)
    changed = "".join([*lines[:place], *lines[place + 1 :]])
    assert play_again(changed) == recording != changed
