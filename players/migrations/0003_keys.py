"""Keys of programs with scopes; those that were made before go on, and only digests are kept."""

from __future__ import annotations

import hashlib
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils.crypto import salted_hmac

OLD = "authtoken_token"
_SALT = "django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash"


def take_over(apps: Any, editor: Any) -> None:
    """From REST framework's table, which held the keys themselves, and which goes."""
    connection = editor.connection
    if OLD not in connection.introspection.table_names():
        return
    key_model, user_model = apps.get_model("players", "Key"), apps.get_model("auth", "User")
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT key, user_id FROM {OLD}")  # noqa: S608 - a name of ours
        rows = dict(cursor.fetchall())
    users = user_model.objects.using(connection.alias).in_bulk(set(rows.values()))
    key_model.objects.using(connection.alias).bulk_create(
        key_model(
            user_id=user,
            name="Key",
            digest=hashlib.sha256(text.encode()).hexdigest(),
            scope_list="read play account",
            stamp=salted_hmac(_SALT, users[user].password, algorithm="sha256").hexdigest(),
            made_at=users[user].date_joined,
        )
        for text, user in rows.items()
    )


def drop_old(apps: Any, editor: Any) -> None:
    """By itself, after the rows are taken over."""
    if OLD in editor.connection.introspection.table_names():
        editor.execute(f"DROP TABLE {OLD}")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("players", "0002_profiles_and_limits"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Key",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("scope_list", models.CharField(max_length=60)),
                ("stamp", models.CharField(max_length=128)),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("last_used", models.DateField(blank=True, null=True)),
                ("by_password", models.BooleanField(default=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "made_at"], name="players_keys")],
            },
        ),
        migrations.RunPython(take_over, migrations.RunPython.noop),
        migrations.RunPython(drop_old, migrations.RunPython.noop),
    ]
