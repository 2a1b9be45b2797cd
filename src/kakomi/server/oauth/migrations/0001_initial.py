import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import kakomi.server.oauth.models

ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def belongs_to(model: str, name: str) -> "models.ForeignKey[models.Model, models.Model]":
    return models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name=name, to=model)


class Migration(migrations.Migration):
    initial = True

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Program",
            fields=[
                ("id", ID),
                (
                    "client_id",
                    models.CharField(
                        default=kakomi.server.oauth.models.new_client_id, max_length=40, unique=True
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("redirect_uris", models.JSONField(default=list)),
                ("created_at", models.FloatField()),
                ("owner", belongs_to(settings.AUTH_USER_MODEL, "programs")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "name"), name="program_once_a_name")
                ],
            },
        ),
        migrations.CreateModel(
            name="Grant",
            fields=[
                ("id", ID.clone()),
                ("scopes", models.JSONField(default=list)),
                ("granted_at", models.FloatField()),
                ("user", belongs_to(settings.AUTH_USER_MODEL, "grants")),
                ("program", belongs_to("oauth.program", "grants")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "program"), name="grant_once")],
            },
        ),
        migrations.CreateModel(
            name="Credential",
            fields=[
                ("id", ID.clone()),
                (
                    "kind",
                    models.CharField(choices=[("code", "Code"), ("refresh", "Refresh")], max_length=7),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("scopes", models.JSONField(default=list)),
                ("redirect_uri", models.CharField(blank=True, max_length=500)),
                ("challenge", models.CharField(blank=True, max_length=128)),
                ("expires_at", models.FloatField()),
                ("grant", belongs_to("oauth.grant", "credentials")),
            ],
        ),
    ]
