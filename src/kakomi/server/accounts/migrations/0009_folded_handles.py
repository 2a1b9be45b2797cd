from django.db import migrations, models

from kakomi.server.prefixes import FoldedField, fold_rows, prefix_index


class Migration(migrations.Migration):
    dependencies = [
        ("guests", "0008_guests_by_handle"),
    ]

    operations = [
        prefix_index("guests_guest", "handle", "guests_by_handle", is_dropped=True),
        migrations.AddField(
            "guest",
            "handle_folded",
            FoldedField(of="handle", blank=True, default="", editable=False, max_length=60),
        ),
        fold_rows("guests", "Guest", "handle"),
        migrations.AddIndex(
            "guest",
            models.Index(
                fields=["handle_folded"], name="guests_by_folded_handle", opclasses=["varchar_pattern_ops"]
            ),
        ),
    ]
