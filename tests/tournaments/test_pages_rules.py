"""The rules in words: every figure of every profile is said."""

from __future__ import annotations

import pytest

from tables.rules.profiles import PROFILES, profile_named
from tables.words import conduct_facts, profile_facts
from tests.tournaments.helpers import terms
from tests.tournaments.level_helpers import level_terms
from tournaments.models import Shape
from tournaments.play.rules import rules_in_words
from tournaments.structure.conditions import Conditions, EntryRules


@pytest.mark.parametrize("name", PROFILES)
def test_every_figure_of_a_profile_is_among_its_words(name: str) -> None:
    profile = profile_named(name)
    text = " ".join((*profile_facts(profile), *conduct_facts(profile)))
    figures = [
        profile.cap,
        profile.ace_points,
        profile.run_joker_limit,
        profile.set_size_limit,
        profile.complete_loser_points,
        profile.auto_play_turns,
        profile.misses_allowed,
        profile.max_moves,
        None if profile.max_deal_seconds is None else profile.max_deal_seconds // 60,
    ]
    for figure in figures:
        assert figure is None or f" {figure}" in text
    assert ("lie outside" in text) is profile.loose_jokers
    assert ("One sequence must have" in text) is (profile.long_run > 3)


def test_another_figure_gives_another_sentence() -> None:
    other = profile_named("octro", complete_loser_points=7, max_moves=33, misses_allowed=4)
    text = " ".join(conduct_facts(other))
    assert "counts 7 points" in text
    assert "After 33 moves" in text
    assert "4 turns in a row" in text


@pytest.mark.parametrize("shape", [Shape.HEADS_UP, Shape.KNOCKOUT, Shape.SINGLE])
def test_the_entry_code_is_never_among_the_words(shape: Shape) -> None:
    entering = EntryRules(conditions=Conditions(code="kite-7"), late_until_round=2, reentries=1)
    made = terms(entering=entering, guarantee=900)
    sections = rules_in_words(made, shape, "{} points".format, has_check_in=False)
    text = " ".join(sentence for section in sections for sentence in section.sentences)
    assert "kite-7" not in text
    assert "An entry code is needed" in text
    assert "900 points" in text
    assert "while round 2 has not closed" in text


@pytest.mark.parametrize("has_check_in", [True, False])
def test_what_a_no_show_means_is_said_where_there_is_a_check_in(has_check_in: bool) -> None:
    made = terms(entering=EntryRules(no_show_keeps_fee=True))
    sections = rules_in_words(made, Shape.KNOCKOUT, str, has_check_in=has_check_in)
    text = " ".join(sentence for section in sections for sentence in section.sentences)
    assert ("stays in the prize pool" in text) is has_check_in
    assert ("The waitlist gets the seats" in text) is has_check_in


def test_timed_levels_speak_of_levels_and_promise_no_tie_break() -> None:
    made = level_terms(entering=EntryRules(late_until_round=2))
    sections = rules_in_words(made, Shape.LEVELS, "{} points".format, has_check_in=False)
    text = " ".join(sentence for section in sections for sentence in section.sentences)
    assert "while level 2 has not closed" in text
    assert "round 2" not in text
    assert "tie-break" not in text
