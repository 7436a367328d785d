"""Settings of the measured site on PostgreSQL and Redis: production's, under names of its own.

Publish/subscribe knows no databases within a Redis server, so channels have a prefix of their own.
"""

import os

from rummy_site.settings.prod import *  # noqa: F403
from rummy_site.settings.prod import CHANNEL_LAYERS, INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "benchmarks.live_parts.bare"]
CHANNEL_LAYERS["default"]["CONFIG"] |= {"prefix": os.environ["BENCHMARK_PREFIX"]}  # type: ignore[operator]
