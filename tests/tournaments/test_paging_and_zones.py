"""Lists of equal players, page by page, and moments beyond a change of clocks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine
from django.utils import timezone
from icalendar import Calendar

from tests.tournaments.helpers import a_tournament, started
from tests.tournaments.level_helpers import begun, opened_level
from tournaments.calendars import calendar_of
from tournaments.models import EntryState, Shape, Tournament
from tournaments.selectors import entrants_page
from tournaments.structure.lifecycle import State
from wording.moments import moment_text

pytestmark = pytest.mark.django_db

MANY = 60
"""More than stand on a page."""


def numbers_by_page(tournament: Tournament) -> list[int]:
    """The entries' numbers as a reader sees them who turns all pages, each read anew."""
    first = entrants_page(tournament)
    pages = [entrants_page(tournament, page) for page in first.page.paginator.page_range]
    return [entry.number for shown in pages for entry in shown.page]


@pytest.mark.parametrize("kind", ["ranked", "with chips"])
def test_sixty_equal_players_are_sixty_different_ones_over_all_pages(kind: str) -> None:
    if kind == "with chips":
        tournament, _ = begun(MANY)
        opened_level(tournament)
    else:
        tournament = started(Shape.KNOCKOUT, MANY)
        tournament.entries.update(state=EntryState.RANKED, rank=1, reason="Level.", prize=7)
        Tournament.objects.filter(pk=tournament.pk).update(state=State.COMPLETED)
    tournament.refresh_from_db()
    assert entrants_page(tournament).page.has_next()
    seen = numbers_by_page(tournament)
    assert len(seen) == MANY
    assert sorted(seen) == list(range(1, MANY + 1))


HALF_PAST_SIX = datetime(2026, 11, 1, 23, 30, tzinfo=UTC)
"""18:30 in New York, on the day on which its clocks are put back."""


def test_a_moment_beyond_a_change_of_clocks_has_the_offset_of_its_own_day() -> None:
    """Looked at the evening before, when the other time is still in force."""
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=HALF_PAST_SIX)
    tournament.refresh_from_db()
    evening_before = datetime(2026, 10, 31, 22, 0, tzinfo=UTC)
    with time_machine.travel(evening_before, tick=False), timezone.override("America/New_York"):
        assert timezone.localtime().utcoffset() != timezone.localtime(HALF_PAST_SIX).utcoffset()
        assert moment_text(HALF_PAST_SIX) == "1 Nov 2026, 18:30 EST"
        assert moment_text(evening_before) == "31 Oct 2026, 18:00 EDT"
    text = calendar_of(
        [tournament],
        address_of=lambda _: "https://x.example/",
        zone="America/New_York",
        now=evening_before,
    )
    [event] = Calendar.from_ical(text).walk("VEVENT")
    assert event.decoded("dtstart") == HALF_PAST_SIX
