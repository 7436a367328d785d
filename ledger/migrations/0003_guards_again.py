"""Install the guards anew: the trigger that chains entries says the same in fewer statements."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from ledger import guards


def install(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the guards as the code has them now."""
    guards.install(editor.connection)


class Migration(migrations.Migration):
    """Runs after the guards' first installation, which takes them away again on the way back."""

    dependencies = [("ledger", "0002_guards")]

    operations = [migrations.RunPython(install, migrations.RunPython.noop, elidable=False)]
