import django.db.models.deletion
from django.db import migrations, models

import kakomi.server.tables.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("tables", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="LobbyGuest",
            fields=[
                (
                    "guest",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="in_lobby",
                        serialize=False,
                        to="accounts.guest",
                    ),
                ),
                ("news", models.PositiveBigIntegerField(default=0)),
                (
                    "challenges_from",
                    models.CharField(
                        choices=[("all", "Everybody"), ("nobody", "Nobody")], default="all", max_length=8
                    ),
                ),
                ("takes_live", models.BooleanField(default=True)),
                ("takes_days", models.BooleanField(default=True)),
                ("takes_rated", models.BooleanField(default=True)),
                ("takes_casual", models.BooleanField(default=True)),
                ("most_games", models.PositiveSmallIntegerField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="LobbyNews",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("news", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "verbose_name_plural": "lobby news",
            },
        ),
        migrations.CreateModel(
            name="Seek",
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
                ("digest", models.CharField(blank=True, default="", max_length=18)),
                (
                    "kind",
                    models.CharField(
                        choices=[("open", "Open"), ("quick", "Quick"), ("challenge", "Challenge")],
                        max_length=9,
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("terms", models.JSONField()),
                ("pace", models.CharField(max_length=5)),
                ("is_rated", models.BooleanField(default=False)),
                ("rating_low", models.IntegerField(null=True)),
                ("rating_high", models.IntegerField(null=True)),
                ("least", models.PositiveSmallIntegerField(default=2)),
                ("most", models.PositiveSmallIntegerField(default=2)),
                ("times", models.PositiveSmallIntegerField(default=1)),
                ("round", models.PositiveSmallIntegerField(default=1)),
                ("created_at", models.FloatField()),
                ("seen_at", models.FloatField()),
                ("due_at", models.FloatField()),
                ("starts_at", models.FloatField(null=True)),
                ("ended_at", models.FloatField(null=True)),
                (
                    "ending",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("started", "Started"),
                            ("withdrawn", "Withdrawn"),
                            ("expired", "Expired"),
                            ("gone", "Gone"),
                            ("declined", "Declined"),
                            ("playing", "Playing"),
                            ("merged", "Merged"),
                        ],
                        default="",
                        max_length=9,
                    ),
                ),
                ("is_dismissed", models.BooleanField(default=False)),
                ("remark", models.CharField(blank=True, default="", max_length=300)),
                (
                    "merged_into",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="merged",
                        to="lobby.seek",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seeks", to="accounts.guest"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Place",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round", models.PositiveSmallIntegerField()),
                ("joined_at", models.FloatField()),
                ("seen_at", models.FloatField()),
                ("remark", models.CharField(blank=True, default="", max_length=300)),
                (
                    "guest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="places_in_seeks",
                        to="accounts.guest",
                    ),
                ),
                (
                    "seek",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="places", to="lobby.seek"
                    ),
                ),
            ],
            options={
                "ordering": ("joined_at", "pk"),
            },
        ),
        migrations.CreateModel(
            name="Invitee",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "answer",
                    models.CharField(
                        blank=True,
                        choices=[("", "None"), ("accepted", "Accepted"), ("declined", "Declined")],
                        default="",
                        max_length=8,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "None"),
                            ("later", "Later"),
                            ("clock", "Clock"),
                            ("board", "Board"),
                            ("terms", "Terms"),
                            ("casual", "Casual"),
                            ("rated", "Rated"),
                            ("opponent", "Opponent"),
                        ],
                        default="",
                        max_length=8,
                    ),
                ),
                (
                    "guest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="challenges",
                        to="accounts.guest",
                    ),
                ),
                (
                    "seek",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitees", to="lobby.seek"
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="SeekGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round", models.PositiveSmallIntegerField()),
                (
                    "seek",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="games", to="lobby.seek"
                    ),
                ),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seek_game",
                        to="tables.table",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="seek",
            index=models.Index(
                models.F("game"),
                models.F("pace"),
                condition=models.Q(("ended_at__isnull", True)),
                name="lobby_open",
            ),
        ),
        migrations.AddIndex(
            model_name="seek",
            index=models.Index(
                models.F("due_at"), condition=models.Q(("ended_at__isnull", True)), name="lobby_due"
            ),
        ),
        migrations.AddConstraint(
            model_name="seek",
            constraint=models.UniqueConstraint(models.F("owner"), models.F("key"), name="seek_once_a_key"),
        ),
        migrations.AddConstraint(
            model_name="place",
            constraint=models.UniqueConstraint(models.F("seek"), models.F("guest"), name="place_once_a_seek"),
        ),
        migrations.AddConstraint(
            model_name="invitee",
            constraint=models.UniqueConstraint(
                models.F("seek"), models.F("guest"), name="invitee_once_a_seek"
            ),
        ),
        migrations.AddConstraint(
            model_name="seekgame",
            constraint=models.UniqueConstraint(models.F("seek"), models.F("round"), name="game_once_a_round"),
        ),
    ]
