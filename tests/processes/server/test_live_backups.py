"""Backups of a site in use, restored there and elsewhere, through the program itself."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.migrated import file_with_tables
from server.sql.test_backups import environment, lines, program, rows

SITE = '''
"""Plays at tables for ever, as a busy site does; says "ready" once there is something to keep."""
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "kakomi.server.settings"
from kakomi.server.running import prepare_database
prepare_database()
from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.services import Sitter
from kakomi.session import Refused, MatchConfig

game = catalog.game("ren", size=4)
played = 0
while True:
    guest = Guest.objects.create(name=f"Guest of game {played}")
    row = services.begin(MatchConfig(game), [Sitter(guest)] * 2)
    for number in range(6):
        try:
            table = selectors.table_of(row)
            legal = table.match.position.legal()
            deed = [("play", legal[number])]
            row, _ = services.add(row.code, deed, seat=table.to_act, base=row.entries, key=f"entry-{number}")
        except (Refused, models.Table.DoesNotExist):  # the site was restored meanwhile
            break
    played += 1
    if played == 5:
        print("ready", flush=True)
'''


@contextmanager
def played_on(folder: Path) -> Iterator[None]:
    """Run a site whose database is written to."""
    folder.mkdir(exist_ok=True)
    file_with_tables(folder / "site.sqlite3")
    command = [sys.executable, "-c", SITE]
    with subprocess.Popen(command, env=environment(folder), stdout=subprocess.PIPE, text=True) as site:
        assert site.stdout is not None
        assert site.stdout.readline() == "ready\n"
        try:
            yield
            assert site.poll() is None, "the site fell over meanwhile"
        finally:
            site.kill()


def test_a_backup_holds_one_moment_of_a_site_that_goes_on(tmp_path: Path) -> None:
    folder, kept = tmp_path / "site", tmp_path / "kept.gz"
    with played_on(folder):
        for _ in range(2):
            program(folder, "backup", "--force", str(kept))
            logs = Counter(entry["fields"]["table"] for entry in rows(kept, "tables.entry"))
            tables = rows(kept, "tables.table")
            assert len(tables) >= 5
            assert {row["pk"]: row["fields"]["entries"] for row in tables if row["fields"]["entries"]} == logs


def test_a_site_is_restored_while_it_is_played_on(tmp_path: Path) -> None:
    folder, kept, later = tmp_path / "site", tmp_path / "kept.gz", tmp_path / "later.gz"
    with played_on(folder):
        program(folder, "backup", str(kept))
        said = program(folder, "restore", "--yes", str(kept))
    before = Path(said.rpartition(" is saved in ")[2].strip())
    program(folder, "backup", str(later))
    restored, there = numbers(kept), numbers(later)
    assert restored <= there
    assert not (numbers(before) - restored) & there, (
        "a browser whose guest is gone would pass for another one"
    )


def numbers(path: Path) -> set[int]:
    """The primary keys of the guests in a backup."""
    return {row["pk"] for row in rows(path, "accounts.guest")}


def test_a_site_moves_to_another_machine_with_its_key(tmp_path: Path) -> None:
    here, there, kept, again = (tmp_path / name for name in ("here", "there", "kept.gz", "again.gz"))
    with played_on(here):
        program(here, "backup", str(kept))
    program(there, "restore", "--yes", str(kept))
    program(there, "backup", str(again))
    assert lines(again)[1:] == lines(kept)[1:]
    assert (there / "secret.key").read_text() == (here / "secret.key").read_text()
