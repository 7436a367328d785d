"""Amounts as people type them: read as they are meant or refused, never changed."""

from __future__ import annotations

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from tournaments.amounts import read_amount, typed_amount


@given(st.integers(0, 10**15), st.sampled_from(["PLAY", "INR", "JPY", "KWD"]))
def test_an_amount_that_a_form_shows_is_read_back_unchanged(amount: int, asset: str) -> None:
    """Also in a language with a numbering of its own."""
    for language in ("en", "hi"):
        with translation.override(language):
            assert read_amount(typed_amount(amount, asset), asset) == amount


@pytest.mark.parametrize(
    ("text", "asset", "amount"),
    [
        ("1,00,000", "PLAY", 100_000),
        ("100,000", "PLAY", 100_000),
        (" 100000.00 ", "PLAY", 100_000),
        ("100000.50", "INR", 10_000_050),
        ("1,00,000.5", "INR", 10_000_050),
        ("0.05", "INR", 5),
        ("12,34,567.89", "INR", 123_456_789),
        ("1,234,567", "INR", 123_456_700),
        ("१,००,०००", "PLAY", 100_000),
        ("500", "JPY", 500),
    ],
)
def test_an_amount_is_read_as_it_is_meant(text: str, asset: str, amount: int) -> None:
    """Grouped as in India or in thousands, with as many decimals as the asset has."""
    assert read_amount(text, asset) == amount


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1,5",
        "1.000,50",
        "1,0000",
        "10,00",
        "1.005",
        "1e5",
        "-5",
        "+5",
        "1 000",
        "NaN",
        "٫5",
        "²",
    ],
)
def test_what_could_mean_two_amounts_is_refused(text: str) -> None:
    """A comma is never taken for a point, and nothing is rounded."""
    with pytest.raises(ValueError, match=r"\w+"):
        read_amount(text, "INR")


def test_a_point_has_no_decimals() -> None:
    """Half a play point is refused, not rounded."""
    with pytest.raises(ValueError, match="whole number"):
        read_amount("10.5", "PLAY")
