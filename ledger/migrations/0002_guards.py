"""Install the triggers that make the ledger append-only (see `ledger.guards`)."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from ledger import guards


def install(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the guards of this database."""
    guards.install(editor.connection)


def remove(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop them again, before the tables can go."""
    guards.remove(editor.connection)


class Migration(migrations.Migration):
    """Runs after the tables exist."""

    dependencies = [("ledger", "0001_initial")]

    operations = [migrations.RunPython(install, remove, elidable=False)]
