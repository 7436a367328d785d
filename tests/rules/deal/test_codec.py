"""Events and commands as JSON: what is written is read back, and nothing else is read at all."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.rules import commands as cm
from tables.rules.codec import (
    SCHEMA,
    decode_command,
    decode_event,
    encode_command,
    encode_event,
    encode_state,
)
from tables.rules.deal import evolve, replay
from tables.rules.errors import Code, RuleViolation
from tables.rules.visibility import redact
from tests.rules.deal.streams import play, random_table
from tests.rules.deal.table import JUNK, LOW, WIN, dealt

SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=20)
@given(SEEDS)
def test_every_event_and_command_of_a_deal_is_read_back_as_it_was(seed: int) -> None:
    chance = Random(seed)
    table = random_table(chance)
    for command in play(table, chance):
        if not isinstance(command, cm.Expire | cm.ShiftClock):
            assert decode_command(encode_command(command)) == command
    for event in table.log:
        text = encode_event(event)
        assert decode_event(text) == event
        assert encode_event(decode_event(text.encode())) == text
        assert json.loads(text)["kind"]
        assert decode_event(encode_event(redact(event, None))) == redact(event, None)
    assert json.loads(encode_state(table.state))["phase"] == "over"


def test_command_is_a_small_object_that_names_itself() -> None:
    assert json.loads(encode_command(cm.Discard(2, "TD"))) == {
        "do": "discard",
        "seat": 2,
        "card": "TD",
    }
    groups = [["7H", "8H"], ["JK"]]
    assert decode_command(json.dumps({"do": "declare", "seat": 1, "groups": groups})) == cm.Declare(
        1, (("7H", "8H"), ("JK",))
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{",
        "{}",
        '{"do": "discard", "seat": 1}',
        '{"do": "discard", "seat": "1", "card": "TD"}',
        '{"do": "discard", "seat": 1.5, "card": "TD"}',
        '{"do": "discard", "seat": true, "card": "TD"}',
        '{"do": "discard", "seat": 1, "card": 7}',
        '{"do": "discard", "seat": 1, "card": "TD", "at": 0}',
        '{"do": "discard", "seat": 1, "card": "\\ud800"}',
        '{"do": "declare", "seat": 1, "groups": [[["TD"]]]}',
        '{"do": "fold", "seat": 1}',
        '{"seat": 1}',
        # The clock is no player: nobody can send its alarm.
        '{"do": "expire"}',
        "[" * 100_000,
        b"\xff",
    ],
)
def test_what_is_no_command_of_a_player_is_refused(text: str | bytes) -> None:
    with pytest.raises(RuleViolation) as refused:
        decode_command(text)
    assert refused.value.code is Code.BAD_RECORD
    assert len(refused.value.sentence) < 300


@pytest.mark.parametrize("change", ["kind", "at", "extra", "cut", "points", "terms"])
def test_event_that_was_tampered_with_is_refused(change: str) -> None:
    """Also where the parts fit but the whole does not: no terms, no result of that kind exist."""
    table = dealt(WIN, LOW).show(1)
    table.do(cm.Declare(2, ()))
    record = json.loads(encode_event(table.log[0 if change == "terms" else -1]))
    match change:
        case "kind":
            record["kind"] = "deal_stolen"
        case "at":
            record["at"] = "now"
        case "extra":
            record["extra"] = 1
        case "cut":
            del record["secret"]
        case "points":
            record["result"]["scores"][0]["points"] = 5
        case _:
            record["terms"]["profile"]["cap"] = -1
    with pytest.raises(RuleViolation):
        decode_event(json.dumps(record))


def test_log_of_another_schema_is_refused_by_its_number() -> None:
    event = dealt(JUNK).log[0]
    with pytest.raises(RuleViolation) as refused:
        decode_event(encode_event(event), SCHEMA + 1)
    assert (refused.value.code, refused.value.field) == (Code.BAD_RECORD, "schema")


def test_log_that_is_empty_headless_or_opened_twice_is_refused() -> None:
    log = dealt(JUNK).log
    for broken in ([], log[1:], [*log, log[0]]):
        with pytest.raises(RuleViolation) as refused:
            replay(broken)
        assert refused.value.code is Code.BAD_RECORD
    with pytest.raises(RuleViolation):
        evolve(replay(log), log[0])
