from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0003_shares"),
    ]

    operations = [
        migrations.AddField("seat", "wants_rematch", models.BooleanField(default=False)),
    ]
