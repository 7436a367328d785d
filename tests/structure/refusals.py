"""One helper: the refusal that a call must give."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tournaments.structure.errors import StructureError


def refusal(call: Callable[..., object], *arguments: object) -> tuple[str, str | None]:
    """Code and field of the `StructureError` the call raises; fails if it raises none."""
    with pytest.raises(StructureError) as caught:
        call(*arguments)
    assert caught.value.sentence.endswith(".")
    return str(caught.value.code), caught.value.field
