"""`texts --update` collects what is to be translated; `texts --check` says what is missing.

Neither needs the gettext programs. docs/languages.md tells how to change a text or add a language.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from rummy_site.texts.catalogue import faults_of, update

SHOWN = 20


class Command(BaseCommand):
    """Keeps the files in `locale` at one with the code."""

    help = "Collect the texts of the site, or check that all are translated."

    def add_arguments(self, parser: CommandParser) -> None:
        """One of the two, and a language if not all are meant."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--update", action="store_true", help="rewrite the .po and .mo files")
        what.add_argument("--check", action="store_true", help="fail where something is missing")
        parser.add_argument("--language", choices=_others(), action="append", default=None)

    def handle(self, *args: Any, **options: Any) -> None:
        """Each language in turn; a check fails with the first faults of the first bad one."""
        for language in options["language"] or _others():
            if options["update"]:
                update(language)
            faults = list(faults_of(language))
            if faults and options["check"]:
                told = "\n".join(islice(faults, SHOWN))
                raise CommandError(f"{language}: {len(faults)} faults.\n{told}")
            self.stdout.write(f"{language}: {len(faults)} texts to translate or to mend.")


def _others() -> list[str]:
    """All languages but the one of the code."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
