"""Parts in which a large bracket is looked at."""

from __future__ import annotations

from itertools import chain

import pytest

from tournaments.structure.bracket import open_bracket
from tournaments.structure.sections import (
    DEPTH,
    SECTION,
    listed_sections,
    section_of,
    sections_of,
)


def rounds_of(entrants: int) -> list[tuple[tuple[int, int], ...]]:
    """Round and number of every pairing."""
    bracket = open_bracket(entrants)
    return [
        tuple((pairing.round, pairing.match_index) for pairing in bracket.pairings(number))
        for number in range(1, bracket.rounds + 1)
    ]


@pytest.mark.parametrize("entrants", [2, 17, 32, 33, 64, 65, 512, 1024, 1025, 5000, 16_384])
def test_all_sections_together_are_the_bracket_and_each_is_of_a_size_to_look_at(
    entrants: int,
) -> None:
    rounds = rounds_of(entrants)
    found = [section_of(rounds, n) for n in range(1, sections_of(len(rounds[0])) + 1)]
    pairings = [one for section in found for row in section.rounds for one in row]
    assert sorted(pairings) == list(chain.from_iterable(rounds))
    for section in found:
        assert len(section.rounds) <= DEPTH
        assert len(section.rounds[0]) <= SECTION
        assert {number for number, _ in section.rounds[0]} == {section.first_round}
    assert found[-1].rounds[-1] == ((len(rounds), 0),)


def test_a_bracket_of_1024_is_shown_in_32_sections_and_its_last_rounds() -> None:
    assert [sections_of(pairings) for pairings in (1, 16, 32, 512)] == [1, 1, 3, 33]


def test_a_number_beyond_the_sections_is_taken_for_the_nearest() -> None:
    rounds = rounds_of(100)
    assert section_of(rounds, 0) == section_of(rounds, 1)
    assert section_of(rounds, 99) == section_of(rounds, 5)


@pytest.mark.parametrize("sections", [1, 3, 33, 529])
def test_the_nearest_the_first_and_the_last_section_are_listed_and_never_hundreds(
    sections: int,
) -> None:
    for section in range(1, sections + 1):
        listed = listed_sections(section, sections)
        assert len(listed) == sections or len(listed) <= 20
        assert set(listed) >= {1, section, sections, max(1, section - 1)}
        assert list(listed) == sorted(set(listed))
        assert set(listed) <= set(range(1, sections + 1))
