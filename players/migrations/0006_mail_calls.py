from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0005_limits_of_assets_and_days"),
    ]

    operations = [
        migrations.AddField(
            model_name="profile",
            name="mail_calls",
            field=models.BooleanField(default=False),
        ),
    ]
