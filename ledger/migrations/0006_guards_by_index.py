"""Install the guards anew: on PostgreSQL they look rows up one by one, however many there are."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from ledger import guards


def install(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the guards as the code has them now."""
    guards.install(editor.connection)


class Migration(migrations.Migration):
    """A plan that merges was kept by long connections, and read all transfers for each posting."""

    dependencies = [("ledger", "0005_operators")]

    operations = [migrations.RunPython(install, migrations.RunPython.noop, elidable=False)]
