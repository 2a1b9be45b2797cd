from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0002_rating_ranges"),
    ]

    operations = [
        migrations.AddField(
            model_name="lobbyguest",
            name="most_games",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
    ]
