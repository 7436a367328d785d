"""How the admin looks at rows: everything to see but secrets, nothing to change.

Rows change only through services. So there is no form here that writes one, whoever asks, and a
list cannot be asked for rows by what it does not show.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline

_LONGEST_KEY: Final = 18
"""Digits; a column holds 64 bits, and a database fails at more instead of finding nothing."""


def _fits(text: object) -> bool:
    """Whether a column can be asked for what stands in an address."""
    digits = str(text).strip().lstrip("+-").replace("_", "")
    return len(digits) <= _LONGEST_KEY or not digits.isdecimal()


class FittingLookups(ModelAdmin):
    """Asks the database for no number that no row can have."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Refused as what may not be asked for: 400."""
        return _fits(value) and super().lookup_allowed(lookup, value, request)

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> Any:
        """Nothing, as for every key that no row has."""
        return super().get_object(request, object_id, from_field) if _fits(object_id) else None


class _NeverChanged:
    """No adding, changing or deleting."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


class ReadOnlyAdmin(_NeverChanged, FittingLookups):
    """Lists and shows rows. `secret_words`: a field with one of them in its name is never shown."""

    secret_words: tuple[str, ...] = ()
    show_full_result_count = False
    list_per_page = 50

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """No secret is shown."""
        return [field.name for field in self.opts.fields if self._is_secret(field.name)]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """No row can be picked by a secret."""
        return not self._is_secret(lookup) and super().lookup_allowed(lookup, value, request)

    def _is_secret(self, name: str) -> bool:
        return any(word in name for word in self.secret_words)


class ReadOnlyInline(_NeverChanged, TabularInline):
    """Rows below the row they belong to."""

    extra = 0
