import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("tables", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Correspondent",
            fields=[
                (
                    "guest",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="correspondent",
                        serialize=False,
                        to="accounts.guest",
                    ),
                ),
                ("bounces", models.PositiveSmallIntegerField(default=0)),
                ("bounced_to", models.CharField(blank=True, max_length=320)),
            ],
        ),
        migrations.CreateModel(
            name="AnswerCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=64)),
                ("day", models.PositiveIntegerField()),
                ("count", models.PositiveIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(models.F("address"), models.F("day"), name="count_once_a_day")
                ],
            },
        ),
        migrations.CreateModel(
            name="ReceivedMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("content", models.BinaryField()),
                ("sender", models.CharField(blank=True, max_length=320)),
                ("recipient", models.CharField(blank=True, max_length=320)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("done", "Done"),
                            ("parked", "Parked"),
                            ("ignored", "Ignored"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=300)),
                ("is_confirmed", models.BooleanField(default=False)),
                ("received_at", models.FloatField()),
                ("due_at", models.FloatField()),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("done_at", models.FloatField(null=True)),
                (
                    "guest",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="received_mails",
                        to="accounts.guest",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="HandledCommand",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("result", models.JSONField()),
                (
                    "mail",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="commands",
                        to="mail.receivedmail",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Confirmation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=80, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[("mail", "Mail"), ("submission", "Submission"), ("signup", "Sign Up")],
                        max_length=10,
                    ),
                ),
                ("data", models.JSONField(default=dict)),
                ("created_at", models.FloatField()),
                ("expires_at", models.FloatField(db_index=True)),
                ("done_at", models.FloatField(null=True)),
                (
                    "guest",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="confirmations",
                        to="accounts.guest",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="confirmations",
                        to="tables.table",
                    ),
                ),
                (
                    "mail",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="confirmations",
                        to="mail.receivedmail",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.FloatField()),
                (
                    "guest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subscriptions",
                        to="accounts.guest",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subscriptions",
                        to="tables.table",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="QueuedTurn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=400)),
                ("dropped_at", models.PositiveIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=300)),
                (
                    "seat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="queued_turn",
                        to="tables.seat",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="queued_turns",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("table"), condition=models.Q(("dropped_at", None)), name="post_queued"
                    )
                ],
            },
        ),
        migrations.AddIndex(
            model_name="receivedmail",
            index=models.Index(condition=models.Q(("state", "waiting")), fields=["due_at"], name="post_due"),
        ),
        migrations.AddIndex(
            model_name="receivedmail",
            index=models.Index(fields=["done_at"], name="post_done"),
        ),
        migrations.AddConstraint(
            model_name="handledcommand",
            constraint=models.UniqueConstraint(
                models.F("mail"), models.F("number"), name="command_once_a_mail"
            ),
        ),
        migrations.AddConstraint(
            model_name="subscription",
            constraint=models.UniqueConstraint(
                models.F("guest"), models.F("table"), name="subscription_once"
            ),
        ),
    ]
