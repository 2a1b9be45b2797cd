from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notices", "0004_zones_of_people")]

    operations = [
        migrations.AddField("mailing", "plays_by_mail", models.BooleanField(default=False)),
    ]
