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


def with_nulls(result: Any, **_about: Any) -> Any:
    """What may be null, said as OpenAPI 3.1 says it; REST framework's lists say it as 3.0 did."""
    if isinstance(result, list):
        for one in result:
            with_nulls(one)
    if isinstance(result, dict):
        for one in result.values():
            with_nulls(one)
        if result.get("nullable") is True and isinstance(result.get("type"), str):
            del result["nullable"]
            result["type"] = [result["type"], "null"]
    return result
