import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("tables", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Entrant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("bot", models.CharField(blank=True, max_length=100)),
                ("place", models.PositiveSmallIntegerField()),
                ("corrected_place", models.PositiveSmallIntegerField(null=True)),
                ("ran_out", models.BooleanField(default=False)),
                (
                    "guest",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rated_results",
                        to="accounts.guest",
                    ),
                ),
            ],
            options={
                "ordering": ("seat",),
            },
        ),
        migrations.CreateModel(
            name="Change",
            fields=[
                (
                    "entrant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="change",
                        serialize=False,
                        to="ratings.entrant",
                    ),
                ),
                ("mean_before", models.FloatField()),
                ("sigma_before", models.FloatField()),
                ("sigma_rated", models.FloatField()),
                ("games_before", models.PositiveIntegerField()),
                ("at_before", models.FloatField(null=True)),
                ("time_outs_before", models.PositiveIntegerField()),
                ("mean_after", models.FloatField()),
                ("sigma_after", models.FloatField()),
                ("counted", models.BooleanField()),
            ],
        ),
        migrations.CreateModel(
            name="Pool",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("size_class", models.CharField(max_length=20)),
                ("pace", models.CharField(max_length=10)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("game"), models.F("size_class"), models.F("pace"), name="pool_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Result",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ended_at", models.FloatField()),
                ("is_annulled", models.BooleanField(default=False)),
                ("is_due", models.BooleanField(default=True)),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="results", to="ratings.pool"
                    ),
                ),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="result", to="tables.table"
                    ),
                ),
            ],
            options={
                "ordering": ("ended_at", "table_id"),
            },
        ),
        migrations.AddField(
            model_name="entrant",
            name="result",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="entrants", to="ratings.result"
            ),
        ),
        migrations.CreateModel(
            name="Correction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.FloatField()),
                ("places", models.JSONField()),
                ("reason", models.CharField(max_length=300)),
                (
                    "result",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrections",
                        to="ratings.result",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.FloatField()),
                ("annuls", models.BooleanField()),
                ("reason", models.CharField(max_length=300)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rulings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "result",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="ratings.result",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="CurrentRating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mean", models.FloatField()),
                ("sigma", models.FloatField()),
                ("games", models.PositiveIntegerField()),
                ("at", models.FloatField(null=True)),
                ("time_outs", models.PositiveIntegerField(default=0)),
                (
                    "guest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="accounts.guest",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="ratings", to="ratings.pool"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["pool", "-mean", "guest"], name="ratings_by_mean")],
                "constraints": [models.UniqueConstraint(fields=("pool", "guest"), name="rating_once_a_pool")],
            },
        ),
        migrations.AddIndex(
            model_name="result",
            index=models.Index(fields=["pool", "ended_at", "table"], name="results_in_order"),
        ),
        migrations.AddIndex(
            model_name="result",
            index=models.Index(condition=models.Q(("is_due", True)), fields=["pool"], name="results_due"),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.UniqueConstraint(
                models.F("result"), models.F("seat"), name="entrant_once_a_seat"
            ),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("bot", ""), ("guest__isnull", False)),
                    models.Q(("guest__isnull", True), models.Q(("bot", ""), _negated=True)),
                    _connector="OR",
                ),
                name="entrant_is_guest_or_bot",
            ),
        ),
    ]
