from django.db import migrations, models

_LISTED = models.Q(listed_at__isnull=False)


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0004_rematches"),
    ]

    operations = [
        migrations.AddField("table", "plies", models.PositiveIntegerField(default=0)),
        migrations.AddField("table", "listed_at", models.DateTimeField(null=True)),
        migrations.AddField("seat", "wants_listing", models.BooleanField(default=False)),
        migrations.AddIndex(
            "table", models.Index(fields=("-listed_at", "-id"), condition=_LISTED, name="tables_listed")
        ),
        migrations.AddIndex(
            "table",
            models.Index(
                fields=("game", "-listed_at", "-id"), condition=_LISTED, name="tables_listed_of_game"
            ),
        ),
    ]
