"""How operations are described: with the scope that a key needs for them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema

from players.authentication import scope_needed


class ScopedSchema(AutoSchema):
    """Each operation says `x-key-scope`; "" where any key will do."""

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """As the library makes it, and the scope."""
        found: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if found is not None:
            found["x-key-scope"] = scope_needed(self.view, self.method.upper())
        return found
