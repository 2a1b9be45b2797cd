import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("tournaments", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Schedule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=54)),
                (
                    "frequency",
                    models.CharField(choices=[("weekly", "weekly"), ("monthly", "monthly")], max_length=7),
                ),
                ("weekday", models.PositiveSmallIntegerField()),
                ("interval", models.PositiveSmallIntegerField(default=1)),
                ("week", models.SmallIntegerField(default=1)),
                ("minute", models.PositiveSmallIntegerField()),
                ("zone", models.CharField(default="UTC", max_length=60)),
                ("since", models.FloatField()),
                ("announce_days", models.PositiveSmallIntegerField()),
                ("is_on", models.BooleanField(default=True)),
                ("count", models.PositiveIntegerField(default=0)),
                ("next_at", models.FloatField()),
                ("announce_at", models.FloatField()),
                (
                    "pattern",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="schedules",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "permissions": (("schedule", "Can set up tournaments by schedule"),),
            },
        ),
        migrations.CreateModel(
            name="Occurrence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.FloatField()),
                ("number", models.PositiveIntegerField()),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="occurrence",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "schedule",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="occurrences",
                        to="schedules.schedule",
                    ),
                ),
            ],
            options={
                "ordering": ("at",),
            },
        ),
        migrations.AddIndex(
            model_name="schedule",
            index=models.Index(
                models.F("announce_at"), condition=models.Q(("is_on", True)), name="schedules_due"
            ),
        ),
        migrations.AddConstraint(
            model_name="occurrence",
            constraint=models.UniqueConstraint(
                models.F("schedule"), models.F("at"), name="occurrence_once_a_moment"
            ),
        ),
        migrations.AddConstraint(
            model_name="occurrence",
            constraint=models.UniqueConstraint(
                models.F("schedule"), models.F("number"), name="occurrence_once_a_number"
            ),
        ),
    ]
