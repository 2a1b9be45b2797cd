import django.db.models.deletion
from django.db import migrations, models

import kakomi.server.accounts.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("tables", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Study",
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
                        default=kakomi.server.accounts.models.new_token, max_length=32, unique=True
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=100)),
                ("game", models.CharField(max_length=40)),
                ("record", models.TextField()),
                ("version", models.PositiveIntegerField(default=1)),
                ("game_number", models.PositiveSmallIntegerField(default=0)),
                ("is_deleted", models.BooleanField(default=False)),
                ("plies", models.PositiveIntegerField(default=0)),
                ("listed_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="studies",
                        to="accounts.guest",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="studies",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "studies",
            },
        ),
        migrations.CreateModel(
            name="Revision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("record", models.TextField()),
                ("node", models.PositiveIntegerField(default=0)),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="revisions",
                        to="analysis.study",
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="GameAnalysis",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("record", models.TextField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("done", "Done"),
                            ("stopped", "Stopped"),
                            ("failed", "Failed"),
                        ],
                        default="running",
                        max_length=8,
                    ),
                ),
                ("answers", models.JSONField(default=dict)),
                ("stage", models.CharField(blank=True, max_length=20)),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("trouble", models.TextField(blank=True)),
                ("seen_at", models.FloatField(default=0.0)),
                (
                    "study",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="game_analysis",
                        to="analysis.study",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="study",
            index=models.Index(
                condition=models.Q(("listed_at__isnull", False)),
                fields=["-listed_at", "-id"],
                name="analysis_listed",
            ),
        ),
        migrations.AddIndex(
            model_name="study",
            index=models.Index(
                condition=models.Q(("listed_at__isnull", False)),
                fields=["game", "-listed_at", "-id"],
                name="analysis_listed_of_game",
            ),
        ),
        migrations.AddIndex(
            model_name="study",
            index=models.Index(fields=["owner", "-changed_at"], name="analysis_of_owner"),
        ),
        migrations.AddIndex(
            model_name="gameanalysis",
            index=models.Index(
                models.F("state"), condition=models.Q(("state", "running")), name="analysis_running"
            ),
        ),
    ]
