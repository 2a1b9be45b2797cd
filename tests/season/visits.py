"""The people's side of a step of a season: visiting, writing mails, and receiving answers."""

import random
from typing import Any

from season.course import DAY, Course, Plan, address_of, plays_by_mail
from season.crew import AwayError, CommandError, Crew
from season.post_office import PostOffice

OFTEN = 0.15
"""The share of mails that are delivered several times, from twice to `MOST_TIMES`."""
MOST_TIMES = 10
SLOW = 0.1
"""The share of mails that take several steps to arrive."""
LONGEST_WAY = 6
"""The most steps until a mail arrives."""
HEEDING = 0.75
"""The share of warned players who visit before their time runs out, in seasons with rare visits."""
WARNED_SECONDS = 1.5 * DAY
KEPT = (
    *("code", "key", "person", "words", "id", "kind", "about", "what"),
    *("holds", "round", "table", "places"),
)
"""The stored fields of actions and mails, for the audit."""


class Visits:
    """All actions of people. `done` has those that the site confirmed, until they are saved."""

    def __init__(self, plan: Plan, course: Course, crew: Crew, post: PostOffice) -> None:
        self._plan, self._course, self._crew, self._post = plan, course, crew, post
        self.done: list[dict[str, Any]] = []
        self.chance = random.Random()
        """Replaced in every step."""
        self._codes: list[str] = []
        """Tables with recent actions."""

    def bring_waiting(self, *, all_of_them: bool = False) -> None:
        """Deliver the mails that are due. Those that aren't accepted keep waiting."""
        step, waiting = self._course.step, self._course.waiting
        due = [each for each in waiting if all_of_them or each["step"] <= step]
        self._course.waiting = [each for each in waiting if each not in due]
        self._crew.each(due, lambda each: self._bring(each["letter"]))

    def returning(self) -> set[int]:
        """Take the players who return in this step, such as to confirm something."""
        course = self._course
        now = {number for step, number in course.returning if step <= course.step}
        course.returning = [(step, number) for step, number in course.returning if step > course.step]
        return now

    def hear_of_warnings(self) -> None:
        """Schedule visits within a day for most of those warned that their time runs out."""
        numbers = {person: number for number, person in enumerate(self._course.people)}
        for person in self._crew.ask("warned", seconds=WARNED_SECONDS):
            if person in numbers and self._drawn() < HEEDING:
                self._come_back(numbers[person], int(self._drawn() * DAY / self._plan.step))

    def visit(self, number: int, *, looks_at_pages: bool) -> None:
        """Have a player visit and act."""
        seed = self._seed()
        try:
            if plays_by_mail(number):
                self._write(number, seed)
            else:
                self._look(self._course.people[number], seed, looks_at_pages=looks_at_pages)
        except AwayError:  # for hours, so don't wait
            if self._codes:
                self._look_at_page(self._codes[seed % len(self._codes)])

    def work(self, warden: int) -> None:
        """Have a moderator visit."""
        try:
            self._look(warden, self._seed(), looks_at_pages=False)
        except AwayError:
            return

    def take_done(self) -> list[dict[str, Any]]:
        """Take the actions done since the last call."""
        done, self.done = self.done, []
        self._codes = [each["code"] for each in done if each["kind"] == "act"] or self._codes
        return done

    def _look(self, person: int, seed: int, *, looks_at_pages: bool) -> None:
        deeds = self._crew.ask("look", person=person, seed=seed, slowness=self._plan.slowness)
        self._do(deeds, looks_at_pages=looks_at_pages)

    def _do(self, deeds: list[dict[str, Any]], *, looks_at_pages: bool = False) -> None:
        """Execute actions in order, sending some twice."""
        for deed in deeds:
            answer = self._crew.ask("do", deed=deed)
            if deed["key"].endswith("7"):
                self._crew.ask("do", deed=deed)
            self._note(deed, is_done=answer == "done")
            if looks_at_pages and deed["do"] == "act":
                self._look_at_page(deed["code"])

    def _write(self, number: int, seed: int) -> None:
        """Have a player read, write and send mails."""
        address = address_of(number)
        unread = self._post.unread(address)
        person = self._course.people[number]
        try:
            written = self._crew.ask(
                "write",
                person=person,
                address=address,
                unread=unread,
                seed=seed,
                slowness=self._plan.slowness,
            )
        except AwayError:
            self._post.put_back(address, unread)
            raise
        if any(letter["kind"] == "vouched" for letter in written["letters"]):
            self._come_back(number, 3 + int(self._drawn() * LONGEST_WAY))
        for letter in written["letters"]:
            if self._drawn() < SLOW:
                self._put_off(letter, 1 + int(self._drawn() * LONGEST_WAY))
            else:
                self._bring(letter)
        self._do(written["deeds"])

    def _bring(self, letter: dict[str, Any]) -> None:
        """Deliver a mail as a mail server does, once or several times, and again later if it isn't
        accepted."""
        times = 2 + int(self._drawn() * (MOST_TIMES - 1)) if self._drawn() < OFTEN else 1
        asked = {name: letter[name] for name in ("data", "sender", "to")}
        is_kept, told = False, {}
        for time in range(times):
            by_lmtp = (time + len(letter["data"])) % 2 == 0
            try:
                told = self._crew.ask("take", **asked, by_lmtp=by_lmtp)
            except AwayError as error:  # `take` itself must report it by a status
                raise CommandError(f"a mail was neither taken nor put off: {error}") from error
            is_kept = is_kept or told["status"] == 250
            if told["status"] != 250:
                self._expect_trouble(told["status"])
        if is_kept:
            known = {"key": told["key"], "holds": told["holds"]}
            self._note({**letter, **known, "do": letter["kind"], "kind": "mail", "what": letter["kind"]})
        else:
            self._put_off(letter, 1)

    def _expect_trouble(self, status: int) -> None:
        if status != 451 or not self._crew.is_expected():
            raise CommandError(f"a mail was answered by {status}")
        with self._crew.lock:
            self._course.deeds["put off by the site"] += 1

    def _put_off(self, letter: dict[str, Any], steps: int) -> None:
        with self._crew.lock:
            self._course.waiting.append({"letter": letter, "step": self._course.step + steps})

    def _come_back(self, number: int, steps: int) -> None:
        with self._crew.lock:
            self._course.returning.append((self._course.step + steps, number))

    def _look_at_page(self, code: str) -> None:
        self._crew.ask("page", code=code)
        with self._crew.lock:
            self._course.pages += 1

    def _seed(self) -> int:
        with self._crew.lock:
            return self.chance.getrandbits(40)

    def _drawn(self) -> float:
        with self._crew.lock:
            return self.chance.random()

    def _note(self, deed: dict[str, Any], *, is_done: bool = True) -> None:
        kind = deed.get("kind", deed["do"])
        with self._crew.lock:
            self._course.deeds[_name_of(deed) if is_done else f"{deed['do']} refused"] += 1
            if is_done:
                self.done.append({**{name: deed[name] for name in KEPT if name in deed}, "kind": kind})


def _name_of(deed: dict[str, Any]) -> str:
    """The kind under which an action is counted."""
    if deed.get("kind") == "mail":
        return f"{deed['what']} by mail"
    return str(deed.get("form", {}).get("kind") or (deed["what"] if deed["do"] == "act" else deed["do"]))
