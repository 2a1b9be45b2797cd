import django.db.models.deletion
from django.db import migrations, models

import kakomi.server.accounts.models
import kakomi.server.site.database
import kakomi.server.tables.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("beat_at", models.FloatField()),
            ],
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("start", models.FloatField(unique=True)),
                ("end", models.FloatField(db_index=True)),
            ],
            options={
                "ordering": ("start",),
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        default=kakomi.server.tables.models.new_code, max_length=10, unique=True
                    ),
                ),
                ("begun", models.JSONField()),
                ("entries", models.PositiveIntegerField(default=0)),
                ("head", models.CharField(blank=True, default="", max_length=80)),
                ("news", models.PositiveIntegerField(default=0)),
                ("game", models.CharField(max_length=40)),
                ("to_act", models.PositiveSmallIntegerField(null=True)),
                ("waits_for_bot", models.BooleanField(default=False)),
                ("thinker", models.CharField(blank=True, default="", max_length=40)),
                ("claimed_until", models.FloatField(default=0.0)),
                ("is_over", models.BooleanField(default=False)),
                ("ended_at", models.FloatField(null=True)),
                ("is_rated", models.BooleanField(default=False)),
                ("pace", models.CharField(blank=True, default="", max_length=4)),
                ("due_at", models.FloatField(null=True)),
                ("warn_at", models.FloatField(null=True)),
                ("warned", models.PositiveIntegerField(null=True)),
                ("plies", models.PositiveIntegerField(default=0)),
                ("listed_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "successor",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="predecessor",
                        to="tables.table",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(blank=True, max_length=30)),
                (
                    "name_folded",
                    kakomi.server.site.database.FoldedField(
                        blank=True, default="", editable=False, max_length=60, of="name"
                    ),
                ),
                ("bot", models.CharField(blank=True, max_length=100)),
                (
                    "invitation",
                    models.CharField(
                        default=kakomi.server.accounts.models.new_token, max_length=32, unique=True
                    ),
                ),
                ("is_hidden", models.BooleanField(default=False)),
                ("draft", models.JSONField(default=list)),
                ("draft_base", models.PositiveIntegerField(default=0)),
                ("time_off_version", models.PositiveIntegerField(default=0)),
                ("share", models.FloatField(null=True)),
                ("wants_rematch", models.BooleanField(default=False)),
                ("wants_listing", models.BooleanField(default=False)),
                (
                    "guest",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seats",
                        to="accounts.guest",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="tables.table"
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("key", models.CharField(max_length=80)),
                ("digest", models.CharField(blank=True, default="", max_length=18)),
                ("content", models.JSONField()),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="log", to="tables.table"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entries",
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="TimeOff",
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
                ("entered_version", models.PositiveIntegerField(default=0)),
                ("changed_at", models.FloatField(default=0.0)),
                (
                    "guest",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="time_off",
                        to="accounts.guest",
                    ),
                ),
            ],
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
                        to="accounts.guest",
                    ),
                ),
            ],
            options={
                "ordering": ("start",),
            },
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(
                condition=models.Q(("listed_at__isnull", False)),
                fields=["-listed_at", "-id"],
                name="tables_listed",
            ),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(
                condition=models.Q(("listed_at__isnull", False)),
                fields=["game", "-listed_at", "-id"],
                name="tables_listed_of_game",
            ),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(
                models.F("waits_for_bot"), condition=models.Q(("waits_for_bot", True)), name="tables_waiting"
            ),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(
                models.F("due_at"), condition=models.Q(("due_at__isnull", False)), name="tables_due"
            ),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(
                models.F("warn_at"), condition=models.Q(("warn_at__isnull", False)), name="tables_to_warn"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                fields=["name_folded"], name="seats_by_folded_name", opclasses=["varchar_pattern_ops"]
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                models.F("table"), models.F("number"), name="seat_once_a_table"
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                models.F("table"), models.F("number"), name="entry_once_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(models.F("table"), models.F("key"), name="entry_once_a_key"),
        ),
        migrations.AddIndex(
            model_name="timeoff",
            index=models.Index(
                condition=models.Q(("version", models.F("entered_version")), _negated=True),
                fields=["guest"],
                name="time_off_to_enter",
            ),
        ),
        migrations.AddIndex(
            model_name="vacation",
            index=models.Index(
                models.F("tell_at"), condition=models.Q(("tell_at__isnull", False)), name="vacations_to_tell"
            ),
        ),
        migrations.AddConstraint(
            model_name="vacation",
            constraint=models.UniqueConstraint(models.F("guest"), models.F("start"), name="vacation_once"),
        ),
    ]
