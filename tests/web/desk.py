"""The pages of the organisers' desk, with something on each: for axe, and for pictures."""

from __future__ import annotations

from django.contrib.auth.models import User

from tests.tournaments.desk_helpers import LIST, change_of, in_charge, organiser, page
from tests.tournaments.helpers import NOW, a_tournament, join, players, terms
from tournaments import services
from tournaments.models import Template, Tournament
from tournaments.structure.conditions import EntryRules


def _kept(made: Tournament, by: User) -> Template:
    return services.keep(tournament_id=made.pk, name="Open cup", owner_id=by.pk, now=NOW)


def desk_pages() -> dict[str, str]:
    """Addresses by a name for a picture; `olga` is made, who runs what is on them."""
    made = a_tournament(
        capacity=4,
        name="Open cup",
        house_fee=50,
        terms=terms(entering=EntryRules(needs_approval=True)),
    )
    entries = join(made, *players(3))
    draft = a_tournament(opened=False, name="Draft cup")
    olga = organiser()
    in_charge(olga, made)
    in_charge(olga, draft)
    return {
        "set-up": f"{LIST}add/",
        "set-up-levels": f"{LIST}add/?shape=levels",
        "change": change_of(draft),
        "change-open": change_of(made),
        "open": page(draft, "do/open_registration/"),
        "cancel": page(made, "do/cancel/"),
        "copy": page(made, "copy/"),
        "keep": page(made, "keep/"),
        "templates": "/admin/tournaments/template/",
        "template": f"/admin/tournaments/template/{_kept(made, olga).pk}/",
        "money": f"/admin/payouts/{made.public_id}/",
        "entrants": page(made, "entrants/"),
        "entrant": page(made, f"entrants/{entries[0].pk}/"),
        "import": page(made, "entrants/import/"),
        "invitations": page(made, "invitations/"),
        "check-in": page(made, "check-in/"),
        "schedule": "/admin/tournaments/schedule/add/",
        "paper": page(made, "print/sign-in/"),
    }
