"""What tests with sockets share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.live.client import hang_up
from tests.live.server import running_site


@pytest.fixture
async def site() -> AsyncIterator[str]:
    """A running server, whose clients have gone before it stops."""
    with running_site() as address:
        yield address
        await hang_up()
