"""Drop the indexes of foreign keys that are only the beginning of another of their table."""

from django.db import migrations

from staff.unindexing import Unindex


class Migration(migrations.Migration):
    dependencies = [("tables", "0009_standstill")]

    operations = [
        Unindex("deal", "match"),
        Unindex("dealevent", "deal"),
        Unindex("match", "table"),
        Unindex("matchentry", "match"),
        Unindex("seat", "match"),
        Unindex("sheetline", "match"),
        Unindex("chatline", "match"),
    ]
