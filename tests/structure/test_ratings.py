"""Places move strengths the right way, and by nothing but their order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.structure.refusals import refusal
from tournaments.structure.ratings import NEWCOMER, START, Strength, after_match, readable

STRENGTHS = st.lists(
    st.builds(Strength, st.floats(0, 50), st.floats(0.5, 9)), min_size=2, max_size=6
)


def test_the_winner_rises_and_the_loser_falls_and_both_are_known_better() -> None:
    winner, loser = after_match([NEWCOMER, NEWCOMER], [1, 2])
    assert winner.mu > NEWCOMER.mu > loser.mu
    assert winner.sigma < NEWCOMER.sigma > loser.sigma


def test_a_newcomer_reads_as_1000_and_nobody_below_0() -> None:
    assert readable(NEWCOMER) == START == 1_000
    assert readable(Strength(31.0, 7.0)) == 1_400
    assert readable(Strength(-90.0, 8.0)) == 0


def test_beating_the_stronger_is_worth_more() -> None:
    strong, weak = Strength(35.0, 3.0), Strength(20.0, 3.0)
    against_strong = after_match([NEWCOMER, strong], [1, 2])[0]
    against_weak = after_match([NEWCOMER, weak], [1, 2])[0]
    assert against_strong.mu > against_weak.mu


def test_those_tied_move_alike() -> None:
    _, second, third, _ = after_match([NEWCOMER] * 4, [1, 2, 2, 4])
    assert second == third


@given(STRENGTHS, st.data())
def test_only_the_order_of_places_counts(strengths: list[Strength], data: st.DataObject) -> None:
    places = data.draw(
        st.lists(st.integers(1, 6), min_size=len(strengths), max_size=len(strengths))
    )
    moved = after_match(strengths, places)
    assert moved == after_match(strengths, [10 * place for place in places])
    assert moved == after_match(strengths, places)
    assert all(one.sigma > 0 for one in moved)


def test_refused_matches() -> None:
    assert refusal(lambda: after_match([NEWCOMER], [1])) == ("out_of_range", "strengths")
    assert refusal(lambda: after_match([NEWCOMER] * 2, [1])) == ("bad_record", "places")
    assert refusal(lambda: after_match([NEWCOMER] * 2, [1, 0])) == ("out_of_range", "places")
