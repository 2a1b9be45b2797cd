"""Random mails to the site: answers, commands, forgeries, automatic mails, damaged mails."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kakomi.server.mail.reply_addresses import HOUR, Purpose, Token
from protocol.mail.generated import CORPUS
from protocol.mail.mutation import mutated
from protocol.mail.programs import PROGRAMS, plain
from server.correspondence import BOUNCES, PLAY, RELAY, address_of, vouched
from server.mail_fuzz.texts import lobby_text, text_for, turn_text
from server.mail_fuzz.world import NAMES, Letter, World

STRANGERS = tuple(f"{name}@{host}.example" for name in ("eve", "mallory") for host in ("one", "two", "three"))
MACHINES: tuple[tuple[str, str], ...] = (
    ("Auto-Submitted", "auto-replied"),
    ("Auto-Submitted", "auto-generated; owner-email=x@y.example"),
    ("Precedence", "bulk"),
    ("Precedence", "list"),
    ("Precedence", "junk"),
    ("List-Id", "<a.list.example>"),
    ("List-Unsubscribe", "<https://list.example/off>"),
    ("X-Kakomi-Mail", "1"),
    ("X-Autoreply", "yes"),
    ("X-Auto-Response-Suppress", "All"),
    ("Return-Path", "<>"),
)
"""Headers that mark a mail as automatic."""
MACHINES_OF_CORPUS = [
    path
    for path in CORPUS
    if path.name.startswith(("vacation", "mailing-list", "own-mail", "read-receipt", "bounce"))
]


@dataclass(frozen=True)
class SentMail:
    """A mail on its way to the site."""

    kind: str
    data: bytes
    recipient: str = PLAY
    """The envelope's recipient."""
    sender: str = ""
    """The envelope's sender; empty if unknown."""
    is_silent: bool = False
    """Whether it must be neither answered nor carried out."""
    is_whole: bool = True
    """Whether it is undamaged, so that its permissions are known exactly."""


Headers = Sequence[tuple[str, str]]


def shaped(
    world: World,
    text: str,
    *,
    sender: str,
    to: str = PLAY,
    letter: Letter | None = None,
    headers: Headers = (),
    subject: str = "",
) -> bytes:
    """A text as a mail program sends it, alone or in answer to a letter, below servers' headers."""
    make = world.chance.choice(PROGRAMS) if letter else plain
    data = make(text, world.chance)
    number = world.next_number()
    changes = [
        ("Alice <alice@example.net>", sender),
        ("To: Kakomi <play@kakomi.example>", f"To: {to}"),
        ("<1@example.net>", f"<{number}.{world.chance.getrandbits(32)}@people.example>"),
        ("<turn-2.k7m2x9qpab@kakomi.example>", letter.message_id if letter else "<none@example>"),
    ]
    if subject:
        data = re.sub(rb"^Subject:.*$", lambda _: f"Subject: {subject}".encode(), data, count=1, flags=re.M)
    for old, new in changes:
        data = data.replace(old.encode(), new.encode(), 1)
    if letter and (code := re.search(r"\b[a-hjkmnp-z2-9]{10}\b", letter.subject)):
        data = data.replace(b"k7m2x9qpab", code[0].encode())
    return "".join(f"{name}: {value}\n" for name, value in headers).encode() + data


def turn_by_answer(world: World) -> SentMail:
    """A turn by the player to act at a table, in answer to the last mail about it."""
    for row in world.chance.sample(rows := world.rows(), len(rows)):
        guest = None if row.is_over else row.seats.get(number=row.to_act).guest_id
        known = (each for each in reversed(world.letters) if each.token is not None)
        letter = next((each for each in known if _is_about(each, row.pk, guest)), None)
        if letter:
            text = turn_text(world, row)
            data = shaped(world, text, sender=letter.to, to=letter.reply_to, letter=letter)
            return SentMail("turn", data, letter.reply_to, letter.to)
    return answer_to_letter(world)


def _is_about(letter: Letter, table: int, guest: int | None) -> bool:
    token = letter.token
    return token is not None and (token.purpose, token.subject, token.guest) == (Purpose.TABLE, table, guest)


def in_the_lobby(world: World) -> SentMail:
    """A command about seeks or challenges, to an account address."""
    name = world.chance.choice(NAMES)
    to = world.know(Token.new(Purpose.ACCOUNT, world.people[name].pk))
    data = shaped(world, lobby_text(world), sender=address_of(name), to=to)
    return SentMail("lobby", data, to, address_of(name))


