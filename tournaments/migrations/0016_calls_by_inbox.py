from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0015_templates"),
    ]

    operations = [
        migrations.RemoveField(model_name="call", name="emailed_at"),
        migrations.RemoveField(model_name="call", name="seen_at"),
        migrations.RemoveField(model_name="entry", name="call_by_email"),
    ]
