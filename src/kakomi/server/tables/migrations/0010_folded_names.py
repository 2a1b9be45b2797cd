from django.db import migrations, models

from kakomi.server.prefixes import FoldedField, fold_rows, prefix_index


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0009_seats_by_name"),
    ]

    operations = [
        prefix_index("tables_seat", "name", "seats_by_name", is_dropped=True),
        migrations.AddField(
            "seat",
            "name_folded",
            FoldedField(of="name", blank=True, default="", editable=False, max_length=60),
        ),
        fold_rows("tables", "Seat", "name"),
        migrations.AddIndex(
            "seat",
            models.Index(
                fields=["name_folded"], name="seats_by_folded_name", opclasses=["varchar_pattern_ops"]
            ),
        ),
    ]
