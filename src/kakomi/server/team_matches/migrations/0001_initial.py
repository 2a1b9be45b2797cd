import django.db.models.deletion
from django.db import migrations, models

import kakomi.server.tables.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("guests", "0001_initial"),
        ("tables", "0001_initial"),
        ("teams", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="TeamMatch",
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
                ("game", models.CharField(max_length=40)),
                ("terms", models.JSONField()),
                ("boards", models.PositiveSmallIntegerField()),
                ("games", models.PositiveSmallIntegerField()),
                ("is_rated", models.BooleanField(default=False)),
                ("seed", models.BigIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("proposed", "Proposed"),
                            ("open", "Open"),
                            ("running", "Running"),
                            ("over", "Over"),
                            ("declined", "Declined"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="proposed",
                        max_length=9,
                    ),
                ),
                ("reason", models.CharField(blank=True, default="", max_length=200)),
                ("home_is_ready", models.BooleanField(default=False)),
                ("away_is_ready", models.BooleanField(default=False)),
                ("created_at", models.FloatField()),
                ("begins_at", models.FloatField()),
                ("due_at", models.FloatField(null=True)),
                ("ended_at", models.FloatField(null=True)),
                (
                    "away",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="away_matches",
                        to="teams.team",
                    ),
                ),
                (
                    "challenger",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="team_challenges",
                        to="guests.guest",
                    ),
                ),
                (
                    "home",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="home_matches",
                        to="teams.team",
                    ),
                ),
            ],
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
                ("is_home", models.BooleanField()),
                ("at", models.FloatField()),
                (
                    "guest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="team_match_entries",
                        to="guests.guest",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="team_matches.teammatch",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entries",
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="BoardGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("board", models.PositiveSmallIntegerField()),
                ("number", models.PositiveSmallIntegerField()),
                ("home_seat", models.PositiveSmallIntegerField()),
                ("home_points", models.FloatField(null=True)),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="team_match_game",
                        to="tables.table",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="board_games",
                        to="team_matches.teammatch",
                    ),
                ),
            ],
            options={
                "ordering": ("board", "number"),
            },
        ),
        migrations.AddIndex(
            model_name="teammatch",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="team_matches_due"
            ),
        ),
        migrations.AddConstraint(
            model_name="teammatch",
            constraint=models.UniqueConstraint(fields=("challenger", "key"), name="team_match_once_a_key"),
        ),
        migrations.AddConstraint(
            model_name="teammatch",
            constraint=models.CheckConstraint(
                condition=models.Q(("home", models.F("away")), _negated=True), name="team_match_of_two"
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("match", "guest"), name="team_match_entry_once"),
        ),
        migrations.AddConstraint(
            model_name="boardgame",
            constraint=models.UniqueConstraint(
                fields=("match", "board", "number"), name="team_game_once_a_board"
            ),
        ),
    ]
