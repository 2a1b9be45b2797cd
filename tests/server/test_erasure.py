"""Erasure and the archive: all of a person's data is deleted, or included, and their games stay."""

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any, cast

import pytest
from asgiref.sync import async_to_sync
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core import serializers
from django.core.mail import send_mail
from django.db.models import PROTECT
from django.test import Client

from kakomi import catalog
from kakomi.server.accounts import tokens
from kakomi.server.accounts.models import ApiToken, Block, Guest, User
from kakomi.server.accounts.selectors import KEPT, models_of_people
from kakomi.server.accounts.services import block, make_bot
from kakomi.server.analysis import services as studies
from kakomi.server.analysis.models import Study
from kakomi.server.analysis.selectors import record_at_table
from kakomi.server.notices.models import Delivery
from kakomi.server.operations.backups.backup import write
from kakomi.server.people.erasure import erase
from kakomi.server.people.export import archive
from kakomi.server.rules.models import CompletedLesson
from kakomi.server.site.database import fold
from kakomi.server.tables import models, receivers, selectors
from kakomi.server.tables import services as tables
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig
from server.people import make_user, signed_in

pytestmark = pytest.mark.django_db

NAME, HANDLE, MAIL = "Ada Lovelace", "countess", "ada@analytical.example"


def dumped() -> str:
    """All rows of the database, serialized."""
    return "".join(
        serializers.serialize("jsonl", model._default_manager.all(), ensure_ascii=False)
        for model in apps.get_models()
    )


def table_of(*guests: Guest | None, game: str = "rin", **options: int) -> models.Table:
    config = MatchConfig(catalog.game(game, **(options or {"size": 4})))
    return tables.begin(config, [Sitter(guest, name=guest.name) if guest else Sitter() for guest in guests])


def played(row: models.Table, *actions: str) -> models.Table:
    for text in actions:
        row.refresh_from_db()
        seat, base = selectors.table_of(row).to_act, row.entries
        row = tables.add(row.code, [("play", text)], seat=seat, base=base, key=f"play-{base}").row
    return row


@pytest.fixture
def ada(settings: Any) -> User:
    """A person about whom every app has data."""
    settings.EMAIL_BACKEND = "kakomi.server.notices.mail.OutboxBackend"
    user = make_user(HANDLE, NAME, email=MAIL)
    ada, bob = user.guest, make_user("bob").guest
    tokens.make_token(user, f"laptop of {NAME}", ["read"])
    block(ada, bob)
    block(bob, ada)
    make_bot(user, f"{HANDLE}-bot")
    CompletedLesson.objects.create(guest=ada, game="rin", lesson="first")
    row = played(table_of(ada, bob), "1,1", "2,2", "0,1", "3,3")
    theirs = studies.create(bob, record_at_table(row, 0), table=row)
    theirs.revisions.create(version=0, record=theirs.record)
    studies.create(ada, record_at_table(row, 0), title=f"{NAME}’s best", table=row)
    send_mail("Welcome", f"Dear {NAME}", "site@localhost", [MAIL])
    send_mail("Your turn", f"{NAME} has played", "site@localhost", ["bob@example.org"])
    kind = ContentType.objects.get_for_model(Guest)
    staff = make_user("staff", is_staff=True)
    LogEntry.objects.create(
        user=staff, content_type=kind, object_id=str(ada.pk), object_repr=NAME, action_flag=CHANGE
    )
    return user


def test_no_name_is_left_anywhere(ada: User, tmp_path: Path) -> None:
    before = dumped()
    assert all(name in before for name in (NAME, HANDLE, MAIL))
    erase(ada.guest)
    after = dumped()
    gone = (NAME, HANDLE, MAIL, fold(NAME), fold(HANDLE))
    assert not [line for line in after.splitlines() if any(name in line for name in gone)]
    write(tmp_path / "next.jsonl.gz", lambda done, total: None)
    backup = gzip.decompress((tmp_path / "next.jsonl.gz").read_bytes()).decode()
    assert not any(name in backup for name in (NAME, HANDLE, MAIL))
    assert "Bob" in after and Study.objects.count() == 1
    assert Delivery.objects.get().content["text"] == "deleted player has played"


def test_what_points_to_people_either_stays_or_can_go() -> None:
    """A model with a protected reference to people must be listed in `KEPT`."""
    for model, names in models_of_people():
        if model._meta.label_lower not in KEPT:
            fields = [cast(Any, model._meta.get_field(name)) for name in names]
            assert not [field for field in fields if field.remote_field.on_delete is PROTECT], model


