from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0002_news_and_claims"),
    ]

    operations = [
        migrations.AddField("seat", "share", models.FloatField(null=True)),
    ]
