"""What the admin pages of tournaments share: whose rows are shown, and whose page it is.

An organiser sees his own tournaments and what belongs to them, and nothing of others'. A page of a
tournament that is not his does not exist for him.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from staff.admin_base import ReadOnlyAdmin
from staff.desk import desk_page
from tournaments.access import ARBITRATE, RUN, organised_by, seen_by, served_by
from tournaments.models import Tournament

MAX_REASON: Final = 400
View = Callable[..., HttpResponseBase]


class TournamentsAdmin(ReadOnlyAdmin):
    """Shows no secret of a draw to come, and rows of those tournaments that a user may see.

    A list reads the rows of other tables that it names together with its own.

    `tournament_path` leads from a row to its tournament; empty for rows of all tournaments
    together, which are shown to who may see everything, unless they are public anyway.
    """

    secret_words = ("next_secret", "lot_secret")
    tournament_path: str | None = None
    is_public = False

    def get_list_select_related(self, request: HttpRequest) -> list[str]:
        """The columns of a list that are rows of another table."""
        related = {field.name for field in self.opts.fields if field.is_relation}
        return [name for name in self.get_list_display(request) if name in related]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows that belong to tournaments this user may see."""
        rows: QuerySet[Any] = super().get_queryset(request)
        seen = seen_by(request.user)
        if not seen or self.is_public:
            return rows
        path = self._path()
        if not path:
            return rows.none()
        return rows.filter(**{f"{path}__in": Tournament.objects.filter(seen)})

    def _path(self) -> str:
        if self.tournament_path is not None:
            return self.tournament_path
        try:
            self.opts.get_field("tournament")
        except FieldDoesNotExist:
            return ""
        return "tournament"


def organisers_page(view: View) -> View:
    """A page of one tournament, for who may organise it; for others there is none.

    The view is called with the tournament in place of its key.
    """
    return desk_page(RUN)(_opened(view, organised_by))


def staff_page(view: View) -> View:
    """The same for its organisers and arbiters."""
    return desk_page(RUN, ARBITRATE)(_opened(view, served_by))


def own_tournament(user: Any, pk: int) -> Tournament:
    """A tournament that this user organises. Raises `Http404`."""
    return _tournament(organised_by(user), pk)


def reason_of(request: HttpRequest) -> str:
    """Why something is done, as it was typed."""
    return request.POST.get("reason", "").strip()[:MAX_REASON]


def _opened(view: View, theirs: Callable[[Any], Q]) -> View:
    @wraps(view)
    def opened(request: HttpRequest, pk: int, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return view(request, _tournament(theirs(request.user), pk), *args, **kwargs)

    return opened


def _tournament(which: Q, pk: int) -> Tournament:
    found = Tournament.objects.filter(which, pk=pk).first()
    if found is None:
        raise Http404
    return found
