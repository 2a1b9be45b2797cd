from django.db import migrations, models


class Migration(migrations.Migration):
    """Those that were set up before go on in UTC."""

    dependencies = [
        ("schedules", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="schedule",
            name="zone",
            field=models.CharField(default="UTC", max_length=60),
        ),
    ]
