"""What a browser needs to draw a round again: commitments, orders, and how it was played.

The checks are of the form that `tables.verification` gives for shuffles, and a page computes them
with the same script. Nothing here says right or wrong; the server's own word is in `draws`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from tournaments import play
from tournaments.draws import DrawCheck, but_tie_breaks, check_draws, seated_in
from tournaments.lots import Seated
from tournaments.models import Entry, Lot, Round, Shape, TableKind, Tournament
from tournaments.moves import as_drawn
from tournaments.selectors.lists import tournament_named, unknown

Check = dict[str, Any]


class DrawPage(NamedTuple):
    """A round's draw for its page of verification."""

    tournament: Tournament
    round: Round
    server: DrawCheck
    checks: list[Check]
    nothing_drawn: bool
    """A later round of a bracket, whose pairings follow from the first draw and the results."""


def draw_page(public_id: str, number: int) -> DrawPage:
    """A round's draw. Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`, for no such round too.

    As many queries for many players as for few.
    """
    tournament = tournament_named(public_id)
    one = tournament.rounds.filter(number=number).first()
    if one is None:
        raise unknown()
    [server] = check_draws(tournament, [one])
    seated = seated_in([one])
    checks = [
        _commitment("commitment", one.draw_secret, one.draw_commitment, ""),
        *_draw(tournament, one, seated, server),
        *_lots(tournament, one, seated),
    ]
    drawn = any(check["id"] == "draw" for check in checks)
    return DrawPage(tournament, one, server, checks, not drawn)


def _commitment(name: str, secret: str, published: str, title: str) -> Check:
    return {
        "id": name,
        "kind": "commitment",
        "secret": secret,
        "published": published,
        "title": title,
    }


def _order(name: str, secret: str, label: str, found: Sequence[int], **more: Any) -> Check:
    """An order of entries' numbers; the numbers drawn among are those found, unless said."""
    return {
        "id": name,
        "kind": "order",
        "is_draw": True,
        "secret": secret,
        "context": ["draw", label],
        "items": sorted(found),
        "found": list(found),
        **more,
    }


def _draw(
    tournament: Tournament, one: Round, seated: Sequence[Seated], server: DrawCheck
) -> Iterator[Check]:
    is_bracket = tournament.shape == Shape.HEADS_UP
    if is_bracket and one.number > 1:
        return
    is_rated = one.number == 1 and play.terms_of(tournament).seeding is play.Seeding.RATED
    entries = list(_entries(tournament)) if is_bracket or is_rated else []
    rated = [(e.number, e.seed_rating) for e in entries if e.seed_rating is not None]
    more: dict[str, Any] = {"ratings": rated} if is_rated else {}
    if is_bracket:
        found = [e.number for e in sorted(entries, key=lambda e: e.seed or 0) if e.seed is not None]
        title = _("The seeds of the bracket")
        about = _("The order drawn gives the seeds; byes and pairings follow from them.")
    else:
        places = _played(tournament, seated, server)
        found = [place.entry for place in places]
        title = _("The seats")
        about = _("The order drawn fills the tables, one seat after the other.")
        if is_rated:
            by_table = groupby(places, key=lambda place: place.table)
            more["sizes"] = [len(list(seats)) for _table, seats in by_table]
    if is_rated:
        about += " " + _("Ratings come first; the draw decides among equal ones.")
    label = play.draw_label(tournament, one.number)
    yield _order("draw", one.draw_secret, label, found, title=title, about=about, **more)


def _entries(tournament: Tournament) -> Any:
    return Entry.objects.filter(tournament=tournament).only("number", "seed", "seed_rating")


def _played(
    tournament: Tournament, seated: Sequence[Seated], server: DrawCheck
) -> Sequence[Seated]:
    """The seats as they are; without what the desk has moved since, where it has."""
    now = but_tie_breaks(seated)
    if [place.entry for place in now] == list(server.order):
        return now
    return but_tie_breaks(as_drawn(tournament, now)) or now


def _lots(tournament: Tournament, one: Round, seated: Sequence[Seated]) -> Iterator[Check]:
    """Tie-breaks' seats and lots of a closed round; until then their secret is one."""
    lots = list(Lot.objects.filter(round=one).order_by("id"))
    ties = [place for place in seated if place.kind == TableKind.TIE_BREAK]
    if one.closed_at is None or not (lots or ties):
        return
    title = _("The second secret, for tie-breaks and lots, is the one committed to")
    yield _commitment("lot-commitment", one.lot_secret, one.lot_commitment, title)
    stages: dict[tuple[int | None, int], list[int]] = {}
    for place in ties:
        stages.setdefault((place.decides, place.stage), []).append(place.entry)
    for at, ((decides, stage), found) in enumerate(stages.items(), 1):
        label = play.tie_break_label(tournament, one.number, decides, stage)
        about = _("The order drawn gives the seats of the tie-break.")
        title = _("The seats of a tie-break")
        yield _order(f"tie-{at}", one.lot_secret, label, found, title=title, about=about)
    for at, lot in enumerate(lots, 1):
        yield _order(
            f"lot-{at}",
            one.lot_secret,
            lot.label,
            lot.drawn,
            items=sorted(lot.among),
            first=len(lot.drawn),
            title=_("A lot among players who tied to the end"),
            about=_("Who comes first in the order drawn goes on."),
        )
