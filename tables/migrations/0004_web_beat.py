from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0003_clockbeat"),
    ]

    operations = [
        migrations.AddField(
            model_name="clockbeat",
            name="web_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
