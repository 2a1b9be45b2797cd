from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce


def note_heads(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Tables that are there already: the key of the last entry, and as much news as entries."""
    del schema_editor
    last = apps.get_model("tables", "Entry").objects.filter(table=OuterRef("pk")).order_by("-number")
    head = Coalesce(Subquery(last.values("key")[:1]), models.Value(""))
    apps.get_model("tables", "Table").objects.update(head=head, news=F("entries"))


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0001_initial"),
    ]

    operations = [
        migrations.AddField("table", "head", models.CharField(blank=True, default="", max_length=60)),
        migrations.AddField("table", "news", models.PositiveIntegerField(default=0)),
        migrations.AddField("table", "thinker", models.CharField(blank=True, default="", max_length=40)),
        migrations.AddField("table", "claimed_until", models.FloatField(default=0.0)),
        migrations.RunPython(note_heads, migrations.RunPython.noop),
    ]
