"""Drop the index of accounts by asset: PostgreSQL took it for the look-up of one account of many."""

from django.db import migrations

from staff.unindexing import Unindex


class Migration(migrations.Migration):
    dependencies = [("ledger", "0006_guards_by_index")]

    operations = [
        Unindex("account", "asset"),
    ]
