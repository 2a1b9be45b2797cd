"""The audit of mails after a season: each had its effect once, and was answered as often as it should be."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kakomi.server.accounts.models import Guest
from kakomi.server.chat.models import Message
from kakomi.server.lobby.models import Seek
from kakomi.server.mail.models import ReceivedMail
from kakomi.server.site import clock
from kakomi.server.tables.models import Entry
from season.course import kept_lines

Mail = Mapping[str, Any]
KEY_LENGTH = 32
"""The length of the prefix of a mail's key that the keys of its effects contain."""
MOST_ANSWERS = {"vouched": 2, "confirm": 1, "vacation": 0, "bounce": 0, "failing": 0, "forged": 1}
"""The most answers by kind; all others get one. A vouched sender is asked, and answered again on
confirming."""
LEAST_ANSWERS = {"confirm": 0, "vacation": 0, "bounce": 0, "failing": 0, "forged": 0}
MAY_NOT_ACT = ("vacation", "bounce", "failing", "forged", "confirm")


@dataclass(frozen=True)
class Effects:
    """The effects of mails, from the database."""

    acts: Counter[str]
    """The prefix of a mail's key → the number of actions by that mail."""
    words: Counter[str]
    """Message at a table → the number of its occurrences."""
    erased: frozenset[int]
    """The IDs of guests whose data was erased."""

    @staticmethod
    def looked_up() -> "Effects":
        """The effects recorded in the database."""
        keys = Entry.objects.filter(key__contains="mail:", key__endswith=":0:0").values_list("key", flat=True)
        owners = Seek.objects.filter(key__startswith="mail:").values_list("key", flat=True)
        acts = Counter(key.split(":")[1] for key in (*keys, *owners))
        words = Counter(Message.objects.exclude(text="").values_list("text", flat=True))
        erased = Guest.objects.filter(is_erased=True).values_list("pk", flat=True)
        return Effects(acts, words, frozenset(erased))


def findings(done: Path, sent: Path, interruptions: int) -> Iterator[str]:
    """Yield all that is wrong with mails."""
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
    """Yield what is wrong with an accepted mail, given its answers in order."""
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
    """Check that a mail's words appear at the table once if its answer says so, else not at all.
    Staff may have removed them."""
    said, told = effects.words[mail["words"]], any(answer["passes_on"] for answer in answers)
    if said > 1 or (said and not told):
        yield f"the words of {name} stand {said} times at the table, and its answer says so: {told}"
    if told and not said and not Message.objects.filter(text="", author=mail["person"]).exists():
        yield f"the words of {name} are lost"


def sent_again(times: Mapping[str, int], interruptions: int) -> Iterator[str]:
    """Check that interruptions explain all mails sent again, identified by message ID."""
    again = sum(count - 1 for count in times.values())
    if again > interruptions:
        yield f"{again} mails came again, and only {interruptions} times something was broken off"


def _unsettled() -> Iterator[str]:
    """Yield mails that failed or have been waiting for hours."""
    for row in ReceivedMail.objects.filter(state=ReceivedMail.State.FAILED):
        yield f"{row} failed: {row.note}"
    waiting = ReceivedMail.objects.filter(state=ReceivedMail.State.WAITING, due_at__lt=clock.now() - 3600)
    for row in waiting:
        yield f"{row} has been waiting since {row.due_at}, after {row.attempts} attempts: {row.note}"


def figures(done: Path, sent: Path) -> dict[str, int]:
    """Counts of mails."""
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
