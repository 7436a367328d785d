"""What every test shares: how hard hypothesis tries, and no litter afterwards.

`HYPOTHESIS_PROFILE=thorough make test` searches longer; `ci` is reproducible from run to run, and
so is `ci-again`, for what ran on SQLite a moment ago and runs on PostgreSQL next.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from django.conf import settings as site_settings
from hypothesis import HealthCheck, settings

# Machines are shared: being slow is no failure, so there is no deadline.
_EASY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("fast", _EASY, max_examples=40)
settings.register_profile("ci", _EASY, max_examples=100, derandomize=True, print_blob=True)
settings.register_profile("ci-again", settings.get_profile("ci"), max_examples=40)
settings.register_profile("thorough", _EASY, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


@pytest.fixture(scope="session", autouse=True)
def _flush_allowed() -> Iterator[None]:
    """Transactional tests empty the tables, which the ledger's guards would refuse."""
    from tests.ledger.flush import flush_allowed

    with flush_allowed():
        yield


@pytest.fixture(scope="session", autouse=True)
def _staff_watched() -> Iterator[None]:
    """Whatever a member of the staff changes in a test has its audit line, or the test fails."""
    from tests.staff.watch import watched

    with watched():
        yield


def pytest_unconfigure() -> None:
    """Remove this process's scratch folder: a worker of xdist ends without clearing up itself."""
    site_settings.SCRATCH.cleanup()
