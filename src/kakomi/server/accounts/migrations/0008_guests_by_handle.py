from django.db import migrations

from kakomi.server.prefixes import prefix_index


class Migration(migrations.Migration):
    dependencies = [
        ("guests", "0007_time_zones"),
    ]

    operations = [
        prefix_index("guests_guest", "handle", "guests_by_handle"),
    ]
