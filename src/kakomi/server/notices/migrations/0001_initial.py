import django.db.models.deletion
from django.db import migrations, models

import kakomi.server.site.clock


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("tables", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Endpoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=1000)),
                ("label", models.CharField(max_length=60)),
                ("secret", models.CharField(max_length=200)),
                ("is_on", models.BooleanField(default=True)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("retry_at", models.FloatField(default=0.0)),
                ("off_reason", models.CharField(blank=True, max_length=200)),
                ("used_at", models.FloatField(null=True)),
                ("created_at", models.FloatField(default=kakomi.server.site.clock.now)),
                (
                    "guest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="endpoints",
                        to="accounts.guest",
                    ),
                ),
                (
                    "sign_in",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="endpoints",
                        to="accounts.signin",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200, unique=True)),
                ("channel", models.CharField(max_length=10)),
                ("content", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("sent", "Sent"),
                            ("kept", "Kept"),
                            ("dropped", "Dropped"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("due_at", models.FloatField()),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("error", models.CharField(blank=True, max_length=300)),
                ("created_at", models.FloatField()),
                ("done_at", models.FloatField(null=True)),
                (
                    "guest",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="accounts.guest",
                    ),
                ),
                (
                    "endpoint",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="notices.endpoint",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
            },
        ),
        migrations.CreateModel(
            name="Mailing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pace", models.CharField(default="hour", max_length=10)),
                ("hour", models.PositiveSmallIntegerField(default=18)),
                ("quiet_from", models.PositiveSmallIntegerField(null=True)),
                ("quiet_to", models.PositiveSmallIntegerField(null=True)),
                ("language", models.CharField(default="en", max_length=10)),
                ("next_at", models.FloatField(default=0.0)),
                ("written", models.PositiveIntegerField(default=0)),
                ("written_at", models.FloatField(default=0.0)),
                ("refusals", models.PositiveIntegerField(default=0)),
                ("plays_by_mail", models.BooleanField(default=False)),
                (
                    "guest",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mailing",
                        to="accounts.guest",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=30)),
                ("key", models.CharField(max_length=120, unique=True)),
                ("data", models.JSONField(null=True)),
                ("at", models.FloatField()),
                ("occurrence", models.PositiveIntegerField(default=0)),
                ("read_at", models.FloatField(null=True)),
                ("mailed_at", models.FloatField(null=True)),
                ("needs_push", models.BooleanField(default=False)),
                (
                    "about",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.guest",
                    ),
                ),
                (
                    "guest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="accounts.guest",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="tables.table",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Preference",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=30)),
                ("channel", models.CharField(max_length=10)),
                ("is_on", models.BooleanField()),
                (
                    "guest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notice_preferences",
                        to="accounts.guest",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="endpoint",
            constraint=models.UniqueConstraint(fields=("guest", "address"), name="endpoint_once"),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("state", "waiting")), fields=["channel", "due_at"], name="deliveries_due"
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(fields=["done_at"], name="deliveries_done"),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["guest", "-at"], name="notices_of_guest"),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("read_at", None)), fields=["guest"], name="notices_unread"
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("needs_push", True)), fields=["at"], name="notices_needing_push"
            ),
        ),
        migrations.AddConstraint(
            model_name="preference",
            constraint=models.UniqueConstraint(fields=("guest", "kind", "channel"), name="preference_once"),
        ),
    ]
