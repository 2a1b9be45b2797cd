import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("guests", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Rests",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("weekend", models.JSONField(default=list)),
                ("sleep_from", models.PositiveSmallIntegerField(null=True)),
                ("sleep_to", models.PositiveSmallIntegerField(null=True)),
                ("is_automatic", models.BooleanField(default=True)),
                ("version", models.PositiveIntegerField(default=1)),
                ("told_version", models.PositiveIntegerField(default=0)),
                ("changed_at", models.FloatField(default=0.0)),
                (
                    "guest",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rests", to="guests.guest"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("version", models.F("told_version")), _negated=True),
                        fields=["guest"],
                        name="rests_to_tell",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Vacation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("start", models.FloatField()),
                ("end", models.FloatField()),
                ("is_automatic", models.BooleanField(default=False)),
                ("tell_at", models.FloatField(null=True)),
                ("has_begun", models.BooleanField(default=False)),
                (
                    "guest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vacations",
                        to="guests.guest",
                    ),
                ),
            ],
            options={
                "ordering": ("start",),
                "indexes": [
                    models.Index(
                        models.F("tell_at"),
                        condition=models.Q(("tell_at__isnull", False)),
                        name="vacations_to_tell",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(models.F("guest"), models.F("start"), name="vacation_once")
                ],
            },
        ),
    ]
