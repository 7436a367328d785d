"""What no page may do, whatever is tested: complain, break its policy, or miss what it loads."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

GONE = "net::ERR_ABORTED"
"""A request that the browser itself gave up, because the page was left."""


class Guard:
    """Listens to browser contexts and keeps their complaints.

    A test that provokes one says so with `allow(part of the complaint)`.
    """

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self._allowed: list[str] = []
        self._listens = True

    def allow(self, *parts: str) -> None:
        """Complaints with one of these parts in them are expected."""
        self._allowed.extend(parts)

    def rest(self) -> None:
        """Hear no more: pages that are still open ask a site that is about to stop."""
        self._listens = False

    def watch(self, context: BrowserContext) -> BrowserContext:
        """Listen to every page of a context."""
        context.on("console", self._console)
        context.on("weberror", self._fault)
        context.on("response", self._response)
        context.on("requestfailed", self._failed)
        return context

    @property
    def unexpected(self) -> list[str]:
        """The complaints that nobody allowed."""
        return [
            complaint
            for complaint in self.complaints
            if not any(part in complaint for part in self._allowed)
        ]

    def _console(self, said: ConsoleMessage) -> None:
        # Violations of the policy are errors on the console.
        if said.type == "error":
            self._complain(f"console: {said.text} ({said.location.get('url')})")

    def _fault(self, fault: WebError) -> None:
        where = fault.page.url if fault.page else "?"
        self._complain(f"script: {fault.error} ({where})")

    def _response(self, answer: Response) -> None:
        if answer.status >= 400:
            self._complain(f"answer: {answer.status} {answer.request.method} {answer.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != GONE:
            self._complain(f"request: {request.failure} {request.url}")

    def _complain(self, complaint: str) -> None:
        if self._listens:
            self.complaints.append(complaint)
