from typing import Any

from django.db import migrations, models


def keep_handles(apps: Any, schema_editor: Any) -> None:
    """Of users that there are already."""
    for guest, username in apps.get_model("guests", "User").objects.values_list("guest", "username"):
        apps.get_model("guests", "Guest").objects.filter(pk=guest).update(handle=username)


class Migration(migrations.Migration):
    dependencies = [("guests", "0003_users")]

    operations = [
        migrations.AddField(
            model_name="guest",
            name="handle",
            field=models.CharField(blank=True, editable=False, max_length=30, null=True, unique=True),
        ),
        migrations.AddField(
            model_name="guest", name="is_bot", field=models.BooleanField(default=False, editable=False)
        ),
        migrations.AddField(
            model_name="guest", name="is_erased", field=models.BooleanField(default=False, editable=False)
        ),
        migrations.RunPython(keep_handles, migrations.RunPython.noop),
        migrations.CreateModel(
            name="Block",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "blocked",
                    models.ForeignKey("guests.guest", models.CASCADE, related_name="blocks_against"),
                ),
                ("blocker", models.ForeignKey("guests.guest", models.CASCADE, related_name="blocks")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("blocker", "blocked"), name="block_once"),
                    models.CheckConstraint(
                        condition=models.Q(("blocker", models.F("blocked")), _negated=True),
                        name="block_of_somebody_else",
                    ),
                ],
            },
        ),
    ]
