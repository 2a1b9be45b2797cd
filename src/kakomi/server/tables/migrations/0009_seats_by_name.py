from django.db import migrations

from kakomi.server.prefixes import prefix_index


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0008_deadlines"),
    ]

    operations = [
        prefix_index("tables_seat", "name", "seats_by_name"),
    ]
