"""Each way of running the site opens what it should, and production refuses what is unsafe.

Settings are read once per process, so each case is a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from rummy_site.settings.databases import from_url, sqlite

ROOT = Path(__file__).resolve().parents[2]

GOOD = {
    "RUMMY_SECRET_KEY": "kT8w-Zq2Lr5vB9xN1mC4jH7gF3dS6aP0-" * 2,
    "RUMMY_HOSTS": "rummy.example, .club.example",
    "DATABASE_URL": "postgres://nobody@127.0.0.1/none",
    "REDIS_URL": "redis://127.0.0.1/0",
}


def python(code: str, settings: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code after `django.setup()` under these settings and exactly this environment."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", f"import django; django.setup()\n{code}"],
        env=kept | {"DJANGO_SETTINGS_MODULE": f"rummy_site.settings.{settings}"} | environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def read(names: str, settings: str, **environment: str) -> dict[str, Any]:
    """The values of some settings, as JSON brings them."""
    code = (
        "import json; from django.conf import settings\n"
        f"print(json.dumps({{n: getattr(settings, n) for n in {names.split()!r}}}, default=str))"
    )
    done = python(code, settings, **environment)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"RUMMY_SECRET_KEY": ""}, "RUMMY_SECRET_KEY is not set"),
        ({"RUMMY_SECRET_KEY": "short"}, "RUMMY_SECRET_KEY has 5 characters"),
        ({"RUMMY_DEBUG": "on"}, "production never runs with DEBUG"),
        ({"DEBUG": "1"}, "production never runs with DEBUG"),
        ({"RUMMY_HOSTS": " "}, "RUMMY_HOSTS is not set"),
        ({"DATABASE_URL": ""}, "DATABASE_URL is not set"),
        ({"DATABASE_URL": "sqlite:///rummy.sqlite3"}, "not a PostgreSQL address"),
        ({"REDIS_URL": ""}, "REDIS_URL is not set"),
    ],
)
def test_production_refuses_to_start(change: dict[str, str], sentence: str) -> None:
    done = python("", "prod", **(GOOD | change))
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert "ImproperlyConfigured" in last
    assert sentence in last


def test_the_command_line_says_what_is_missing_in_one_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate"],
        env={"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "rummy_site.settings.prod"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr == ("RUMMY_SECRET_KEY is not set; give it at least 50 random characters.\n")


def test_production_starts_when_all_is_given_and_is_strict() -> None:
    names = (
        "DEBUG ALLOWED_HOSTS CSRF_TRUSTED_ORIGINS SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE "
        "SECURE_SSL_REDIRECT SECURE_HSTS_SECONDS CHANNEL_LAYERS DATABASES RUMMY_MONEY_PLAY"
    )
    found = read(names, "prod", **GOOD)
    assert found["DEBUG"] is False
    assert found["RUMMY_MONEY_PLAY"] is False
    assert found["ALLOWED_HOSTS"] == ["rummy.example", ".club.example"]
    assert found["CSRF_TRUSTED_ORIGINS"] == ["https://rummy.example", "https://*.club.example"]
    assert found["SESSION_COOKIE_SECURE"]
    assert found["CSRF_COOKIE_SECURE"]
    assert found["SECURE_SSL_REDIRECT"]
    assert found["SECURE_HSTS_SECONDS"] >= 365 * 24 * 3600
    assert "redis" in found["CHANNEL_LAYERS"]["default"]["BACKEND"].lower()
    database = found["DATABASES"]["default"]
    assert database["ENGINE"].endswith("postgresql")
    assert database["CONN_MAX_AGE"] == 0
    assert database["OPTIONS"]["pool"]


def test_e_mails_of_servers_lead_to_their_first_host_or_where_they_say() -> None:
    said = {"RUMMY_ADDRESS": "https://play.example"}
    assert read("RUMMY_ADDRESS", "prod", **GOOD)["RUMMY_ADDRESS"] == "https://rummy.example"
    assert read("RUMMY_ADDRESS", "prod", **GOOD, **said) == said


def test_a_club_evening_has_a_file_a_secret_and_hosts_of_its_own_and_no_debug() -> None:
    names = "DEBUG SECRET_KEY ALLOWED_HOSTS DATABASES"
    found = read(names, "club", RUMMY_HOSTS="rummy.lan")
    assert found["DEBUG"] is False
    assert len(found["SECRET_KEY"]) >= 50
    assert found["SECRET_KEY"] == read(names, "club")["SECRET_KEY"]
    assert {"rummy.lan", "127.0.0.1", "localhost"} <= set(found["ALLOWED_HOSTS"])
    assert found["DATABASES"]["default"]["NAME"].endswith("club.sqlite3")
    assert (ROOT / "var" / "club-secret").stat().st_mode & 0o077 == 0


def test_a_worker_keeps_one_connection_and_no_pool() -> None:
    found = read("DATABASES CELERY_DB_REUSE_MAX", "prod", **GOOD, RUMMY_WORKER="on")
    database = found["DATABASES"]["default"]
    assert "pool" not in database.get("OPTIONS", {})
    assert database["CONN_MAX_AGE"] == 600
    assert found["CELERY_DB_REUSE_MAX"] == 1000


@pytest.mark.parametrize(("word", "on"), [("on", True), ("1", True), ("off", False), ("", False)])
def test_money_play_is_a_switch_of_the_environment(word: str, on: bool) -> None:
    assert read("RUMMY_MONEY_PLAY", "dev", RUMMY_MONEY_PLAY=word)["RUMMY_MONEY_PLAY"] is on


def test_development_writes_immediately_to_a_file_with_a_log() -> None:
    code = (
        "from django.db import connection as c\n"
        "with c.cursor() as cursor:\n"
        "    for p in ('journal_mode', 'synchronous', 'recursive_triggers', 'foreign_keys'):\n"
        "        print(cursor.execute(f'PRAGMA {p}').fetchone()[0])\n"
        "print(c.settings_dict['OPTIONS']['transaction_mode'])"
    )
    done = python(code, "dev")
    assert done.stdout.split() == ["wal", "2", "1", "1", "IMMEDIATE"], done.stderr


def test_only_postgresql_and_sqlite_are_opened() -> None:
    with pytest.raises(ImproperlyConfigured, match="mysql"):
        from_url("mysql://a@b/c")


def test_a_sqlite_address_is_opened_like_every_sqlite_file() -> None:
    assert from_url("sqlite:///rummy.sqlite3") == sqlite("rummy.sqlite3")


@pytest.mark.parametrize(("behind", "client"), [("on", "203.0.113.9"), ("off", "10.0.0.1")])
def test_limits_of_the_api_count_the_client_that_the_one_proxy_saw(
    behind: str, client: str
) -> None:
    """What a client itself writes before is not believed, and without a proxy nothing of it."""
    code = """
from django.test import RequestFactory
from rest_framework.request import Request
from rummy_site.throttles import ReadThrottle
sent = RequestFactory().get(
    "/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="198.51.100.1, 203.0.113.9"
)
print(ReadThrottle().get_ident(Request(sent)))
"""
    done = python(code, "prod", **GOOD, RUMMY_BEHIND_PROXY=behind)
    assert done.stdout.split() == [client], done.stderr
