"""`manage.py ledger_grants ROLE`: print the GRANT statements for the site's role (PostgreSQL)."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from ledger.guards import grants


class Command(BaseCommand):
    """Prints SQL to be run by the owner of the tables; changes nothing."""

    help = "Print what a role needs to use the ledger without being able to change its past."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The role that the site connects as."""
        parser.add_argument("role")

    def handle(self, *args: Any, **options: Any) -> None:
        """One statement a line."""
        if connection.vendor != "postgresql":
            raise CommandError("Only PostgreSQL has roles.")
        for statement in grants.statements(connection, options["role"]):
            self.stdout.write(f"{statement};")
