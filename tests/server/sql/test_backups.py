"""Backups: what they hold, what comes back, and what is refused."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.db import OperationalError

from kakomi import catalog
from kakomi.cli.site import opened_site
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.services import add_staff
from kakomi.server.operations import backups
from kakomi.server.operations.backups import BackupError, manifest
from kakomi.server.rules.models import CompletedLesson
from kakomi.server.rules.services import complete_lesson
from kakomi.server.site.configuration import configuration
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig
from server.passkeys import Passkey, add_passkey, sign_in_by
from server.test_second_step import add_app, browser, code_of, forget_used_codes
from server.test_sign_in import sign_in, sign_up, user_of


def environment(folder: Path) -> dict[str, str]:
    """For a site of its own, on SQLite."""
    return {**os.environ, "KAKOMI_DATA_DIR": str(folder), "KAKOMI_DATABASE_URL": "", "KAKOMI_SECRET_KEY": ""}


def program(folder: Path, *words: str, expect: int = 0) -> str:
    """What `kakomi` says, on both channels."""
    done = subprocess.run(
        [sys.executable, "-m", "kakomi", *words],
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == expect, done.stderr
    return done.stdout + done.stderr


def lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def rows(path: Path, model: str) -> list[dict[str, Any]]:
    return [row for row in lines(path)[1:] if row["model"] == model]


def but_news(path: Path) -> list[dict[str, Any]]:
    """What has to come back exactly: all but how often pages were told to look again."""
    found = lines(path)[1:]
    for row in found:
        row["fields"].pop("news", None)
    return found


def silent(done: int, total: int) -> None:
    assert 0 < done <= total


def test_where_no_site_is_there_is_nothing_to_keep(tmp_path: Path) -> None:
    assert "there is no site yet" in program(tmp_path / "empty", "backup", str(tmp_path / "x.gz"), expect=1)
    assert not (tmp_path / "x.gz").exists()


def test_nothing_is_replaced_without_a_yes(tmp_path: Path) -> None:
    (tmp_path / "kept.gz").touch()
    assert "Continue?" in program(tmp_path / "site", "restore", str(tmp_path / "kept.gz"), expect=130)
    assert not (tmp_path / "site").exists()


@pytest.fixture
def kept(transactional_db: None, tmp_path: Path) -> Path:
    """A backup of this process's site: a table, its guest, and a lesson of theirs."""
    guest = Guest.objects.create(name="Ada")
    row = services.begin(MatchConfig(catalog.game("ren", size=4)), [Sitter(guest)] * 2)
    for number, text in enumerate(("a1", "b2", "c3")):
        row, _ = services.add(row.code, [("play", text)], seat=number % 2, base=number, key=f"entry-{number}")
    complete_lesson(guest, "ren", "row")
    backups.back_up(tmp_path / "kept.gz", silent)
    return tmp_path / "kept.gz"


def test_all_comes_back_to_the_last_digit(kept: Path, tmp_path: Path) -> None:
    models.Table.objects.update(is_over=True)
    CompletedLesson.objects.all().delete()
    Guest.objects.create(name="Eve")
    header, before = backups.restore(kept, silent)
    assert header.games == 1 and len(rows(before, "accounts.guest")) == 2
    backups.back_up(tmp_path / "again.gz", silent)
    assert but_news(tmp_path / "again.gz") == but_news(kept)
    assert selectors.table_of(models.Table.objects.get()).entries == 3
    assert CompletedLesson.objects.get().lesson == "row"


def test_who_signs_in_comes_back_with_their_rights(transactional_db: None, tmp_path: Path) -> None:
    renaming = Permission.objects.get(codename="change_guest")
    helpers = Group.objects.create(name="helpers")
    helpers.permissions.add(renaming)
    ada = add_staff("Ada", "boards of many stones")
    ada.groups.add(helpers)
    ada.user_permissions.add(renaming)
    LogEntry.objects.create(user=ada, content_type=renaming.content_type, action_flag=CHANGE, object_repr="x")
    backups.back_up(tmp_path / "kept.gz", silent)
    (row,) = rows(tmp_path / "kept.gz", "accounts.user")
    assert row["fields"]["user_permissions"] == [["change_guest", "accounts", "guest"]], (
        "numbers differ elsewhere"
    )

    ada.groups.clear()
    add_staff("Eve", "boards of many stones").groups.add(helpers)
    backups.restore(tmp_path / "kept.gz", silent)
    (back,) = User.objects.all()
    assert back.check_password("boards of many stones") and back.guest == ada.guest
    assert list(back.groups.all()) == [helpers] and list(helpers.permissions.all()) == [renaming]
    assert list(back.user_permissions.all()) == [renaming]
    (entry,) = LogEntry.objects.all()
    assert entry.user == back and entry.content_type == renaming.content_type


