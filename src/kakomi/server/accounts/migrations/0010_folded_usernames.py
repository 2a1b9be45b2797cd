from django.db import migrations, models

from kakomi.server.prefixes import FoldedField, fold_rows, tell_apart


class Migration(migrations.Migration):
    dependencies = [
        ("guests", "0009_folded_handles"),
    ]

    operations = [
        migrations.AddField(
            "user",
            "username_folded",
            FoldedField(of="username", blank=True, default="", editable=False, max_length=60),
        ),
        fold_rows("guests", "User", "username"),
        tell_apart("guests", "User", "username_folded"),
        migrations.RemoveConstraint("user", "user_once_a_name"),
        migrations.AddConstraint(
            "user",
            models.UniqueConstraint(
                fields=["username_folded"],
                name="user_once_a_name",
                violation_error_message="Somebody signs in with this name already.",
            ),
        ),
    ]
