from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0002_live"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClockBeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("pk", 1)), name="tables_one_clock_beat"
                    )
                ],
            },
        ),
    ]
