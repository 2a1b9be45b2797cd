import django.db.models.deletion
from django.db import migrations, models

import kakomi.server.accounts.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("guests", "0001_initial"),
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
                        to="guests.guest",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "calendar addresses",
            },
        ),
    ]
