"""Drop the indexes of foreign keys that are only the beginning of another of their table."""

from django.db import migrations

from staff.unindexing import Unindex


class Migration(migrations.Migration):
    dependencies = [("players", "0006_mail_calls")]

    operations = [
        Unindex("key", "user"),
        Unindex("notice", "player"),
        Unindex("spending", "player"),
    ]
