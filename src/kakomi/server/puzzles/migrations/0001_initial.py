import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("guests", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="PuzzleRating",
            fields=[
                ("puzzle", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("mean", models.FloatField()),
                ("sigma", models.FloatField()),
                ("attempts", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("puzzle", models.CharField(max_length=20)),
                ("answer", models.CharField(max_length=400)),
                ("is_right", models.BooleanField()),
                ("at", models.FloatField()),
                ("puzzle_mean", models.FloatField()),
                ("puzzle_sigma", models.FloatField()),
                ("mean", models.FloatField()),
                ("sigma", models.FloatField()),
                (
                    "guest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzle_attempts",
                        to="guests.guest",
                    ),
                ),
            ],
            options={
                "ordering": ("at", "pk"),
                "constraints": [
                    models.UniqueConstraint(fields=("guest", "puzzle"), name="puzzle_attempt_once")
                ],
            },
        ),
    ]
