"""Timed levels: re-buys, who is in the next level, and time that pauses do not eat."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.structure.refusals import refusal
from tournaments.structure.levels import Level, LevelSchedule, may_be_dealt_in, seconds_of_play
from tournaments.structure.rebuys import Field, Holding, LevelTerms, Rebuy

SCHEDULE = LevelSchedule(
    (Level(5, 800, 10), Level(10, 1000, 10), Level(15, 1200, 10), Level(20, 1600, 10))
)
BEGAN = datetime(2026, 3, 1, 18, tzinfo=UTC)


def terms(chips: int = 650, *, most: int = 2, until_level: int = 2) -> LevelTerms:
    """The published levels with a re-buy of so many chips."""
    rebuy = Rebuy(chips=chips, fee=500, house_fee=50, most=most, until_level=until_level)
    return LevelTerms(schedule=SCHEDULE, starting_chips=1000, rebuy=rebuy)


def at(seconds: int) -> datetime:
    """So long after the level began."""
    return BEGAN + timedelta(seconds=seconds)


def test_a_rebuy_of_650_is_sold_to_who_has_200_and_one_of_400_is_not() -> None:
    """With a minimum of 800: 850 reaches it, 600 does not (rule 7.6)."""
    assert terms(650).rebought(1, Holding(200)) == 850
    assert refusal(terms(400).rebought, 1, Holding(200)) == ("rebuy_too_small", "bought")


def test_a_rebuy_is_for_who_is_below_the_minimum_only() -> None:
    """799 chips may buy, 800 may not."""
    assert terms().rebought(1, Holding(799)) == 1449
    assert refusal(terms().rebought, 1, Holding(800)) == ("rebuy_not_needed", "player")


def test_no_rebuy_after_the_level_it_is_sold_until() -> None:
    """Level 2 is the last here; without the option there is none at all."""
    assert terms().rebought(2, Holding(400)) == 1050
    assert refusal(terms().rebought, 3, Holding(600)) == ("rebuy_closed", "level")
    without = LevelTerms(schedule=SCHEDULE, starting_chips=1000)
    assert refusal(without.rebought, 1, Holding(700)) == ("rebuy_closed", "level")


def test_no_more_rebuys_than_the_option_allows() -> None:
    """Two are allowed, the third is refused."""
    assert terms().rebought(1, Holding(200, rebuys=1)) == 850
    assert refusal(terms().rebought, 1, Holding(200, rebuys=2)) == ("rebuys_used", "player")


@pytest.mark.parametrize(
    ("number", "made", "left"), [(1, 0, 2), (2, 1, 1), (2, 2, 0), (2, 3, 0), (3, 0, 0)]
)
def test_how_many_rebuys_are_left(number: int, made: int, left: int) -> None:
    """Never below none."""
    assert terms().rebuys_left(number, made) == left


def test_players_are_sorted_into_dealt_in_free_to_buy_and_out() -> None:
    """Minimum 1,000; a re-buy of 650 helps from 350 chips on."""
    holdings = {
        7: Holding(1000),
        3: Holding(999),
        5: Holding(350),
        1: Holding(349),
        2: Holding(900, rebuys=2),
    }
    assert terms().field(2, holdings) == Field((7,), (3, 5), (1, 2))
    assert terms(until_level=1).field(2, holdings) == Field((7,), (), (3, 5, 1, 2))


@given(
    st.integers(1, 4),
    st.dictionaries(
        st.integers(1, 99), st.builds(Holding, st.integers(0, 3000), st.integers(0, 3))
    ),
)
def test_every_player_is_in_one_group_and_dealt_in_exactly_with_the_minimum(
    number: int, holdings: dict[int, Holding]
) -> None:
    """Who may buy would be dealt in after it."""
    field = terms().field(number, holdings)
    assert sorted(field.dealt_in + field.may_rebuy + field.out) == sorted(holdings)
    level = SCHEDULE.levels[number - 1]
    for player, holding in holdings.items():
        assert (player in field.dealt_in) == may_be_dealt_in(level, holding.chips)
    for player in field.may_rebuy:
        assert terms().rebought(number, holdings[player]) >= level.minimum_chips


def test_a_pause_does_not_eat_time_of_the_level() -> None:
    """600 s on the clock with a pause of 100 s are 500 s of play; one that goes on stops it."""
    assert seconds_of_play(BEGAN, at(600), []) == 600
    assert seconds_of_play(BEGAN, at(600), [(at(200), at(300))]) == 500
    assert seconds_of_play(BEGAN, at(600), [(at(200), at(300)), (at(450), None)]) == 350
    assert seconds_of_play(BEGAN, at(9000), [(at(450), None)]) == 450


def test_a_pause_before_the_level_or_after_now_does_not_count() -> None:
    """And one that was running as it began counts from then on."""
    assert seconds_of_play(BEGAN, at(60), [(at(-300), at(-200)), (at(100), at(200))]) == 60
    assert seconds_of_play(BEGAN, at(60), [(at(-300), at(20))]) == 40
    assert seconds_of_play(BEGAN, at(-5), []) == 0


@given(st.lists(st.integers(0, 300), max_size=12), st.integers(0, 300))
def test_the_seconds_of_play_are_those_that_lie_in_no_pause(edges: list[int], now: int) -> None:
    """Counted one by one; an odd edge begins a pause that goes on."""
    edges = sorted(edges)
    pauses = list(zip(edges[::2], [*edges[1::2], None], strict=False))
    standing = {s for a, b in pauses for s in range(a, 301 if b is None else b)}
    played = sum(second not in standing for second in range(now))
    told = [(at(a), None if b is None else at(b)) for a, b in pauses]
    assert seconds_of_play(BEGAN, at(now), told) == played


@pytest.mark.parametrize(
    ("seconds", "left", "may"), [(0, 600, True), (569, 31, True), (570, 30, False), (700, 0, False)]
)
def test_a_level_ends_by_its_own_clock(seconds: int, left: int, may: bool) -> None:
    """Level 3 has 600 seconds from when its tables were opened; no deal in the last 30."""
    moment = SCHEDULE.moment_in(3, seconds)
    assert (moment.number, moment.level, moment.seconds_left) == (3, SCHEDULE.levels[2], left)
    assert moment.may_deal is may


def test_refused_terms() -> None:
    """Chips nobody could be dealt in with, and re-buys that make no sense."""
    for starting in (799, -1, 10**12 + 1):
        made = refusal(lambda n=starting: LevelTerms(schedule=SCHEDULE, starting_chips=n))
        assert made == ("out_of_range", "starting_chips")
    assert refusal(lambda: terms(until_level=5)) == ("out_of_range", "rebuy.until_level")
    assert refusal(lambda: terms(0)) == ("out_of_range", "rebuy.chips")
    assert refusal(lambda: terms(most=0)) == ("out_of_range", "rebuy.most")
    fee = refusal(lambda: Rebuy(chips=1000, fee=10, house_fee=11))
    assert fee == ("out_of_range", "rebuy.house_fee")
    assert refusal(SCHEDULE.moment_in, 5, 0) == ("out_of_range", "number")
    assert refusal(terms().level, 0) == ("out_of_range", "number")


def test_terms_are_stored_and_read_back_unchanged() -> None:
    """As JSON."""
    assert msgspec.json.decode(msgspec.json.encode(terms()), type=LevelTerms) == terms()