def test_games_stay_under_deleted_player(ada: User, client: Client) -> None:
    row = models.Table.objects.get()
    log = list(row.log.values_list("content", flat=True))
    selectors.table_of(row)  # caches the table with the name, as other processes do
    erase(ada.guest)
    row.refresh_from_db()
    assert list(row.log.values_list("content", flat=True))[: len(log)] == log
    page = client.get(f"/table/{row.code}").content.decode()
    assert "deleted player" in page and "Nobody yet" not in page and NAME not in page
    record = client.get(f"/api/v1/tables/{row.code}/record").json()
    assert [seat["name"] for seat in record["seats"]] == ["deleted player", "Bob"]
    seat = row.seats.get(number=0)
    assert client.get(f"/join/{seat.invitation}").status_code == 409
    assert not tables.sit_down(seat, Guest.objects.create())
    assert client.get(f"/@{HANDLE}").status_code == 404


def test_a_running_game_is_given_up(ada: User) -> None:
    row = models.Table.objects.get()
    erase(ada.guest)
    row.refresh_from_db()
    assert row.is_over and list(row.seats.values_list("share", flat=True)) == [0.0, 1.0]
    entries = row.entries
    receivers.leave_tables()
    row.refresh_from_db()
    assert row.entries == entries


def test_who_dies_in_between_is_finished_by_the_job(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(receivers, "leave_tables", lambda: None)
        erase(ada.guest)
    row = models.Table.objects.get()
    assert not row.is_over
    receivers.leave_tables()
    row.refresh_from_db()
    assert row.is_over


def test_a_table_of_many_goes_on_without_who_was_erased() -> None:
    ada, *others = (make_user(name).guest for name in (HANDLE, "bob", "cleo"))
    row = table_of(ada, *others, game="rings", size=2, players=3)
    played(row, selectors.table_of(row).match.position.legal()[0])
    erase(ada)
    row.refresh_from_db()
    assert not row.is_over and 0 in selectors.table_of(row).match.current_game.resigned_seats


def test_what_nobody_has_begun_is_removed_or_open_again() -> None:
    ada, bob = make_user(HANDLE).guest, make_user("bob").guest
    alone = table_of(ada, None)
    hosted = table_of(bob, ada, None, game="rings", size=2, players=3)
    erase(ada)
    assert not models.Table.objects.filter(pk=alone.pk).exists()
    assert hosted.seats.get(number=1).is_free


def test_bots_go_with_their_owner(ada: User) -> None:
    erase(ada.guest)
    assert set(User.objects.values_list("username", flat=True)) == {"bob", "staff"}
    assert not ApiToken.objects.exists() and not Block.objects.exists()
    assert Guest.objects.filter(is_erased=True, is_bot=True).exists()


def unpacked(pieces: Any) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as file:
        assert file.testzip() is None
        return {name: file.read(name) for name in file.namelist()}


def streamed(response: Any) -> list[bytes]:
    async def read() -> list[bytes]:
        return [piece async for piece in response.streaming_content]

    return async_to_sync(read)()


def test_the_archive_has_all_that_is_theirs(ada: User) -> None:
    files = unpacked(archive(ada.guest))
    code = models.Table.objects.get().code
    assert json.loads(files["profile.json"])["accounts"][0]["username"] == HANDLE
    assert json.loads(files["games.json"])[0]["players"] == [NAME, "Bob"]
    assert json.loads(files[f"games/{code}-1.json"])["game"] == "rin"
    assert len([name for name in files if name.startswith("studies/")]) == 1
    more = {name.removeprefix("more/") for name in files if name.startswith("more/")}
    assert more >= {"accounts.apitoken.json", "accounts.block.json", "rules.completedlesson.json"}
    assert len(json.loads(files["more/accounts.block.json"])) == 1  # without blocks by others
    whole = b"".join(files.values()).decode()
    assert ApiToken.objects.get().digest not in whole and ada.guest.token not in whole
    assert models.Seat.objects.first().invitation not in whole


def test_the_page_gives_the_archive_and_erases_after_a_password(ada: User) -> None:
    ada.set_password("a long enough password")
    ada.save()
    client = signed_in(ada)
    page = client.get("/me/data").content.decode()
    assert "This resigns 1 game in progress" in page and 'type="password"' in page
    files = unpacked(streamed(client.get("/me/data/archive")))
    assert "games.json" in files
    assert client.post("/me/data", {"password": "wrong"}).status_code == 422
    assert Guest.objects.get(pk=ada.guest_id).name == NAME
    answer = client.post("/me/data", {"password": "a long enough password"})
    assert "Your account has been deleted" in answer.content.decode()
    assert NAME not in dumped() and NAME not in client.get("/me").content.decode()


def test_a_guest_without_an_account_is_erased_after_two_words(client: Client) -> None:
    client.post("/me/preferences", {"name": NAME})
    assert client.post("/me/data", {}).status_code == 422
    assert client.post("/me/data", {"confirmation": "Delete me"}).status_code == 200
    assert NAME not in dumped()


def test_a_program_needs_a_scope_for_the_archive(ada: User) -> None:
    for scope, status in (("read", 403), ("account", 200)):
        text = tokens.make_token(ada, scope, [scope])[1]
        answer = Client().get("/api/v1/me/archive", headers={"Authorization": f"Bearer {text}"})
        assert answer.status_code == status
