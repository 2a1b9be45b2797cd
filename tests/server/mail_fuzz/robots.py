"""Conversations between this site and another machine: a second site, or an automatic responder."""

from collections.abc import Callable
from typing import Any

from kakomi.server.mail import inbox, jobs
from kakomi.server.notices.mail import message_of
from kakomi.server.notices.models import Delivery
from protocol.mail.generated import CORPUS
from server.correspondence import PLAY, address_of, taking_mail
from server.mail_fuzz.mails import MACHINES, shaped
from server.mail_fuzz.texts import text_for
from server.mail_fuzz.world import World

OTHER = "play@other.example"
Robot = Callable[[World, dict[str, Any]], bytes | None]
"""Answers one of the site's mails, or returns None."""
_VACATION = [path for path in CORPUS if path.name.startswith("vacation")]


def another_site(world: World, mail: dict[str, Any]) -> bytes | None:
    """A second site like this one, at another address."""
    last = Delivery.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    message = message_of(mail).message()
    message["Message-ID"] = f"<{world.next_number()}@games.example>"
    with taking_mail(mail_in_address=OTHER, mail_in_bounces="bounces@other.example"):
        inbox.receive(message.as_bytes(), sender=PLAY, recipients=[OTHER])
        jobs.handle_mail()
    answer = Delivery.objects.filter(pk__gt=last, key__startswith="answer.").first()
    if answer is None:
        return None
    said: bytes = message_of(answer.content).message().as_bytes()
    return said


def responder(world: World, mail: dict[str, Any]) -> bytes | None:
    """A responder that answers everything, and marks its mails as automatic."""
    header = world.chance.choice(MACHINES)
    return shaped(world, "I am away.\nresign", sender=mail["to"], to=mail["headers"]["Reply-To"],
                  headers=(header,))  # fmt: skip


def responder_of_corpus(world: World, mail: dict[str, Any]) -> bytes | None:
    """A real responder from the corpus, marked by headers or recognizable only by its subject."""
    head = f"Message-ID: <{world.next_number()}@robot.example>\n".encode()
    return head + world.chance.choice(_VACATION).read_bytes()


def courteous(world: World, mail: dict[str, Any]) -> bytes | None:
    """A responder that doesn't answer automatic mails (RFC 3834)."""
    return None if mail["headers"].get("Auto-Submitted", "no") != "no" else b"From: x@y.example\n\nhelp\n"


def unmarked(world: World, mail: dict[str, Any]) -> bytes | None:
    """A program that answers everything, and looks like a person."""
    return shaped(world, "Thank you for your mail.", sender=mail["to"], to=mail["headers"]["Reply-To"])


ROBOTS: tuple[Robot, ...] = (another_site, responder, responder_of_corpus, courteous)
"""Robots with which a conversation ends on its own."""


def converse(world: World, robot: Robot, *, sender: str, most: int = 12) -> int:
    """The number of this site's answers in a conversation that begins with a command, at most `most`."""
    text = text_for(world, "", None)
    data: bytes | None = shaped(world, text, sender=sender)
    count, to = 0, PLAY
    while data is not None and count < most:
        last = Delivery.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        inbox.receive(data, sender=sender, recipients=[to])
        jobs.handle_mail()
        answer = Delivery.objects.filter(pk__gt=last, key__startswith="answer.").first()
        if answer is None:
            break
        count, to = count + 1, answer.content["headers"]["Reply-To"]
        data = robot(world, answer.content)
    return count


def faults_of_robots(world: World) -> list[str]:
    """The faults of a conversation with a random robot."""
    robot = world.chance.choice(ROBOTS)
    sender = OTHER if robot is another_site else address_of(world.chance.choice(["ada", "robot"]))
    count = converse(world, robot, sender=sender)
    return [f"{count} answers in a conversation with {robot.__name__}"] if count > 2 else []


def answers_to_unmarked(world: World) -> int:
    """The number of this site's answers in a conversation with an unmarked stranger's program."""
    return converse(world, unmarked, sender="robot@people.example", most=50)
