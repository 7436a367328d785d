"""Drop the indexes of foreign keys that are only the beginning of another of their table."""

from django.db import migrations

from staff.unindexing import Unindex


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0016_calls_by_inbox")]

    operations = [
        Unindex("call", "entry"),
        Unindex("entry", "tournament"),
        Unindex("entrynote", "entry"),
        Unindex("invitation", "tournament"),
        Unindex("lot", "round"),
        Unindex("payment", "entry"),
        Unindex("placing", "table"),
        Unindex("round", "tournament"),
        Unindex("roundtable", "round"),
        Unindex("template", "owner"),
        Unindex("tournament", "schedule"),
    ]
