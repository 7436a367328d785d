"""Who may do what: four groups of staff, filled from the permissions that the models declare.

*Organisers* set up, run and settle their own tournaments, *arbiters* write score sheets, override
results and mute where they were called to (`tournaments.access`). *Operators* look at everything,
approve payouts and correct the books. *Support* looks up a player. Players need no group, and a
superuser none either.
"""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import Group, Permission
from django.db.models import Q

ORGANISERS: Final = "organisers"
ARBITERS: Final = "arbiters"
OPERATORS: Final = "operators"
SUPPORT: Final = "support"

_VIEW: Final = Q(codename__startswith="view_")


def _of(app: str, *names: str) -> Q:
    return Q(content_type__app_label=app, codename__in=names)


def _looks_at(*apps: str) -> Q:
    return Q(content_type__app_label__in=apps) & _VIEW


_AT_THE_TABLE: Final = _of("tournaments", "arbitrate", "mute") | _of("tables", "enter_deals")
_SETTING_UP: Final = (
    "run_tournament",
    "add_tournament",
    "change_tournament",
    "add_schedule",
    "change_schedule",
)
_GRANTS: Final = {
    ORGANISERS: _looks_at("tournaments", "tables")
    | _AT_THE_TABLE
    | _of("tournaments", *_SETTING_UP),
    ARBITERS: _looks_at("tournaments", "tables") | _AT_THE_TABLE,
    OPERATORS: _looks_at("tournaments", "tables", "ledger", "staff")
    | _of("ledger", "approve_payouts", "adjust")
    | _of("staff", "export_staffaction")
    | _of("players", "look_up"),
    SUPPORT: _of("players", "look_up"),
}


def fill_groups(*, using: str = "default") -> None:
    """Make the groups and add the permissions they lack; what a site added itself stays."""
    for name, grant in _GRANTS.items():
        group, _ = Group.objects.using(using).get_or_create(name=name)
        group.permissions.add(*Permission.objects.using(using).filter(grant))
