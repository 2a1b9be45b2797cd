"""What must be true of mails after a season: each did once what it may do, and was answered once, or not."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.chat.models import Message
from kakomi.server.lobby.models import Seek
from kakomi.server.post.models import ReceivedMail
from kakomi.server.tables.models import Entry
from season.course import kept_lines

Mail = Mapping[str, Any]
KEY_LENGTH = 32
"""So much of a mail's key is in the keys of what it does."""
MOST_ANSWERS = {"vouched": 2, "confirm": 1, "vacation": 0, "bounce": 0, "failing": 0, "forged": 1}
"""By kind; all others are answered once. Who is vouched for is asked, and answered when they confirm."""
LEAST_ANSWERS = {"confirm": 0, "vacation": 0, "bounce": 0, "failing": 0, "forged": 0}
MAY_NOT_ACT = ("vacation", "bounce", "failing", "forged", "confirm")


@dataclass(frozen=True)
class Effects:
    """What mails have done, as the database says."""

    acts: Counter[str]
    """The key of a mail, as far as others have it -> how often it has acted at tables."""
    words: Counter[str]
    """What was said at tables -> how often."""
    erased: frozenset[int]
    """The numbers of people of whom nothing is kept any more."""

    @staticmethod
    def looked_up() -> "Effects":
        """What the database says."""
        keys = Entry.objects.filter(key__contains="mail:", key__endswith=":0:0").values_list("key", flat=True)
        owners = Seek.objects.filter(key__startswith="mail:").values_list("key", flat=True)
        acts = Counter(key.split(":")[1] for key in (*keys, *owners))
        words = Counter(Message.objects.exclude(text="").values_list("text", flat=True))
        erased = Guest.objects.filter(is_erased=True).values_list("pk", flat=True)
        return Effects(acts, words, frozenset(erased))


def findings(done: Path, sent: Path, interruptions: int) -> Iterator[str]:
    """All that is wrong with mails."""
    answers = defaultdict[str, dict[str, Mail]](dict)
    times = Counter[str]()
    for mail in kept_lines(sent):
        times[mail["id"]] += 1
        if mail["answers"]:
            answers[mail["answers"]][mail["id"]] = mail
    effects = Effects.looked_up()
    for mail in kept_lines(done, "mail"):
        if mail["person"] not in effects.erased:
            yield from wrong_of_mail(mail, list(answers[mail["id"]].values()), effects)
    yield from sent_again(times, interruptions)
    yield from _unsettled()


def wrong_of_mail(mail: Mail, answers: Sequence[Mail], effects: Effects) -> Iterator[str]:
    """What is wrong with a mail that was taken, with its answers in their order."""
    what, name = mail["what"], f"the mail {mail['id']} ({mail['what']})"
    is_asked = bool(answers) and answers[0]["asks"]
    if is_asked and mail["holds"]:
        yield f"{name} was to be confirmed, though it came to a secret address that held"
    most = MOST_ANSWERS["vouched"] if is_asked else MOST_ANSWERS.get(what, 1)
    if not LEAST_ANSWERS.get(what, 1) <= len(answers) <= most:
        yield f"{name} has {len(answers)} answers"
    acts = effects.acts[mail["key"][:KEY_LENGTH]]
    if acts > (what not in MAY_NOT_ACT):
        yield f"{name} has acted {acts} times"
    is_refused = bool(answers) and answers[-1]["has_problem"]
    if what in ("turn", "seek") and len(answers) == 1 and not is_asked and acts == is_refused:
        told = f"its answer says that it was refused: {is_refused}. {answers[-1].get('says', '')}"
        yield f"{name} has acted {acts} times, and {told}"
    if (what == "vouched" or is_asked) and len(answers) < 2 and acts:
        yield f"{name} has acted, and nobody was told so"
    if mail["words"]:
        yield from _wrong_of_words(name, mail, answers, effects)


def _wrong_of_words(name: str, mail: Mail, answers: Sequence[Mail], effects: Effects) -> Iterator[str]:
    """What was said stands at the table once if the answer says so, else not; staff may have removed it."""
    said, told = effects.words[mail["words"]], any(answer["passes_on"] for answer in answers)
    if said > 1 or (said and not told):
        yield f"the words of {name} stand {said} times at the table, and its answer says so: {told}"
    if told and not said and not Message.objects.filter(text="", author=mail["person"]).exists():
        yield f"the words of {name} are lost"


def sent_again(times: Mapping[str, int], interruptions: int) -> Iterator[str]:
    """Mails that came more often than what broke off explains: the same again, as its message id says."""
    again = sum(count - 1 for count in times.values())
    if again > interruptions:
        yield f"{again} mails came again, and only {interruptions} times something was broken off"


def _unsettled() -> Iterator[str]:
    """Mails that failed, or have been waiting for hours."""
    for row in ReceivedMail.objects.filter(state=ReceivedMail.State.FAILED):
        yield f"{row} failed: {row.note}"
    waiting = ReceivedMail.objects.filter(state=ReceivedMail.State.WAITING, due_at__lt=clock.now() - 3600)
    for row in waiting:
        yield f"{row} has been waiting since {row.due_at}, after {row.attempts} attempts: {row.note}"


def figures(done: Path, sent: Path) -> dict[str, int]:
    """What there is to count of mails."""
    taken, mails = list(kept_lines(done, "mail")), list(kept_lines(sent))
    acts = Effects.looked_up().acts
    return {
        "mails taken": len(taken),
        "mails sent": len({mail["id"] for mail in mails}),
        "mails sent again": len(mails) - len({mail["id"] for mail in mails}),
        "answers with a problem": sum(mail["has_problem"] for mail in mails if mail["answers"]),
        "acts by mail": acts.total(),
        "confirmed": sum(acts[mail["key"][:KEY_LENGTH]] for mail in taken if mail["what"] == "vouched"),
    }
