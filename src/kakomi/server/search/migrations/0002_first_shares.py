"""Openings keep what the first player got; those that were kept before are made anew, some at a time."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def index_anew(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Every game that has openings waits to be indexed again."""
    del schema_editor
    openings, unindexed = apps.get_model("search", "Opening"), apps.get_model("search", "Unindexed")
    numbers = openings.objects.values_list("table", flat=True).distinct()
    for number in list(numbers):
        unindexed.objects.get_or_create(table_id=number)
    openings.objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("search", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="opening",
            name="first_share",
            field=models.FloatField(null=True),
        ),
        migrations.RunPython(index_anew, migrations.RunPython.noop),
    ]
