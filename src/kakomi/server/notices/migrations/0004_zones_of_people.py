from typing import Any

from django.db import migrations


def give_to_people(apps: Any, _: Any) -> None:
    """Who has another zone for their rests keeps that one; UTC was nobody's choice but the default."""
    guests = apps.get_model("guests", "Guest").objects
    mailings = apps.get_model("notices", "Mailing").objects.exclude(zone="UTC")
    for guest, zone in mailings.values_list("guest", "zone"):
        guests.filter(pk=guest, zone__in=("", "UTC")).update(zone=zone)


def take_back(apps: Any, _: Any) -> None:
    mailings = apps.get_model("notices", "Mailing").objects
    for guest, zone in apps.get_model("guests", "Guest").objects.exclude(zone="").values_list("pk", "zone"):
        mailings.filter(guest=guest).update(zone=zone)


class Migration(migrations.Migration):
    dependencies = [
        ("notices", "0003_rhythm"),
        ("guests", "0007_time_zones"),
        ("rests", "0003_zones_of_people"),
    ]

    operations = [
        migrations.RunPython(give_to_people, take_back),
        migrations.RemoveField("mailing", "zone"),
    ]
