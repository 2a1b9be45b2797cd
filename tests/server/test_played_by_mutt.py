"""A game of Rings for three from signing up to its end: mutt behind Postfix, a program, and a bot.

`pytest tests/server/test_played_by_mutt.py` plays it, as root where Postfix and mutt are installed. With
`KAKOMI_MAILS=FOLDER` all mails to the one with mutt are kept there, to be read.
"""

import email
import email.policy
import json
import os
import random
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

import kakomi
from kakomi.core import Position
from server.clocked_site import TESTS, ClockedSite
from server.correspondence import random_turn
from server.ledgers import Kept, Ledger, in_file
from server.mail_servers import HOST, PEOPLE, Postfix
from server.mutt import Mutt
from server.sites import PATIENCE
from server.test_mail_servers import free_port

PLAY, ADA = f"play@{HOST}", f"ada@{PEOPLE}"
OPTIONS = {"size": 2, "players": 3}
OPENING = """
import django
django.setup()
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.tokens import make_token
from kakomi.server.tables.services import Sitter
from server.correspondence import begun
from server.people import make_user
bob = make_user("bob")
sitters = Sitter(Guest.objects.get(handle="ada")), Sitter(bob.guest), Sitter(bot="1", name="Level 1")
row = begun(*sitters, game="rings", options={"size": 2, "players": 3})
print(row.code, make_token(bob, "a program", ["play"])[1])
"""


class Course:
    """The site, its mail server, and who plays."""

    def __init__(self, site: ClockedSite, ledger: Ledger, mutt: Mutt) -> None:
        self.site, self.ledger, self.mutt = site, ledger, mutt
        self.chance = random.Random(5)
        self.answered: set[str] = set()

    def await_mails(self, count: int) -> EmailMessage:
        """The last mail to Ada, once there are so many; the clock goes on meanwhile."""
        self._await(lambda: len(self.mutt.mails) >= count, f"{len(self.mutt.mails)} mails, not {count}")
        return _read(self.mutt.mails[-1])

    def await_turn(self) -> EmailMessage:
        """The mail that says that it is Ada's turn, once it is there."""
        self._await(lambda: bool(self._turns()), "nobody mails Ada that it is her turn")
        mail = self._turns()[-1]
        self.answered.add(mail["Message-ID"])
        return mail

    def _turns(self) -> list[EmailMessage]:
        mails = [mail for mail in map(_read, self.mutt.mails) if "your turn" in mail["Subject"]]
        return [mail for mail in mails if mail["Message-ID"] not in self.answered]

    def await_entries(self, code: str, more_than: int) -> None:
        """Return when a table's log has grown."""
        self._await(lambda: self.ledger.table(code).columns["entries"] > more_than, f"{code} goes not on")

    def _await(self, is_so: Callable[[], bool], says: str) -> None:
        until = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < until, f"{says}: {self.site.errors}"
            self.site.skip(5)
            time.sleep(0.2)


def _read(path: Path) -> EmailMessage:
    mail: EmailMessage = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)  # type: ignore[assignment]
    return mail


def position_of(kept: Kept) -> Position:
    """The position after a log of turns alone."""
    position = kakomi.game("rings", **OPTIONS).start()
    for _, _, content in kept.log:
        assert content["do"] in ("play", "seated"), content
        if content["do"] == "play":
            position = position.play(content["value"])
    return position


@pytest.mark.slow
def test_rings_for_three_by_mutt_by_a_program_and_by_a_bot(tmp_path: Path) -> None:
    if why := Postfix.why_missing():
        pytest.skip(why)
    if not Mutt.is_there():
        pytest.skip("no mutt here")
    for folder in (tmp_path, *tmp_path.parents):
        if str(folder).startswith("/tmp/"):
            folder.chmod(0o755)
    postfix = Postfix(tmp_path / "postfix", free_port(), free_port())
    environment = {
        "KAKOMI_MAIL_URL": f"smtp://127.0.0.1:{postfix.port}",
        "KAKOMI_POST_ADDRESS": PLAY,
        "KAKOMI_POST_LMTP": f"127.0.0.1:{postfix.lmtp_port}",
        "KAKOMI_HOSTS": HOST,
    }
    mutt = Mutt(tmp_path / "mutt", "Ada", ADA, postfix.mailboxes / "ada", postfix.port)
    with in_file(tmp_path) as ledger:
        site = ClockedSite(tmp_path, {**environment, "KAKOMI_DATABASE_URL": ledger.url})
        try:
            postfix.start()
            site.start()
            _play(Course(site, ledger, mutt), {**environment, "KAKOMI_DATABASE_URL": ledger.url})
        finally:
            site.kill()
            postfix.stop()
            if kept := os.environ.get("KAKOMI_MAILS"):
                shutil.copytree(postfix.mailboxes, kept, dirs_exist_ok=True)


def _play(course: Course, environment: dict[str, str]) -> None:
    mutt, ledger = course.mutt, course.ledger
    mutt.write(PLAY, "signup ada")
    asked = course.await_mails(1)
    assert "confirm" in asked.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    mutt.reply("confirm", asked["Message-ID"])
    assert "Welcome, ada" in course.await_mails(2).get_body(("plain",)).get_content()  # type: ignore[union-attr]
    code, token = _opened(course.site, environment)
    turns = 0
    while not (kept := ledger.table(code)).columns["is_over"]:
        entries = kept.columns["entries"]
        match kept.columns["to_act"]:
            case 0:
                mail = course.await_turn()
                turn = random_turn(position_of(kept), course.chance)
                mutt.reply(" ".join(turn) + "\n\nYour move!", mail["Message-ID"])
                turns += 1
            case 1:
                turn = random_turn(position_of(kept), course.chance)
                _act(course.site.port, code, token, " ".join(turn), entries)
        course.await_entries(code, entries)
        course.site.skip(30)
    assert turns > 2
    while "over" not in (last := course.await_mails(len(mutt.mails)))["Subject"]:
        course.await_mails(len(mutt.mails) + 1)
    assert last["List-Unsubscribe"] and last["References"] and last["Auto-Submitted"]


def _opened(site: ClockedSite, environment: dict[str, str]) -> list[str]:
    """A table with Ada, a program's person, and a bot: its code, and the program's token."""
    given = {**os.environ, **environment, "KAKOMI_DATA_DIR": str(site.folder), "PYTHONPATH": str(TESTS)}
    given["DJANGO_SETTINGS_MODULE"] = "kakomi.server.settings"
    done = subprocess.run([sys.executable, "-c", OPENING], env=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def _act(port: int, code: str, token: str, turn: str, base: int) -> None:
    said = {"kind": "play", "value": turn, "base": base, "key": f"turn-of-bob-{base}"}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/tables/{code}/acts",
        json.dumps(said).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        assert answer.status == 200
