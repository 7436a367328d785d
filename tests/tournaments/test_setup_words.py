"""The form in the organiser's words: each option of format, rules and clock has a meaning."""

from __future__ import annotations

from typing import Any

import pytest

from tournaments.admin.setup.rules_fields import CLOCK_OPTIONS, PROFILE_OPTIONS
from tournaments.models import Shape
from tournaments.play import catalogue


@pytest.mark.parametrize("shape", Shape)
def test_every_option_has_a_meaning(shape: Shape) -> None:
    """Whatever format the kind can be played in."""
    options: list[Any] = [*PROFILE_OPTIONS, *CLOCK_OPTIONS]
    for name in catalogue.formats_for(shape):
        options += catalogue.format_options(name, shape)
    assert options
    assert [option.name for option in options if not str(option.meaning).strip()] == []