def signing_up(world: World) -> SentMail:
    """A stranger's mail to sign up."""
    sender, name = world.chance.choice(STRANGERS), world.chance.choice(["newcomer", "fay", "ada", "x" * 40])
    subject = f"signup {name}" if world.chance.random() < 0.5 else ""
    text = "" if subject else f"signup {name} secret"
    return SentMail("sign-up", shaped(world, text, sender=sender, subject=subject), PLAY, sender)


def answer_to_letter(world: World) -> SentMail:
    """An answer by the reader of one of the site's mails."""
    letter = _letter(world)
    if letter is None:
        return command_of_stranger(world)
    text = text_for(world, _name_of(letter.to), letter)
    data = shaped(world, text, sender=letter.to, to=letter.reply_to, letter=letter)
    return SentMail("answer", data, letter.reply_to, letter.to)


def forged_answer(world: World) -> SentMail:
    """An answer by someone else who knows only the reader's mail address."""
    letter = _letter(world)
    if letter is None:
        return command_of_stranger(world)
    text = text_for(world, _name_of(letter.to), letter)
    sender = world.chance.choice([letter.to, *STRANGERS])
    data = shaped(world, text, sender=letter.to, letter=letter)
    return SentMail("forged answer", data, PLAY, sender)


def answer_by_another(world: World) -> SentMail:
    """An answer with the reader's secret address, from another address."""
    letter = _letter(world)
    if letter is None:
        return command_of_stranger(world)
    sender = world.chance.choice([address_of(name) for name in world.people if name] + list(STRANGERS))
    text = text_for(world, _name_of(sender), letter)
    data = shaped(world, text, sender=sender, to=letter.reply_to, letter=letter)
    return SentMail("another's answer", data, letter.reply_to, sender)


def confirming(world: World) -> SentMail:
    """An answer to a request for confirmation."""
    letters = [letter for letter in world.letters[-30:] if "confirm" in letter.text.lower()]
    if not letters:
        return vouched_command(world)
    letter = world.chance.choice(letters)
    word = world.chance.choice(["confirm", "Confirm.", "ja", "yes!", "ok", "no, thank you", "bestätigen"])
    data = shaped(world, word, sender=letter.to, to=letter.reply_to, letter=letter)
    return SentMail("confirmation", data, letter.reply_to, letter.to)


