"""How lists come over HTTP."""

from __future__ import annotations

from rest_framework.pagination import CursorPagination


class NewestFirst(CursorPagination):
    """By a key that never changes, so that nothing is repeated or left out while others write.

    50 rows a page, up to 200 where asked for.
    """

    ordering = "-pk"
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
