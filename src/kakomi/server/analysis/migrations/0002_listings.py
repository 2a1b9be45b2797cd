from django.db import migrations, models

_LISTED = models.Q(listed_at__isnull=False)


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0001_initial"),
    ]

    operations = [
        migrations.AddField("study", "plies", models.PositiveIntegerField(default=0)),
        migrations.AddField("study", "listed_at", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "study", models.Index(fields=("-listed_at", "-id"), condition=_LISTED, name="analysis_listed")
        ),
        migrations.AddIndex(
            "study",
            models.Index(
                fields=("game", "-listed_at", "-id"), condition=_LISTED, name="analysis_listed_of_game"
            ),
        ),
    ]