def stale_or_changed_secret(world: World) -> SentMail:
    """A mail to a secret address that has expired, is for another state, or was altered."""
    chance = world.chance
    guest = chance.choice(list(world.people.values()))
    row = chance.choice(world.rows())
    token = Token.new(Purpose.TABLE, guest.pk, row.pk, chance.randrange(row.entries + 3))
    token = chance.choice([token, Token.new(Purpose.ACCOUNT, guest.pk)])
    how = chance.choice(["old", "expired", "changed", "bounce"])
    if how == "expired":
        token = replace(token, hours=int(world.now // HOUR) - chance.randrange(3))
    if how == "bounce":
        token = Token.new(Purpose.BOUNCE, guest.pk)
    to = world.know(token)
    if how == "changed":
        at = to.index("+") + 1 + chance.randrange(len(token.text) - 2)
        to = to[:at] + chance.choice("abcdefghij") + to[at + 1 :]
    text = text_for(world, str(guest.handle), None, row)
    sender = address_of(str(guest.handle))
    return SentMail(f"{how} secret", shaped(world, text, sender=sender, to=to), to, sender)


def open_account(world: World) -> SentMail:
    """A command to an account address."""
    guest = world.chance.choice(list(world.people.values()))
    to = world.know(Token.new(Purpose.ACCOUNT, guest.pk))
    sender = address_of(str(guest.handle))
    text = text_for(world, str(guest.handle), None, world.chance.choice(world.rows()))
    return SentMail("account", shaped(world, text, sender=sender, to=to), to, sender)


def vouched_command(world: World) -> SentMail:
    """A command authenticated by a relay, trusted or not."""
    name = world.chance.choice(list(world.people))
    sender, text = address_of(str(name)), text_for(world, str(name), None, world.chance.choice(world.rows()))
    headers = vouched(sender, relay=world.chance.choice([RELAY, RELAY, "mx.elsewhere.example"]))
    return SentMail("vouched", shaped(world, text, sender=sender, headers=headers), PLAY, sender)


def disowned_command(world: World) -> SentMail:
    """A command that fails the sender's domain's SPF or DMARC check."""
    name = world.chance.choice(list(world.people))
    sender, text = address_of(str(name)), text_for(world, str(name), None, world.chance.choice(world.rows()))
    result = world.chance.choice(["spf=fail smtp.mailfrom=x@people.example",
                                  "dmarc=fail header.from=people.example"])  # fmt: skip
    headers = (("Authentication-Results", f"{RELAY}; {result}"),)
    data = shaped(world, text, sender=sender, headers=headers)
    return SentMail("disowned", data, PLAY, sender, is_silent=True)


def command_of_stranger(world: World) -> SentMail:
    """A command by a person without an account, in the subject or in the text."""
    sender = world.chance.choice(STRANGERS)
    text = text_for(world, "", None, world.chance.choice(world.rows()))
    subject = text.split("\n")[0][:200] if world.chance.random() < 0.3 else ""
    envelope = world.chance.choice([sender, sender, "", "x@elsewhere.example"])
    return SentMail("stranger", shaped(world, text, sender=sender, subject=subject), PLAY, envelope)


def by_machine(world: World) -> SentMail:
    """A mail marked as automatic, to an address where a person's mail would have an effect."""
    letter = _letter(world)
    if letter is None:
        return command_of_stranger(world)
    text = text_for(world, _name_of(letter.to), letter)
    if world.chance.random() < 0.2:
        data = shaped(world, text, sender=letter.to, to=letter.reply_to, letter=letter)
        return SentMail("null sender", data, letter.reply_to, "<>", is_silent=True)
    headers = (world.chance.choice(MACHINES),)
    data = shaped(world, text, sender=letter.to, to=letter.reply_to, letter=letter, headers=headers)
    return SentMail("machine", data, letter.reply_to, letter.to, is_silent=True)


def of_corpus(world: World) -> SentMail:
    """An automatic mail from the corpus, such as a vacation reply or bounce, to an address of the site's."""
    letter = _letter(world)
    data = world.chance.choice(MACHINES_OF_CORPUS).read_bytes()
    to = letter.reply_to if letter else PLAY
    if letter and world.chance.random() < 0.5:
        to = letter.envelope
    number = f"X-Number: {world.next_number()}\nMessage-ID: <{world.chance.getrandbits(64)}@robot.example>\n"
    return SentMail("corpus", number.encode() + data, to, "", is_silent=True)


def bounced(world: World) -> SentMail:
    """A bounce, to the envelope address of one of the site's mails or to another one."""
    letter = _letter(world)
    to = world.chance.choice([letter.envelope if letter else BOUNCES, BOUNCES, "bounces+aaaa@games.example"])
    status, action = world.chance.choice(
        [("5.1.1", "failed"), ("4.2.2", "delayed"), ("5.7.1", "failed"), ("?", "?")]
    )
    data = (
        f"Return-Path: <>\nFrom: MAILER-DAEMON@people.example\nTo: {to}\nSubject: Undelivered Mail\n"
        f"Message-ID: <{world.next_number()}.{world.chance.getrandbits(32)}@people.example>\n"
        "MIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nresign\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; people.example\n\n"
        f"Final-Recipient: rfc822; {letter.to if letter else 'x@y.example'}\nAction: {action}\n"
        f"Status: {status}\nDiagnostic-Code: smtp; 550 no such user\n\n--b--\n"
    )
    return SentMail("bounce", data.encode(), to, "<>", is_silent=True)


def damaged(world: World) -> SentMail:
    """A damaged version of one of these mails, or of a mail from the corpus."""
    one, other = (world.chance.choice(MAKERS)(world) for _ in range(2))
    data = mutated(one.data, other.data, world.chance)
    if world.chance.random() < 0.1:
        data = mutated(world.chance.choice(CORPUS).read_bytes(), one.data, world.chance)
    return replace(one, kind=f"damaged {one.kind}", data=data, is_silent=False, is_whole=False)


def _letter(world: World) -> Letter | None:
    """A letter that can be answered, usually a recent one."""
    letters = [letter for letter in world.letters if letter.reply_to]
    if not letters:
        return None
    last = letters[-8:] if world.chance.random() < 0.8 else letters
    return world.chance.choice(last)


def _name_of(address: str) -> str:
    return address.partition("@")[0]


MAKERS: tuple[Callable[[World], SentMail], ...] = (
    *(turn_by_answer,) * 8, *(answer_to_letter,) * 5, *(in_the_lobby,) * 3, *(confirming,) * 3,
    *(open_account,) * 3, *(stale_or_changed_secret,) * 3, *(vouched_command,) * 3, *(by_machine,) * 3,
    *(command_of_stranger,) * 2, signing_up, forged_answer, answer_by_another, disowned_command, of_corpus,
    bounced,
)  # fmt: skip
"""Each maker appears in proportion to its probability."""


def random_mail(world: World) -> SentMail:
    """Any mail."""
    return damaged(world) if world.chance.random() < 0.12 else world.chance.choice(MAKERS)(world)
