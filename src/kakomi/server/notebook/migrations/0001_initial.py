import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("guests", "0001_initial"),
        ("tables", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=2000)),
                ("at", models.FloatField()),
                (
                    "about",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="guests.guest",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notes", to="guests.guest"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["owner", "-at"], name="notes_of_guest")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("about", None)),
                        fields=("owner", "table"),
                        name="note_once_a_game",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("table", None)),
                        fields=("owner", "about"),
                        name="note_once_a_person",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("about", None), ("table__isnull", False)),
                            models.Q(("about__isnull", False), ("table", None)),
                            _connector="OR",
                        ),
                        name="note_on_game_or_person",
                    ),
                ],
            },
        ),
    ]
