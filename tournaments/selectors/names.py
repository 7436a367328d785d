"""What tournaments are called where others keep a reference to them."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from tournaments import play
from tournaments.selectors.lists import public_tournaments


def names_of(references: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Name and address of every public tournament among these references. One query."""
    numbers = {play.tournament_id_of(reference): reference for reference in references}
    rows = public_tournaments().filter(pk__in=[n for n in numbers if n is not None])
    return {
        numbers[pk]: (name, reverse("tournaments:tournament", args=[public_id]))
        for pk, name, public_id in rows.values_list("pk", "name", "public_id")
    }
