"""What browser tests share: Chromium, a running site, contexts of people, and a guard over them.

`page` and `context` are pytest-playwright's, on a desktop; `person` opens further contexts. Every
context is guarded: an error on the console, a broken policy or a failed request fails the test.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect

from rummy_site.embedded import Parts, worker_and_beat
from tests.live.server import running_site
from tests.web.guard import Guard

CHROMIUM: Final = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)

DESKTOP: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
DARK: Final[dict[str, Any]] = {"color_scheme": "dark"}

PATIENCE_MS: Final = 30_000
"""Only what fails takes it: on a busy machine a page of the admin has taken more than 15 s."""

expect.set_options(timeout=PATIENCE_MS)

Person = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs a browser."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.web)


@pytest.fixture(scope="session", autouse=True)
def _orm_beside_playwright() -> Iterator[None]:
    """Playwright keeps a loop running in the test's thread, which Django takes for async code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's Chromium; Playwright's own is not downloaded."""
    if not CHROMIUM.exists():
        pytest.fail(f"There is no Chromium at {CHROMIUM}: apt-get install chromium")
    return {"executable_path": str(CHROMIUM), "args": list(FLAGS)}


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    """Nothing that `person` could not give another value."""
    return {}


@pytest.fixture
def guard() -> Iterator[Guard]:
    """Fails the test in the end if a page complained."""
    guard = Guard()
    yield guard
    assert guard.unexpected == []


@pytest.fixture
def site(transactional_db: None) -> Iterator[str]:
    """The address of the running site: pages and sockets, whose clocks stand still."""
    with running_site() as address:
        yield f"http://{address}"


@pytest.fixture
def live_site(site: str) -> Iterator[str]:
    """The site as `make run` serves it: worker and beat are running, so deadlines and bots act."""
    faults: list[str] = []
    parts = Parts(worker_and_beat(), give_up=faults.append)
    parts.start()
    try:
        yield site
    finally:
        parts.stop()
        connections.close_all()
    assert faults == []


@pytest.fixture
def new_context(
    new_context: Any, site: str, guard: Guard
) -> Iterator[Callable[..., BrowserContext]]:
    """A guarded context, on a desktop unless told otherwise; addresses may begin with a slash."""

    def make(**options: Any) -> BrowserContext:
        context: BrowserContext = new_context(**{"base_url": site, **DESKTOP, **options})
        context.set_default_timeout(PATIENCE_MS)
        return guard.watch(context)

    yield make
    guard.rest()


@pytest.fixture
def person(new_context: Callable[..., BrowserContext]) -> Person:
    """Opens the browser of somebody: `person(user, **PHONE, **DARK)`; without a user, a visitor."""

    def arrive(user: User | None = None, **options: Any) -> Page:
        context = new_context(**options)
        if user is not None:
            log_in(context, user)
        return context.new_page()

    return arrive


def log_in(context: BrowserContext, user: User) -> None:
    """Give a context a session of this person."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    cookie = {"name": name, "value": client.cookies[name].value, "domain": "127.0.0.1", "path": "/"}
    context.add_cookies([{**cookie, "httpOnly": True}])  # type: ignore[typeddict-item]
