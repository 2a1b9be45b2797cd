from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("guests", "0006_sign_ins"),
    ]

    operations = [
        migrations.AddField("guest", "zone", models.CharField(blank=True, default="", max_length=60)),
    ]
