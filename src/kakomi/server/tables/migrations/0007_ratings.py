from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0006_plurals"),
    ]

    operations = [
        migrations.AddField("table", "ended_at", models.FloatField(null=True)),
        migrations.AddField("table", "is_rated", models.BooleanField(default=False)),
    ]
