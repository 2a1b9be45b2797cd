"""Checks of random mails, each generated from a seed."""

import random
from pathlib import Path

from kakomi.protocol.mail import IncomingMail, ReplyContext, parse_mail, read_mail
from kakomi.protocol.mail.commands import Chat, Help, Message, ParsedMail, SignUp
from protocol.mail.mutation import mutated
from protocol.mail.programs import PROGRAMS
from protocol.mail.spelling import random_command, spelled

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.eml"))
CONTEXTS = (
    ReplyContext(are_people=lambda names: True, plays_at=lambda number: True),
    ReplyContext("k7m2x9qpab", game="ren", are_people=lambda names: True, plays_at=lambda number: True),
    ReplyContext("k7m2x9qpab", "komi"),
    ReplyContext("k7m2x9qpab", "colour"),
)


def check_round_trip(seed: int) -> None:
    """Check that the commands read from a mail are those that it was made from, in any program's format."""
    rng = random.Random(f"round trip {seed}")
    wanted = [random_command(rng) for _ in range(rng.choice([1, 1, 2, 3, 6]))]
    between = rng.choice(["\n", "\n\n"])
    kinds = {type(command) for command in wanted}
    context = rng.choice(CONTEXTS[:2]) if Help in kinds and not {SignUp, Chat} & kinds else CONTEXTS[0]
    lines = [
        spelled(command, rng, is_first=number == 0 and not context.code)
        for number, command in enumerate(wanted)
    ]
    text = between.join(lines)
    data = rng.choice(PROGRAMS)(text, rng)
    mail = read_mail(data)
    parsed = parse_mail(mail, context)
    told = f"seed {seed}: {lines}\nread {mail.text!r}\nparsed {parsed}"
    assert list(parsed.commands) == wanted, told
    assert not any(line.problem for line in parsed.lines), told
    assert parsed.remark == "", told


def check_subject(seed: int) -> None:
    """Check the same for a command in the subject, with a remark as text."""
    rng = random.Random(f"subject {seed}")
    command = random_command(rng)
    line = spelled(command, rng)
    mail = read_mail(
        f"From: a@b.example\nSubject: {line}\nContent-Type: text/plain; \n\nWell then!\n".encode()
    )
    parsed = parse_mail(mail)
    assert parsed.commands == (command,), f"seed {seed}: {line!r} gave {parsed}"
    assert isinstance(command, Chat | Message) or parsed.remark == "Well then!", f"seed {seed}: {parsed}"


def check_mutated(seed: int) -> None:
    """Check that a damaged mail is read without errors and within the limits."""
    rng = random.Random(f"mutated {seed}")
    first, second = (_any_mail(rng) for _ in range(2))
    data = mutated(first, second, rng)
    mail = read_mail(data)
    check_limits(mail)
    for context in CONTEXTS:
        check_parsed(parse_mail(mail, context))


def _any_mail(rng: random.Random) -> bytes:
    if rng.random() < 0.5:
        return rng.choice(CORPUS).read_bytes()
    return rng.choice(PROGRAMS)(spelled(random_command(rng), rng), rng)


def check_limits(mail: IncomingMail) -> None:
    """Check the limits that hold for any mail."""
    texts = [
        mail.sender,
        mail.message_id,
        mail.subject,
        mail.text,
        *mail.recipients,
        *mail.answered_ids,
    ]
    texts += [text for header in mail.headers for text in header]
    texts += [text for bounce in mail.bounces for text in (bounce.address, bounce.reason, bounce.status)]
    for text in texts:
        text.encode("utf-8")
        assert "\x00" not in text
    assert "\n" not in mail.subject + mail.sender
    assert len(mail.text) <= 64_000 and len(mail.headers) <= 200 and len(mail.bounces) <= 20
    assert not (mail.bounces and mail.may_be_answered)


def check_parsed(parsed: ParsedMail) -> None:
    """Check the limits that hold for any mail's commands."""
    assert len(parsed.lines) <= 21 and len(parsed.remark) <= 4_000
    for line in parsed.lines:
        assert (line.command is None) == bool(line.problem)
        assert len(line.line) <= 200 and len(line.problem) < 1_000
        repr(line).encode("utf-8")


CHECKS = (check_round_trip, check_subject, check_mutated)
