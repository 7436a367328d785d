"""Find accounts by asset and owner: PostgreSQL took an index of assets alone to look up one account.

All accounts of an asset are still found by it: the chips of one tournament are an asset.
"""

from django.db import migrations, models

from staff.unindexing import Unindex


class Migration(migrations.Migration):
    dependencies = [("ledger", "0006_guards_by_index")]

    operations = [
        Unindex("account", "asset"),
        migrations.AddIndex(
            model_name="account",
            index=models.Index(fields=["asset", "owner"], name="ledger_account_of_asset"),
        ),
    ]
