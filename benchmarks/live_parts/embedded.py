"""Settings of the measured site, embedded: as on one machine, with a database file of its own."""

import os

from rummy_site.settings.databases import sqlite
from rummy_site.settings.dev import *  # noqa: F403
from rummy_site.settings.dev import INSTALLED_APPS

DEBUG = False  # else Django would remember every query
DATABASES = {"default": sqlite(os.environ["BENCHMARK_FILE"])}
INSTALLED_APPS = [*INSTALLED_APPS, "benchmarks.live_parts.bare"]
LOG_LEVEL = "ERROR"
