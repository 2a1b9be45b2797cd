"""Rounds of random mails, each in a new world, so that a round is reproducible by itself."""

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from server.mail_fuzz.handling import before, deliver, faults
from server.mail_fuzz.mails import SentMail, random_mail
from server.mail_fuzz.robots import faults_of_robots
from server.mail_fuzz.state import State
from server.mail_fuzz.world import World, Worlds

MAILS = 200
"""Mails per round."""
COLLECTED_AFTER = 6
"""Number of mails between collections of the site's own mails."""
WAITS = (5.0, 60.0, 900.0, 3 * 3600.0)
"""Possible maximum pauses between two mails, in seconds."""
TIMES = (1, 1, 1, 1, 2, 2, 3, 5, 10)
"""How many times a mail is delivered, to choose from."""


class Fault(AssertionError):  # noqa: N818 - a finding, in a fuzzer's terms
    """A check failed after a mail."""


class Run:
    """A run of rounds, with statistics."""

    def __init__(self, seed: int, threads: int = 1) -> None:
        self.worlds = Worlds(seed)
        self.seed = seed
        self.threads = threads
        self.kinds: Counter[str] = Counter()
        self.states: Counter[str] = Counter()
        """How many mails ended in which state, with their notes."""
        self.deliveries = 0

    def round(self, number: int, mails: int = MAILS) -> None:
        """Run a round. Raises `Fault`."""
        with quiet(), self.worlds.begun(number) as world:
            state = State()
            for place in range(mails):
                state = self._step(world, state, number, place)
            self._note()

    def _step(self, world: World, state: State, number: int, place: int) -> State:
        """Handle one random mail, and return the site's state afterwards."""
        world.now += world.chance.choice(WAITS) * world.chance.random()
        if place % COLLECTED_AFTER == COLLECTED_AFTER - 1:
            world.collect()
            state = State()
        if world.chance.random() < 0.02:
            self._see(faults_of_robots(world), None, number, place)
            self.kinds["robot"] += 1
            return State()
        sent = random_mail(world)
        known, times = before(sent, world, state), world.chance.choice(TIMES)
        try:
            deliver(sent, times, self.threads)
            after = State()
            found = list(faults(sent, world, known, after))
        except Exception as error:
            raise Fault(self._told([repr(error)], sent, number, place)) from error
        self.kinds[sent.kind] += 1
        self.deliveries += times
        self._see(found, sent, number, place)
        return after

    def _see(self, found: list[str], sent: SentMail | None, number: int, place: int) -> None:
        if found:
            raise Fault(self._told(found, sent, number, place))

    def _told(self, found: list[str], sent: SentMail | None, number: int, place: int) -> str:
        again = f"python -m tests.server.mail_fuzz --seed {self.seed} --from {number * MAILS} --mails {MAILS}"
        which = f"mail {place} of round {number}"
        mail = "" if sent is None else (
            f" ({sent.kind}, to {sent.recipient}, from {sent.sender})\n{sent.data.decode(errors='replace')}"
        )  # fmt: skip
        return "\n".join([*found, f"{which}; again with {again}{mail}"])

    def _note(self) -> None:
        from kakomi.server.mail.models import ReceivedMail

        for state, note in ReceivedMail.objects.values_list("state", "note"):
            self.states[f"{state}: {note}" if note else state] += 1


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress the warning for every mail that a site without a mail server keeps."""
    log = logging.getLogger("kakomi.server.notices.mail")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)
