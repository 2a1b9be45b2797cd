"""Games of Rings for three: with mutt behind Postfix, a player on the page and a bot; and with three by mutt.

`pytest tests/browser/test_played_by_mutt.py` plays them as root, if Postfix and mutt are installed. With
`KAKOMI_MAILS=FOLDER` all mails to mutt are stored there, and with `KAKOMI_PICTURES=FOLDER` screenshots of the
page.
"""

import email
import email.policy
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path

import pytest

import kakomi
from browser.accounts import sign_up
from browser.camera import photograph
from browser.conftest import Invite
from browser.sitting import Sitting
from browser.visitor import Visitor, expect
from kakomi.core import Position
from processes.server.test_mail_servers import free_port
from server.clocked_site import TESTS, ClockedSite
from server.correspondence import random_turn
from server.ledgers import Kept, Ledger, in_file
from server.mail_servers import HOST, NAMES, PEOPLE, Postfix
from server.mutt import Mutt
from server.sites import PATIENCE
from waiting import until

PLAY, ADA = f"play@{HOST}", f"ada@{PEOPLE}"
OPTIONS = {"size": 2, "players": 3}
OPENING = """
import django
django.setup()
from kakomi.server.accounts.models import Guest
from kakomi.server.tables.services import Sitter
from server.correspondence import begun
ada, bob = (Sitter(Guest.objects.get(handle=name)) for name in ("ada", "bob"))
sitters = ada, bob, Sitter(bot="1", name="Level 1")
row = begun(*sitters, game="rings", options={"size": 2, "players": 3})
print(row.code)
"""
OPENING_OF_THREE = """
import django
django.setup()
from kakomi.server.tables.services import Sitter
from server.correspondence import begun, correspondent
sitters = (Sitter(correspondent(name)) for name in ("ada", "bob", "cyd"))
print(begun(*sitters, game="rings", options={"size": 2, "players": 3}).code)
"""
VACATION = """
import django
django.setup()
from kakomi.server.site import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.tables.vacations import take_vacation
with clock.time_from(lambda: NOW):
    take_vacation(Guest.objects.get(handle="cyd"), NOW, NOW + 10 * 86400)
"""


class Correspondence:
    """The site, its mail server, and a player by mail."""

    def __init__(self, site: ClockedSite, ledger: Ledger, mutt: Mutt) -> None:
        self.site, self.ledger, self.mutt = site, ledger, mutt
        self.chance = random.Random(5)
        self.answered: set[str] = set()

    def await_mails(self, count: int) -> EmailMessage:
        """Wait until Ada has `count` mails, while the clock runs, and return the last one."""
        self._await(lambda: len(self.mutt.mails) >= count, f"{len(self.mutt.mails)} mails, not {count}")
        return _read(self.mutt.mails[-1])

    def await_turn(self) -> EmailMessage:
        """Wait for the mail that says that it is Ada's turn."""
        self._await(lambda: bool(self._turns()), "nobody mails Ada that it is her turn")
        mail = self._turns()[-1]
        self.answered.add(mail["Message-ID"])
        return mail

    def _turns(self) -> list[EmailMessage]:
        mails = [mail for mail in map(_read, self.mutt.mails) if "your turn" in mail["Subject"]]
        return [mail for mail in mails if mail["Message-ID"] not in self.answered]

    def await_words(self, *words: str) -> EmailMessage:
        """Wait for an unanswered mail with all of these words in its subject or text."""
        self._await(lambda: bool(self._with(words)), f"nobody mails {words}")
        mail = self._with(words)[-1]
        self.answered.add(mail["Message-ID"])
        return mail

    def _with(self, words: Sequence[str]) -> list[EmailMessage]:
        mails = [mail for mail in map(_read, self.mutt.mails) if mail["Message-ID"] not in self.answered]
        return [mail for mail in mails if all(word in f"{mail['Subject']} {_text(mail)}" for word in words)]

    def await_entries(self, code: str, more_than: int) -> None:
        """Wait until a table's log has grown."""
        self._await(lambda: self.ledger.table(code).columns["entries"] > more_than, f"{code} goes not on")

    def _await(self, is_so: Callable[[], bool], says: str) -> None:
        def is_so_by_now() -> bool:
            self.site.skip(5)
            return is_so()

        until(is_so_by_now, f"{says}: {self.site.errors}", PATIENCE)


def _read(path: Path) -> EmailMessage:
    mail: EmailMessage = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)  # type: ignore[assignment]
    return mail


def _text(mail: EmailMessage) -> str:
    """A mail's text on one line."""
    return " ".join(mail.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]


def position_of(kept: Kept) -> Position:
    """The position after a log that contains only turns and vacations."""
    position = kakomi.game("rings", **OPTIONS).start()
    for _, _, content in kept.log:
        assert content["do"] in ("play", "seated", "rest"), content
        if content["do"] == "play":
            position = position.play(content["value"])
    return position


@contextmanager
def _served(tmp_path: Path) -> Iterator[tuple[ClockedSite, Ledger, Postfix, dict[str, str]]]:
    """A site that receives mail through Postfix, and its settings."""
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
        "KAKOMI_MAIL_IN_ADDRESS": PLAY,
        "KAKOMI_MAIL_IN_LMTP": f"127.0.0.1:{postfix.lmtp_port}",
        "KAKOMI_HOSTS": f"{HOST},localhost",
    }
    with in_file(tmp_path) as ledger:
        environment["KAKOMI_DATABASE_URL"] = ledger.url
        site = ClockedSite(tmp_path, environment)
        try:
            postfix.start()
            site.start()
            yield site, ledger, postfix, environment
        finally:
            site.kill()
            postfix.stop()
            if kept := os.environ.get("KAKOMI_MAILS"):
                shutil.copytree(postfix.mailboxes, kept, dirs_exist_ok=True)


