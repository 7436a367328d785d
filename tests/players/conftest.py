"""What tests of players share."""

from __future__ import annotations

import pytest

from players.services import letters


@pytest.fixture
def letters_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters are sent as soon as they are posted: no commit and no queue between."""
    monkeypatch.setattr(letters, "post", letters.send)
