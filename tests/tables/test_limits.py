"""How fast a client may send, by times that are given."""

from __future__ import annotations

from tables.limits import Allowance, Allowances, TokenBucket


def fresh() -> Allowance:
    """Two frames at once, one a second; one refusal."""
    refusals = TokenBucket(per_second=1, burst=1, now=0.0)
    return Allowance(TokenBucket(per_second=1, burst=2, now=0.0), refusals)


def test_asking_whether_a_bucket_is_empty_takes_nothing_from_it() -> None:
    bucket = TokenBucket(per_second=1, burst=1, now=0.0)
    assert [bucket.is_empty(0.0) for _ in range(3)] == [False] * 3
    assert bucket.take(0.0)
    assert bucket.is_empty(0.9)
    assert not bucket.is_empty(1.0)


def test_a_bucket_gains_nothing_from_a_time_that_goes_back_and_no_more_than_it_holds() -> None:
    bucket = TokenBucket(per_second=1, burst=2, now=10.0)
    assert [bucket.take(5.0) for _ in range(3)] == [True, True, False]
    assert [bucket.take(99.0) for _ in range(3)] == [True, True, False]


def test_who_comes_back_has_what_he_had_left_and_no_more() -> None:
    kept: Allowances[Allowance] = Allowances()
    first = kept.keep(1, fresh())
    assert [first.frames.take(0.0) for _ in range(3)] == [True, True, False]
    assert first.refusals.take(0.0)
    assert kept.get(1) is first
    again = kept.keep(1, fresh())
    assert not again.frames.take(0.0)
    assert not again.refusals.take(0.0)
    assert again.frames.take(1.0)


def test_another_client_has_an_allowance_of_his_own() -> None:
    kept: Allowances[Allowance] = Allowances()
    kept.keep(1, fresh()).refusals.take(0.0)
    assert kept.get(2) is None
    assert kept.keep(2, fresh()).refusals.take(0.0)


def test_only_so_many_are_kept_and_those_asked_for_last_stay() -> None:
    kept: Allowances[Allowance] = Allowances(size=2)
    first, second = kept.keep(1, fresh()), kept.keep(2, fresh())
    assert kept.get(1) is first
    third = kept.keep(3, fresh())
    assert [kept.get(key) for key in (1, 2, 3)] == [first, None, third]
    assert kept.keep(2, fresh()) is not second
