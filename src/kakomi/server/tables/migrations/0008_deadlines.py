from typing import Any

from django.db import migrations, models


def note_pace(apps: Any, _: object) -> None:
    """All clocks so far were for games in one go."""
    tables = apps.get_model("tables", "Table").objects
    tables.exclude(begun__time=None).update(pace="live")


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0007_ratings"),
    ]

    operations = [
        migrations.AddField("seat", "rests_version", models.PositiveIntegerField(default=0)),
        migrations.AddField("table", "pace", models.CharField(blank=True, default="", max_length=4)),
        migrations.AddField("table", "warn_at", models.FloatField(null=True)),
        migrations.AddField("table", "warned", models.PositiveIntegerField(null=True)),
        migrations.AddIndex(
            "table",
            models.Index("warn_at", condition=models.Q(("warn_at__isnull", False)), name="tables_to_warn"),
        ),
        migrations.RunPython(note_pace, migrations.RunPython.noop),
    ]
