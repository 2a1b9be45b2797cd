"""Deadlines of many tables: how fast what is due is found, and 10,000 flags that fall at once beside actions.

    python -m benchmarks.due [OPEN] [DUE]

uses the database of KAKOMI_DATABASE_URL, or SQLite in a temporary folder, which it fills with tables.
"""

import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator


def main(open_tables: int = 100_000, due: int = 10_000) -> None:
    """Fill a database, and measure."""
    folder = tempfile.TemporaryDirectory()
    os.environ.setdefault("KAKOMI_DATA_DIR", folder.name)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    acted = _fill(open_tables, due)
    print(f"looking for what is due among {open_tables:,}: {1000 * _look():.2f} ms")
    alone = _actions(acted, 5.0)
    print(f"actions without flags: {_told(alone)}")
    thread = threading.Thread(target=_settle_all)
    began = time.monotonic()
    thread.start()
    beside = list(_until(thread, acted))
    print(f"{due:,} flags: {time.monotonic() - began:.1f} s; actions meanwhile: {_told(beside)}")


def _fill(open_tables: int, due: int) -> list[str]:
    """Tables over days, some of whose time is up, and others to act at; answers with the codes of these."""
    from kakomi import catalog
    from kakomi.server import clock
    from kakomi.server.accounts.models import Guest
    from kakomi.server.rests.models import Rests
    from kakomi.server.tables import models, services
    from kakomi.server.tables.services import Sitter
    from kakomi.session import MatchConfig, TimeControl

    people = [Guest.objects.create(name=name) for name in ("Ada", "Ben")]
    Rests.objects.bulk_create([Rests(guest=guest, is_automatic=False) for guest in people])
    config = MatchConfig(catalog.game("rin", size=10))
    with clock.time_from(lambda: 1.7e9):
        row = services.begin(config, [Sitter(guest) for guest in people], TimeControl(86400.0, kind="days"))
        for seat, action in ((0, "0,0"), (1, "1,1"), (1, "2,2")):
            row.refresh_from_db()
            services.add(
                row.code, [("play", action)], seat=seat, base=row.entries, key=f"k{row.entries}-{seat}"
            )
    row.refresh_from_db()
    lines = list(row.log.values("number", "key", "content"))
    for start in range(0, open_tables, 5000):
        rows = [_copy(row, is_due=start + n < due) for n in range(min(5000, open_tables - start))]
        models.Table.objects.bulk_create(rows)
        rows = list(models.Table.objects.order_by("-pk")[: len(rows)])
        models.Seat.objects.bulk_create(
            models.Seat(table=each, number=number, guest=guest, name=guest.name)
            for each in rows
            for number, guest in enumerate(people)
        )
        models.Entry.objects.bulk_create(models.Entry(table=each, **line) for each in rows for line in lines)
    row.delete()
    live = [services.begin(config, [Sitter(guest) for guest in people]) for _ in range(50)]
    return [each.code for each in live]


def _copy(row, *, is_due: bool):  # type: ignore[no-untyped-def]
    from kakomi.server.tables.models import Table, new_code

    fields = {field.attname: getattr(row, field.attname) for field in Table._meta.concrete_fields}
    del fields["id"]
    later = row.due_at if is_due else row.due_at + 1e9
    return Table(**{**fields, "code": new_code(), "due_at": later, "warn_at": None})


def _look() -> float:
    """The median time of a look, in seconds."""
    from kakomi.server.tables import jobs

    times = []
    for _ in range(20):
        began = time.perf_counter()
        jobs._due()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def _actions(codes: list[str], seconds: float) -> list[float]:
    end = time.monotonic() + seconds
    times: list[float] = []
    while time.monotonic() < end:
        times.append(_act(codes[len(times) % len(codes)]))
        time.sleep(0.02)
    return times


def _until(thread: threading.Thread, codes: list[str]) -> Iterator[float]:
    count = 0
    while thread.is_alive():
        count += 1
        yield _act(codes[count % len(codes)])
        time.sleep(0.02)


def _act(code: str) -> float:
    """The time of one action, in seconds."""
    from kakomi.server.tables import models, selectors, services

    began = time.perf_counter()
    row = models.Table.objects.get(code=code)
    table = selectors.table_of(row)
    legal = table.match.position.legal()
    if table.to_act is not None and legal:
        key = f"bench-{row.entries}"
        services.add(code, [("play", legal[0])], seat=table.to_act, base=row.entries, key=key)
    return time.perf_counter() - began


def _settle_all() -> None:
    from kakomi.server import clock
    from kakomi.server.tables import jobs, models

    while models.Table.objects.filter(due_at__lte=clock.now()).exists():
        jobs.settle_due()


def _told(times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=100)
    return f"median {1000 * cuts[49]:.1f} ms, 95th percentile {1000 * cuts[94]:.1f} ms, {len(times)} actions"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
