"""Tickets come out of the pool first; what is left is divided as ever, to the last unit."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.structure.prize_strategies import POOLS, STRUCTURES
from tests.structure.refusals import refusal
from tournaments.structure.awards import distribute
from tournaments.structure.prizes import FixedAmounts, Percentages, PrizeStructure
from tournaments.structure.tickets import (
    TicketPrize,
    award_tickets,
    check_tickets,
    funds_of,
    prize_rows,
    tickets_within,
)

CUP = "final-cup"
THREE = tuple(TicketPrize(rank, CUP, 100) for rank in (1, 2, 3))


def test_the_pool_left_by_three_tickets_of_100_is_divided_by_the_structure() -> None:
    funds = funds_of(Percentages((6000, 4000)), THREE, entries=10, received=1000, guarantee=0)
    assert (funds.pool, funds.overlay, funds.cash) == (1000, 0, 700)
    rows = prize_rows(Percentages((6000, 4000)), funds, 10)
    assert [(row.rank, row.amount, row.ticket_value, row.share) for row in rows] == [
        (1, 420, 100, 5200),
        (2, 280, 100, 3800),
        (3, 0, 100, 1000),
    ]


def test_a_pool_that_reaches_for_two_of_three_tickets_gives_the_best_two_ranks_theirs() -> None:
    assert tickets_within(THREE, pool=299, entries=10) == THREE[:2]


def test_no_ticket_is_for_a_rank_beyond_the_entries() -> None:
    assert tickets_within(THREE, pool=1000, entries=2) == THREE[:2]


def test_everybody_of_a_tied_group_has_the_same_ticket() -> None:
    awards = award_tickets(THREE, [(7,), (9, 8), (5,)])
    assert {entrant: ticket.target for entrant, ticket in awards.tickets.items()} == dict.fromkeys(
        (7, 8, 9), CUP
    )
    assert awards.in_money == {}


def test_a_group_tied_over_the_last_ticket_shares_its_worth_in_money() -> None:
    awards = award_tickets(THREE, [(1,), (2,), (5, 4, 3)])
    assert set(awards.tickets) == {1, 2}
    assert awards.in_money == {3: 34, 4: 33, 5: 33}


def test_different_tickets_of_a_tied_group_are_shared_in_money() -> None:
    mixed = (TicketPrize(1, CUP, 100), TicketPrize(2, "other", 51))
    assert award_tickets(mixed, [(1, 2)]).in_money == {1: 76, 2: 75}


@pytest.mark.parametrize(
    "tickets", [(THREE[1], THREE[0]), (THREE[0], THREE[0])], ids=["falling", "twice"]
)
def test_tickets_stand_in_the_order_of_their_ranks_once_each(
    tickets: tuple[TicketPrize, ...],
) -> None:
    assert refusal(lambda: check_tickets(tickets)) == ("bad_tickets", "tickets")


def test_refused_tickets() -> None:
    assert refusal(lambda: TicketPrize(0, CUP, 1)) == ("out_of_range", "rank")
    assert refusal(lambda: TicketPrize(1, CUP, 0)) == ("out_of_range", "value")
    assert refusal(lambda: TicketPrize(1, "", 1)) == ("out_of_range", "target")
    assert refusal(lambda: award_tickets(THREE, [(1,), (2,)])) == ("ranks_missing", "ranking")


def test_fixed_prizes_shrink_where_fewer_played_than_hoped_for() -> None:
    structure = FixedAmounts((500, 300, 200))
    funds = funds_of(structure, (), entries=4, received=400, guarantee=0)
    assert [row.amount for row in prize_rows(structure, funds, 4)] == [200, 120, 80]


@st.composite
def _tickets(draw: st.DrawFn) -> tuple[TicketPrize, ...]:
    ranks = draw(st.sets(st.integers(1, 12), max_size=6))
    values = st.integers(1, 10_000)
    targets = st.sampled_from((CUP, "other"))
    return tuple(TicketPrize(rank, draw(targets), draw(values)) for rank in sorted(ranks))


@st.composite
def _groups(draw: st.DrawFn) -> list[tuple[int, ...]]:
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=8))
    keys = iter(draw(st.permutations(range(sum(sizes)))))
    return [tuple(next(keys) for _ in range(size)) for size in sizes]


@given(STRUCTURES, POOLS, POOLS, _tickets(), _groups())
def test_shares_tickets_and_the_houses_part_sum_to_exactly_the_pool(
    structure: PrizeStructure,
    received: int,
    guarantee: int,
    tickets: tuple[TicketPrize, ...],
    groups: list[tuple[int, ...]],
) -> None:
    """Whatever is tied, whatever came in, and whatever was guaranteed."""
    entries = len(list(chain.from_iterable(groups)))
    funds = funds_of(structure, tickets, entries=entries, received=received, guarantee=guarantee)
    assert funds.pool == received + funds.overlay >= max(received, guarantee)
    shared = distribute(structure, pool=funds.cash, entries=entries, ranking=groups, shrink=True)
    awards = award_tickets(funds.given, groups)
    assert shared.paid + shared.table.to_house + awards.worth == funds.pool
    rows = prize_rows(structure, funds, entries)
    assert sum(row.amount + row.ticket_value for row in rows) + shared.table.to_house == funds.pool
    if funds.pool and not shared.table.to_house:
        assert sum(row.share for row in rows) == 10_000
    assert [row.rank for row in rows] == sorted({row.rank for row in rows})
