"""Where parts of pages are kept: a Redis that may be gone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError


class PagesInRedis(RedisCache):
    """Keeps nothing while Redis is gone, so that pages are only slower then."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """What is kept, `default` for nothing."""
        try:
            return super().get(key, default, version)
        except RedisError:
            return default

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        """What is kept of these."""
        try:
            found: dict[Any, Any] = super().get_many(keys, version)
        except RedisError:
            return {}
        return found

    def set(self, key: Any, value: Any, timeout: Any = 60, version: int | None = None) -> None:
        """Keep something for so many seconds."""
        try:
            super().set(key, value, timeout, version)
        except RedisError:
            return
