import time
from typing import Any

from django.db import migrations, models
from django.db.models import F


def tell_of_those_to_come(apps: Any, schema_editor: Any) -> None:
    """Those that go on or come are told of; those that are over were never meant to be."""
    vacations = apps.get_model("rests", "Vacation").objects.using(schema_editor.connection.alias)
    vacations.filter(end__gt=time.time()).update(tell_at=F("start"))


class Migration(migrations.Migration):
    dependencies = [
        ("rests", "0001_initial"),
    ]

    operations = [
        migrations.AddField("vacation", "has_begun", models.BooleanField(default=False)),
        migrations.AddField("vacation", "tell_at", models.FloatField(null=True)),
        migrations.AddIndex(
            "vacation",
            models.Index(
                models.F("tell_at"),
                condition=models.Q(("tell_at__isnull", False)),
                name="vacations_to_tell",
            ),
        ),
        migrations.RunPython(tell_of_those_to_come, migrations.RunPython.noop),
    ]
