"""Index accounts by asset and owner in place of asset alone: one account is found by it, too.

All of an asset are found by it as before; the chips of one tournament are an asset.
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
