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
            name="Case",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("opened_at", models.FloatField()),
                ("closed_at", models.FloatField(null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "about",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="cases", to="accounts.guest"
                    ),
                ),
            ],
            options={
                "permissions": (
                    ("moderate", "Can decide cases of moderation"),
                    ("erase", "Can ask for erasures and confirm them"),
                ),
            },
        ),
        migrations.CreateModel(
            name="ErasureRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("at", models.FloatField()),
                (
                    "about",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="erasure_request",
                        to="accounts.guest",
                    ),
                ),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Measure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("mute", "Mute"),
                            ("suspension", "Suspension"),
                            ("name", "Name"),
                            ("annulment", "Annulment"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("at", models.FloatField()),
                ("until", models.FloatField(null=True)),
                ("lifted_at", models.FloatField(null=True)),
                ("name", models.CharField(blank=True, max_length=30)),
                (
                    "about",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="measures",
                        to="accounts.guest",
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="measures",
                        to="moderation.case",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="Appeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=500)),
                ("at", models.FloatField()),
                ("decided_at", models.FloatField(null=True)),
                ("is_granted", models.BooleanField(null=True)),
                ("answer", models.CharField(blank=True, max_length=500)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="appeals",
                        to="accounts.guest",
                    ),
                ),
                (
                    "measure",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="appeal",
                        to="moderation.measure",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("name", "Name"),
                            ("chat", "Chat"),
                            ("tournament", "Tournament"),
                            ("conduct", "Conduct"),
                            ("engine", "Engine"),
                            ("arranged", "Arranged"),
                            ("other", "Other"),
                        ],
                        max_length=10,
                    ),
                ),
                ("text", models.CharField(blank=True, max_length=500)),
                ("quote", models.CharField(blank=True, max_length=500)),
                ("address", models.CharField(blank=True, default="", max_length=100)),
                ("message", models.BigIntegerField(null=True)),
                ("at", models.FloatField()),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("", "Open"), ("acted", "Acted"), ("nothing", "Nothing")],
                        default="",
                        max_length=10,
                    ),
                ),
                ("key", models.CharField(max_length=120, unique=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to="moderation.case",
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to="accounts.guest",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reports",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=120, unique=True)),
                ("act", models.CharField(max_length=20)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("data", models.JSONField(default=dict)),
                ("at", models.FloatField()),
                (
                    "about",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="accounts.guest",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "ordering": ("-pk",),
                "indexes": [models.Index(fields=["about", "-id"], name="audit_about")],
            },
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at", None)), fields=("about",), name="case_open_once"
            ),
        ),
        migrations.AddIndex(
            model_name="measure",
            index=models.Index(
                condition=models.Q(("lifted_at", None)), fields=["about", "kind"], name="measures_in_force"
            ),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(fields=["reporter", "-at"], name="reports_of_guest"),
        ),
    ]
