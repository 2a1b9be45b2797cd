from typing import Any

from django.db import migrations


def give_to_people(apps: Any, _: Any) -> None:
    """Whoever has rests has chosen their zone with them."""
    guests = apps.get_model("guests", "Guest").objects
    for guest, zone in apps.get_model("rests", "Rests").objects.values_list("guest", "zone"):
        guests.filter(pk=guest).update(zone=zone)


def take_back(apps: Any, _: Any) -> None:
    rests = apps.get_model("rests", "Rests").objects
    for guest, zone in apps.get_model("guests", "Guest").objects.exclude(zone="").values_list("pk", "zone"):
        rests.filter(guest=guest).update(zone=zone)


class Migration(migrations.Migration):
    dependencies = [
        ("rests", "0002_vacations_to_tell"),
        ("guests", "0007_time_zones"),
    ]

    operations = [
        migrations.RunPython(give_to_people, take_back),
        migrations.RemoveField("rests", "zone"),
    ]
