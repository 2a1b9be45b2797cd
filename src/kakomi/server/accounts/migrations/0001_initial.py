import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import kakomi.server.accounts.models
import kakomi.server.accounts.name_rules
import kakomi.server.site.database


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Guest",
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
                ("sign_outs", models.PositiveIntegerField(default=0)),
                ("name", models.CharField(blank=True, max_length=30)),
                ("confirms_turns", models.BooleanField(default=True)),
                ("shows_games", models.BooleanField(default=True)),
                ("theme", models.CharField(default="auto", max_length=5)),
                ("zone", models.CharField(blank=True, default="", max_length=60)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("seen_at", models.DateTimeField(db_index=True, editable=False, null=True)),
                (
                    "handle",
                    models.CharField(blank=True, editable=False, max_length=30, null=True, unique=True),
                ),
                (
                    "handle_folded",
                    kakomi.server.site.database.FoldedField(
                        blank=True, default="", editable=False, max_length=60, of="handle"
                    ),
                ),
                ("is_bot", models.BooleanField(default=False, editable=False)),
                ("is_erased", models.BooleanField(default=False, editable=False)),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["handle_folded"],
                        name="guests_by_folded_handle",
                        opclasses=["varchar_pattern_ops"],
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        max_length=30,
                        unique=True,
                        validators=[
                            django.contrib.auth.validators.UnicodeUsernameValidator(),
                            kakomi.server.accounts.name_rules.check_user_name,
                        ],
                    ),
                ),
                (
                    "username_folded",
                    kakomi.server.site.database.FoldedField(
                        blank=True, default="", editable=False, max_length=60, of="username"
                    ),
                ),
                (
                    "username_look",
                    kakomi.server.site.database.FoldedField(
                        blank=True,
                        by=kakomi.server.accounts.name_rules.look,
                        default="",
                        editable=False,
                        max_length=60,
                        of="username",
                    ),
                ),
                (
                    "username_small_look",
                    kakomi.server.site.database.FoldedField(
                        blank=True,
                        by=kakomi.server.accounts.name_rules.small_look,
                        default="",
                        editable=False,
                        max_length=60,
                        of="username",
                    ),
                ),
                (
                    "username_capital_look",
                    kakomi.server.site.database.FoldedField(
                        blank=True,
                        by=kakomi.server.accounts.name_rules.capital_look,
                        default="",
                        editable=False,
                        max_length=60,
                        of="username",
                    ),
                ),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("is_staff", models.BooleanField(default=False)),
                ("is_active", models.BooleanField(default=True)),
                ("date_joined", models.DateTimeField(auto_now_add=True)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bots",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
                (
                    "guest",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="user", to="accounts.guest"
                    ),
                ),
            ],
        ),
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
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_ins",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-seen_at",),
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("ending", models.CharField(max_length=4)),
                ("scopes", models.JSONField(default=list)),
                ("created_at", models.FloatField()),
                ("expires_at", models.FloatField(null=True)),
                ("used_at", models.FloatField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "name"), name="token_once_a_name")],
            },
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "blocked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocks_against",
                        to="accounts.guest",
                    ),
                ),
                (
                    "blocker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocks",
                        to="accounts.guest",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("blocker", "blocked"), name="block_once"),
                    models.CheckConstraint(
                        condition=models.Q(("blocker", models.F("blocked")), _negated=True),
                        name="block_of_somebody_else",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                fields=("username_folded",),
                name="user_once_a_name",
                violation_error_message="This name is taken.",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                fields=("username_look",),
                name="user_once_a_look",
                violation_error_message="This name is too similar to an existing one.",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                fields=("username_small_look",),
                name="user_once_a_small_look",
                violation_error_message="This name is too similar to an existing one.",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                fields=("username_capital_look",),
                name="user_once_a_capital_look",
                violation_error_message="This name is too similar to an existing one.",
            ),
        ),
    ]
