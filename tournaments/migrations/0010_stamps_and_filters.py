"""A number that grows with every change, and out of the terms what lists are filtered by."""

from typing import Any

from django.db import migrations, models

from tournaments.models.core import kinds_in


def fill(apps: Any, schema_editor: Any) -> None:
    tournaments = apps.get_model("tournaments", "Tournament").objects
    for pk, terms in tournaments.values_list("pk", "terms").iterator():
        format_name, stake = kinds_in(terms)
        tournaments.filter(pk=pk).update(format_name=format_name, stake=stake)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_open_tables")]

    operations = [
        migrations.AddField("tournament", "changes", models.BigIntegerField(default=0)),
        migrations.AddField(
            "tournament",
            "format_name",
            models.CharField(blank=True, default="", editable=False, max_length=40),
            preserve_default=False,
        ),
        migrations.AddField(
            "tournament",
            "stake",
            models.CharField(blank=True, default="", editable=False, max_length=12),
            preserve_default=False,
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
