"""Which files and functions of Kakomi run for a click, for a bot's move and for a mail.

`make metrics` runs it; pytest doesn't collect it by itself.
"""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

import kakomi
from kakomi.server.accounts.models import Guest
from kakomi.server.operations.background_tasks import BackgroundTasks
from kakomi.server.tables import models
from kakomi.server.tables.services import Sitter
from server.correspondence import Postman, now
from server.correspondence_fixtures import people, postman, row
from server.table_client import Person, opened
from server.test_table_bots import Thinker, kept_until

__all__ = ["people", "postman", "row"]
SOURCE = str(Path(kakomi.__file__).parent)


@contextmanager
def walked(name: str) -> Iterator[None]:
    """Print what ran meanwhile: functions, files, and how often control returned to a file."""
    functions: set[tuple[str, str]] = set()
    files: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(SOURCE) and frame.f_code.co_name[0] != "<":
            functions.add((path, frame.f_code.co_qualname))
            if not files or files[-1] != path:
                files.append(path)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    seen = set(files)
    returns = len(files) - len(seen)
    print(f"\n{name}: {len(functions)} functions in {len(seen)} files, {returns} returns to a file")
    for path in dict.fromkeys(files):
        print("   ", path.removeprefix(SOURCE + "/"))


@pytest.mark.django_db(transaction=True)
def test_a_click() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    table = opened(ann, bob, game="ren", size=4)
    page = ann.look(table)
    ann.send(table, "touch a1", page)  # what is only made once is there now
    page = bob.look(table)
    with walked("a click"):
        bob.send(table, "touch b2", page)


@pytest.mark.django_db(transaction=True)
def test_a_move_of_a_bot() -> None:
    ann = Person("Ann")
    table = opened(ann, Sitter(bot="1"), game="ren", size=4)
    ann.do(table, "touch a1")
    with walked("a bot's move"):
        asyncio.run(kept_until(BackgroundTasks(Thinker(True)), lambda: now(table).to_act == 0))  # type: ignore[arg-type]


@pytest.mark.django_db
def test_a_mail(row: models.Table, people: list[Guest], postman: Postman) -> None:
    mails = postman.collect()
    (mail,) = [mail for mail in mails if mail["to"] == people[now(row).to_act or 0].user.email]
    text = now(row).match.position.legal()[0]
    with walked("a mail with a move"):
        postman.reply(mail, text)
