import secrets
from typing import Any

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def end_private_links(apps: Any, schema_editor: Any) -> None:
    for guest in apps.get_model("guests", "Guest").objects.exclude(user=None):
        guest.token, guest.sign_outs = secrets.token_urlsafe(16), guest.sign_outs + 1
        guest.save(update_fields=["token", "sign_outs"])


class Migration(migrations.Migration):
    dependencies = [("guests", "0005_tokens")]

    operations = [
        migrations.CreateModel(
            name="SignIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key_hash", models.CharField(max_length=64, unique=True)),
                ("data", models.TextField()),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen_at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="sign_ins",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ("-seen_at",)},
        ),
        migrations.RunPython(end_private_links, migrations.RunPython.noop),
    ]