def test_rings_for_three_by_mutt_on_the_page_and_by_a_bot(tmp_path: Path, visit: Invite) -> None:
    with _served(tmp_path) as (site, ledger, postfix, environment):
        mutt = Mutt(tmp_path / "mutt", "Ada", ADA, postfix.mailboxes / "ada", postfix.port)
        bob = visit(home=f"http://localhost:{site.port}")
        sign_up(bob, "bob")
        _play(Correspondence(site, ledger, mutt), bob, environment)
        bob.page.close()  # an open page keeps its connection to the site


def test_rings_for_three_by_mutt_with_remarks_a_reminder_and_a_vacation(tmp_path: Path) -> None:
    with _served(tmp_path) as (site, ledger, postfix, environment):
        people = [
            Correspondence(
                site,
                ledger,
                Mutt(
                    tmp_path / name,
                    name.title(),
                    f"{name}@{PEOPLE}",
                    postfix.mailboxes / name,
                    postfix.port,
                ),
            )
            for name in NAMES
        ]
        code = _run(OPENING_OF_THREE, site, environment)
        _play_by_mutt(people, code, environment)
        for person in people:
            person.await_words("Rings board ", ": over")


def _play_by_mutt(people: Sequence[Correspondence], code: str, environment: Mapping[str, str]) -> None:
    """Every mail contains a remark, and each player gets all remarks since their last turn.

    The fourth turn answers a reminder, the sixth the mail about the end of a vacation; then two resign.
    """
    site, ledger, said = people[0].site, people[0].ledger, list[tuple[int, str]]()
    for number in range(7):
        seat = number % 3
        mail = people[seat].await_words(f"#{number}: your turn")
        own = [place for place, (who, _) in enumerate(said) if who == seat]
        heard = said[own[-1] + 1 if own else 0 :]
        assert all(remark in _text(mail) for _, remark in heard), (heard, _text(mail))
        if number == 3:
            site.skip(25 * 3600)
            mail = people[seat].await_words("Reminder: Rings", "Still your turn", "Deadline:")
        if number == 5:
            _run(VACATION.replace("NOW", str(site.now())), site, environment)
            for other in range(2):
                told = people[other].await_words("Cyd is on vacation until", "Deadline:")
                said.append((other, f"A good rest wishes {other}."))
                people[other].mutt.reply(said[-1][1], told["Message-ID"])
                people[other].await_words("Your message was added to the game chat")
            site.skip(10 * 86_400)
            mail = people[seat].await_words("Your vacation has ended", said[-1][1], said[-2][1])
        kept = ledger.table(code)
        turn = random_turn(position_of(kept), people[0].chance)
        said.append((seat, f"This is remark {number}, of {NAMES[seat]}."))
        people[seat].mutt.reply(f"{' '.join(turn)}\n\n{said[-1][1]}", mail["Message-ID"])
        people[seat].await_entries(code, kept.columns["entries"])
        site.skip(30)
    last = people[1].await_words("#7: your turn")
    people[1].mutt.reply("resign\n\nThat was fun.", last["Message-ID"])
    heard_of = ("continues without one player. Bob resigned.", "That was fun.")
    people[0].await_words("Cyd to move", *heard_of)
    last = people[2].await_words(": your turn", *heard_of)
    people[2].mutt.reply("resign", last["Message-ID"])


def _play(course: Correspondence, bob: Visitor, environment: dict[str, str]) -> None:
    _sign_up_by_mail(course)
    code = _run(OPENING, course.site, environment)
    bob.page.goto(f"/table/{code}")
    sitting, turns = Sitting(bob), 0
    while not (kept := course.ledger.table(code)).columns["is_over"]:
        entries = kept.columns["entries"]
        match kept.columns["to_act"]:
            case 0:
                _answer_by_mail(course, kept)
                turns += 1
            case 1:
                _play_on_the_page(sitting, course.chance)
                photograph(bob, f"mutt-{entries:02}")
        course.await_entries(code, entries)
        course.site.skip(30)
    assert turns > 2
    expect(bob.page.locator("#ending")).to_be_visible()
    photograph(bob, "mutt-over")
    while "over" not in (last := course.await_mails(len(course.mutt.mails)))["Subject"]:
        course.await_mails(len(course.mutt.mails) + 1)
    assert last["List-Unsubscribe"] and last["References"] and last["Auto-Submitted"]


def _sign_up_by_mail(course: Correspondence) -> None:
    mutt = course.mutt
    mutt.write(PLAY, "signup ada")
    asked = course.await_mails(1)
    assert "confirm" in asked.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    mutt.reply("confirm", asked["Message-ID"])
    assert "Welcome, ada" in course.await_mails(2).get_body(("plain",)).get_content()  # type: ignore[union-attr]


def _run(program: str, site: ClockedSite, environment: Mapping[str, str]) -> str:
    """The output of a program run on the site's database."""
    given = {**os.environ, **environment, "KAKOMI_DATA_DIR": str(site.folder), "PYTHONPATH": str(TESTS)}
    given["DJANGO_SETTINGS_MODULE"] = "kakomi.server.settings"
    done = subprocess.run([sys.executable, "-c", program], env=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _answer_by_mail(course: Correspondence, kept: Kept) -> None:
    mail = course.await_turn()
    turn = random_turn(position_of(kept), course.chance)
    course.mutt.reply(" ".join(turn) + "\n\nYour move!", mail["Message-ID"])


def _play_on_the_page(sitting: Sitting, chance: random.Random) -> None:
    """Click until the turn is over: Bob sees turns made by mail without reloading the page."""
    sight = sitting.await_turn()
    while sight.is_mine and not sight.is_over:
        sitting.click(chance.choice(sight.choices()))
        sight = sitting.look()
