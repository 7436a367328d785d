"""Who may do what: two groups of staff, filled from the permissions of our apps.

*Organisers* set up and run tournaments in the admin. *Operators* audit: they look at everything and
change nothing there. Players need no group.
"""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import Group, Permission
from django.db.models import Q

ORGANISERS: Final = "organisers"
OPERATORS: Final = "operators"

_GRANTS: Final = {
    ORGANISERS: Q(content_type__app_label__in=["tournaments", "tables"]),
    OPERATORS: Q(
        content_type__app_label__in=["tournaments", "tables", "ledger"],
        codename__startswith="view_",
    ),
}


def fill_groups(*, using: str = "default") -> None:
    """Make the groups and add the permissions they lack; what a site added itself stays."""
    for name, grant in _GRANTS.items():
        group, _ = Group.objects.using(using).get_or_create(name=name)
        group.permissions.add(*Permission.objects.using(using).filter(grant))
