import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("tables", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Plan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("is_armed", models.BooleanField(default=False)),
                ("branches", models.JSONField(default=list)),
                ("entries", models.PositiveIntegerField(default=0)),
                ("game", models.PositiveSmallIntegerField(default=1)),
                ("ply", models.PositiveIntegerField(default=0)),
                ("end", models.JSONField(null=True)),
                ("played", models.JSONField(default=list)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "seat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="plan", to="tables.seat"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="plans", to="tables.table"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("table"), condition=models.Q(("is_armed", True)), name="plans_armed"
                    )
                ],
            },
        ),
    ]
