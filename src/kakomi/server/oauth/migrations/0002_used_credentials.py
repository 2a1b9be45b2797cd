from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("oauth", "0001_initial"),
    ]

    operations = [
        migrations.AddField("credential", "is_used", models.BooleanField(default=False)),
    ]
