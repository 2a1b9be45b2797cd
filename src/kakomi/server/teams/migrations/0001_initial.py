import django.db.models.deletion
from django.db import migrations, models

import kakomi.server.prefixes
import kakomi.server.tables.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("guests", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Team",
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
                ("name", models.CharField(max_length=40)),
                (
                    "name_folded",
                    kakomi.server.prefixes.FoldedField(
                        blank=True, default="", editable=False, max_length=60, of="name"
                    ),
                ),
                ("line", models.CharField(blank=True, default="", max_length=200)),
                ("game", models.CharField(blank=True, default="", max_length=40)),
                ("is_open", models.BooleanField(default=False)),
                ("created_at", models.FloatField()),
                ("closed_at", models.FloatField(null=True)),
                (
                    "founder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="teams_founded",
                        to="guests.guest",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("asking", "Asking"),
                            ("in", "In"),
                            ("leader", "Leader"),
                            ("removed", "Removed"),
                        ],
                        max_length=7,
                    ),
                ),
                ("since", models.FloatField()),
                (
                    "guest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="team_memberships",
                        to="guests.guest",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="members", to="teams.team"
                    ),
                ),
            ],
            options={
                "ordering": ("since", "pk"),
            },
        ),
        migrations.AddIndex(
            model_name="team",
            index=models.Index(condition=models.Q(("closed_at", None)), fields=["-id"], name="teams_listed"),
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.UniqueConstraint(fields=("founder", "key"), name="team_once_a_key"),
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at", None)), fields=("name_folded",), name="team_name_once"
            ),
        ),
        migrations.AddIndex(
            model_name="member",
            index=models.Index(fields=["guest", "state"], name="teams_of_guest"),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.UniqueConstraint(fields=("team", "guest"), name="member_once_a_team"),
        ),
    ]
