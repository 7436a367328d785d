"""Drop the index of the doer alone: that of doers and lines begins with the same column."""

from django.db import migrations

from staff.unindexing import Unindex


class Migration(migrations.Migration):
    dependencies = [("staff", "0001_actions")]

    operations = [
        Unindex("staffaction", "actor"),
    ]
