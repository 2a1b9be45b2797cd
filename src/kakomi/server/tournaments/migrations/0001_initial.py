import django.db.models.deletion
from django.db import migrations, models

import kakomi.server.accounts.models
import kakomi.server.tables.models
import kakomi.server.tournaments.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("tables", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="CalendarAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "token",
                    models.CharField(
                        default=kakomi.server.accounts.models.new_token, max_length=32, unique=True
                    ),
                ),
                (
                    "guest",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="calendar_address",
                        to="accounts.guest",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "calendar addresses",
            },
        ),
        migrations.CreateModel(
            name="Tournament",
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
                ("key", models.CharField(max_length=60)),
                ("name", models.CharField(max_length=60)),
                ("description", models.CharField(blank=True, db_default="", default="", max_length=1000)),
                ("game", models.CharField(max_length=40)),
                ("terms", models.JSONField()),
                ("format", models.JSONField()),
                ("is_rated", models.BooleanField(default=False)),
                ("most", models.PositiveSmallIntegerField()),
                ("takes_late", models.BooleanField(default=False)),
                ("takes_bots", models.BooleanField(default=False)),
                ("filler", models.CharField(blank=True, default="", max_length=100)),
                ("round_days", models.PositiveSmallIntegerField()),
                ("seed", models.BigIntegerField(default=kakomi.server.tournaments.models.new_seed)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("running", "Running"),
                            ("over", "Over"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="open",
                        max_length=9,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("is_closed", models.BooleanField(default=False)),
                ("created_at", models.FloatField()),
                ("begins_at", models.FloatField()),
                ("due_at", models.FloatField(null=True)),
                ("ended_at", models.FloatField(null=True)),
                (
                    "repeat",
                    models.CharField(
                        blank=True,
                        choices=[("weekly", "Weekly"), ("monthly", "Monthly")],
                        default="",
                        max_length=7,
                    ),
                ),
                ("first_at", models.FloatField()),
                ("next_at", models.FloatField(null=True)),
                ("edition", models.PositiveSmallIntegerField(default=1)),
                ("news", models.PositiveIntegerField(default=0)),
                (
                    "organiser",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tournaments",
                        to="accounts.guest",
                    ),
                ),
                (
                    "previous",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="next",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("begun_at", models.FloatField()),
                ("ends_at", models.FloatField()),
                ("is_over", models.BooleanField(default=False)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rounds",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("content", models.JSONField()),
                ("at", models.FloatField()),
                ("reason", models.CharField(blank=True, default="", max_length=200)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tournament_decisions",
                        to="accounts.guest",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="log",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "log entries",
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="Entrant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("bot", models.CharField(blank=True, default="", max_length=100)),
                ("is_in", models.BooleanField(default=True)),
                (
                    "leaving",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Not"),
                            ("own", "Own"),
                            ("removed", "Removed"),
                            ("absent", "Absent"),
                            ("suspended", "Suspended"),
                            ("erased", "Erased"),
                        ],
                        default="",
                        max_length=9,
                    ),
                ),
                (
                    "guest",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tournament_entries",
                        to="accounts.guest",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entrants",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("is_over", models.BooleanField(default=False)),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tournament_game",
                        to="tables.table",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="games",
                        to="tournaments.round",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(
                        models.F("round"), models.F("number"), name="pairing_once_a_round"
                    )
                ],
            },
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(
                models.F("due_at"), condition=models.Q(("due_at__isnull", False)), name="tournaments_due"
            ),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(models.F("state"), models.F("begins_at"), name="tournaments_listed"),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(
                models.F("next_at"),
                condition=models.Q(("next_at__isnull", False)),
                name="tournaments_repeated",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.UniqueConstraint(
                models.F("organiser"), models.F("key"), name="tournament_once_a_key"
            ),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(
                models.F("ends_at"), condition=models.Q(("is_over", False)), name="rounds_going"
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("number"), name="round_once_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="logentry",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("number"), name="log_entry_once_a_number"
            ),
        ),
        migrations.AddIndex(
            model_name="entrant",
            index=models.Index(
                models.F("tournament"),
                condition=models.Q(("is_in", True), models.Q(("leaving", ""), _negated=True)),
                name="entrants_leaving",
            ),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("number"), name="entrant_once_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("guest"), name="entrant_once_a_tournament"
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
                name="tournament_entrant_is_guest_or_bot",
            ),
        ),
    ]
