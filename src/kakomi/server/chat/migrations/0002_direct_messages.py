"""Messages from one person to another."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0001_initial"),
        ("guests", "0009_folded_handles"),
    ]

    operations = [
        migrations.CreateModel(
            name="DirectMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=2000)),
                ("at", models.FloatField()),
                ("read_at", models.FloatField(null=True)),
                ("is_withheld", models.BooleanField(default=False)),
                ("key", models.CharField(max_length=80, unique=True)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="direct_messages",
                        to="guests.guest",
                    ),
                ),
                (
                    "reader",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="direct_messages_to",
                        to="guests.guest",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [
                    models.Index(fields=["author", "reader", "-id"], name="direct_of_two"),
                    models.Index(fields=["author", "-at"], name="direct_of_author"),
                    models.Index(fields=["reader", "-id"], name="direct_of_reader"),
                ],
            },
        ),
    ]
