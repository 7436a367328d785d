"""More time: for a table, or for all."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments import services
from tournaments.access import may_arbitrate
from tournaments.admin.control.asks import AskSeconds, Wish
from tournaments.admin.control.deed import About, Deed, just, open_tables, where
from tournaments.admin.control.words import Told, told_in


def _time_given(wish: Wish) -> Told:
    seconds = wish.data["seconds"]
    if wish.table is not None:
        said = _("Table %(table)s has %(seconds)s s more for what it waits for now.")
        return told_in([said % {"table": wish.table.number, "seconds": seconds}])
    n = open_tables(wish)
    more = ngettext(
        "%(n)s table has %(seconds)s s more for what it waits for now.",
        "%(n)s tables have %(seconds)s s more for what they wait for now.",
        n,
    )
    return told_in([more % {"n": n, "seconds": seconds}])


def _table_pk(wish: Wish) -> int | None:
    return None if wish.table is None else wish.table.pk


_EXTEND = just(
    lambda wish: services.extend(
        **where(wish),
        table_id=_table_pk(wish),
        seconds=wish.data["seconds"],
        reason=wish.reason,
    )
)

EXTEND_ALL = Deed(
    "extend_all",
    gettext_lazy("More time for all"),
    gettext_lazy("Counts for the turn, declaration or answer that is awaited now."),
    About.TOURNAMENT,
    AskSeconds,
    _time_given,
    _EXTEND,
)
EXTEND = Deed(
    "extend",
    gettext_lazy("More time"),
    gettext_lazy("Counts for the turn, declaration or answer that is awaited now."),
    About.TABLE,
    AskSeconds,
    _time_given,
    _EXTEND,
    right=may_arbitrate,
)