def test_who_signs_in_does_so_by_the_same_means_afterwards(transactional_db: None, tmp_path: Path) -> None:
    here, signed_out, passkey = browser(), browser(), Passkey()
    sign_up(here, email="ada@example.org")
    secret = add_app(here)
    add_passkey(here, passkey)
    sign_in_by(signed_out, passkey)
    backups.back_up(tmp_path / "kept.gz", silent)
    here.post("/me/browsers", {"number": "all"})
    Authenticator.objects.all().delete()
    EmailAddress.objects.all().delete()
    backups.restore(tmp_path / "kept.gz", silent)
    assert EmailAddress.objects.get().email == "ada@example.org"
    assert user_of(here) == "ada" and user_of(signed_out) is None
    by_passkey, by_app = browser(), browser()
    sign_in_by(by_passkey, passkey)
    forget_used_codes()
    sign_in(by_app, "ada@example.org")
    by_app.post("/account/sign-in/second", {"code": code_of(secret)})
    assert user_of(by_passkey) == user_of(by_app) == "ada"


def test_open_pages_are_told_to_look_again(kept: Path) -> None:
    news = models.Table.objects.get().news
    backups.restore(kept, silent)
    assert models.Table.objects.get().news > news


def test_a_number_given_since_is_given_to_nobody_else(kept: Path) -> None:
    gone = Guest.objects.create(name="Eve").pk
    backups.restore(kept, silent)
    assert Guest.objects.create(name="Mallory").pk > gone


def test_a_backup_is_for_its_owner_alone(kept: Path) -> None:
    assert kept.stat().st_mode & 0o077 == 0
    assert backups.unused("kakomi").parent == configuration().folder / "backups"
    assert [path.name for path in kept.parent.iterdir()] == ["kept.gz"]


def test_a_file_is_not_overwritten_by_accident(kept: Path) -> None:
    kept.write_text("something else")
    with pytest.raises(BackupError, match=r"kept.gz exists already: .* --force"):
        backups.back_up(kept, silent)
    assert kept.read_text() == "something else"
    backups.back_up(kept, silent, replace=True)
    assert rows(kept, "tables.table")


def rewritten(path: Path, **header: object) -> None:
    """Let a backup's header say something else."""
    first, *others = lines(path)
    write(path, [{**first, **header}, *others])


def write(path: Path, content: list[dict[str, Any]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in content)


def spoil(path: Path, damage: str) -> None:
    first, *others = lines(path)
    match damage:
        case "cut off":
            path.write_bytes(path.read_bytes()[:-40])
        case "a row less":
            write(path, [first, *others[:-1]])
        case "no backup":
            path.write_text("Dear diary\n")
        case "other lines":
            write(path, [{"dear": "diary"}])
        case "a newer site":
            rewritten(path, migrations=[*first["migrations"], "tables.9999_later"], made_by="99.0")
        case "a later format":
            rewritten(path, kakomi_backup=2)
        case "nonsense":
            others[-1]["fields"]["guest"] = "many"
            write(path, [first, *others])


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("cut off", "damaged"),
        ("a row less", "damaged: it should have 8 rows"),
        ("no backup", "no backup of Kakomi"),
        ("other lines", "no backup of Kakomi"),
        ("a newer site", r"newer Kakomi \(99.0; .* doesn't know tables.9999_later\): update first"),
        ("a later format", "format 2"),
        ("nonsense", "a row that makes no sense"),
    ],
)
def test_what_can_not_be_restored_changes_nothing(kept: Path, tmp_path: Path, damage: str, told: str) -> None:
    before = lines(kept)[1:]
    spoil(kept, damage)
    with pytest.raises(BackupError, match=told):
        backups.restore(kept, silent)
    backups.back_up(tmp_path / "after.gz", silent)
    assert lines(tmp_path / "after.gz")[1:] == before


def test_a_database_that_cannot_be_reached_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OperationalError("nobody listens at that address")

    monkeypatch.setattr("kakomi.server.running.prepare_database", fail)
    monkeypatch.setattr("kakomi.server.operations.backups.backup.expect_current", fail)
    for prepare, said in ((True, "the database .* can't be used: nobody"), (False, "can't be read: nobody")):
        with pytest.raises(click.ClickException, match=said), opened_site(prepare=prepare) as site:
            site.back_up(tmp_path / "a-backup", lambda done, total: None)
    assert not list(tmp_path.iterdir())


def test_a_site_of_an_older_version_is_started_once_first(monkeypatch: pytest.MonkeyPatch) -> None:
    loader = SimpleNamespace(
        applied_migrations={("tables", "0001"): None}, disk_migrations={("tables", "0002"): None}
    )
    monkeypatch.setattr(manifest, "MigrationLoader", lambda _: loader)
    with pytest.raises(BackupError, match="older version than this program: start the site once first"):
        manifest.expect_current()
    loader.applied_migrations = {}
    with pytest.raises(BackupError, match="there is no site yet in"):
        manifest.expect_current()
