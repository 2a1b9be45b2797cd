"""Conditional plans: whole turns as a tree, of which a seat's own are answers to those of the others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.core.wording import truncated_repr
from kakomi.session.exceptions import Refused
from kakomi.session.match_game import MatchGame
from kakomi.session.table import Table

MOST_TURNS = 300
"""Turns of a plan, in all of its branches together."""
MOST_DEEP = 60
"""Turns behind one another."""
LONGEST_TURN = 200
"""Actions of a turn."""
LONGEST_ACTION = 40
"""Characters of an action."""

Path = tuple[int, ...]
"""The way to a turn in a plan: which branch to take, turn by turn. The empty path is the plan's root."""


@dataclass(frozen=True)
class Branch:
    """A whole turn of one seat, and what may follow it."""

    seat: int
    turn: tuple[str, ...]
    """The texts of its actions."""
    then: tuple["Branch", ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        return {
            "seat": self.seat,
            "turn": list(self.turn),
            "then": [branch.to_json() for branch in self.then],
        }


@dataclass(frozen=True)
class Plan:
    """What a seat answers to what. Immutable.

    At a turn of another seat there may be several branches, at one's own one. A turn that is one's own at the
    root is tentative: it is what one means to play by hand, and the plan goes on from there once one has.
    """

    seat: int
    """Whose plan it is."""
    entries: int
    """The length of the table's log up to which it has been followed."""
    game: int
    """Which game of the match it is about, from 1."""
    ply: int
    """How many actions of that game had been played at the root."""
    branches: tuple[Branch, ...] = ()

    @staticmethod
    def begun(table: Table, seat: int) -> "Plan":
        """An empty plan from where a table stands."""
        match = table.match
        return Plan(seat, table.entries, len(match.games), match.position.ply)

    @property
    def turns(self) -> int:
        """The number of turns in all branches."""
        return sum(1 for _ in walk(self.branches))

    @property
    def has_answers(self) -> bool:
        """Whether there is a turn that the plan would play: one's own, behind another seat's."""
        return any(
            branch.seat == self.seat and _others(self, path[:-1]) for path, branch in walk(self.branches)
        )

    def branches_at(self, path: Path) -> tuple[Branch, ...]:
        """What may follow a turn. Raises Refused if there is no such turn."""
        branches = self.branches
        for number in path:
            branches = _branch(branches, number).then
        return branches

    def line(self, path: Path) -> list[Branch]:
        """The turns on the way to one of them, and that one. Raises Refused if there is no such turn."""
        branches, line = self.branches, []
        for number in path:
            line.append(_branch(branches, number))
            branches = line[-1].then
        return line

    def root(self, table: Table) -> MatchGame:
        """The game as it stood at the root. Raises Refused if the table has never been there."""
        match = table.match
        while len(match.games) > self.game or match.position.ply > self.ply:
            if match.before is None:
                break
            match = match.before
        if (len(match.games), match.position.ply) != (self.game, self.ply):
            raise Refused(lazy_message("the game has gone on since: plan anew"))
        return match.current_game

    def game_at(self, table: Table, path: Path) -> MatchGame:
        """The game after the turns on the way. Raises Refused or IllegalAction if they don't lead there."""
        match_game = self.root(table)
        for branch in self.line(path):
            match_game = play_turn(match_game, branch.turn)
        return match_game

    def with_turn(self, table: Table, path: Path, turn: Sequence[str]) -> "tuple[Plan, Path]":
        """The plan with one more turn after another one, and its path; a turn that leads to where one of the
        branches leads is that branch. Raises Refused, or IllegalAction, for what can't be planned."""
        before = self.game_at(table, path)
        seat, texts = before.to_act, whole_turn(before, turn)
        if seat is None:
            raise Refused(_OVER)
        known = self.branches_at(path)
        same = _same(before, known, texts)
        if same is not None:
            return self, (*path, same)
        if seat == self.seat and known:
            raise Refused(
                lazy_message(
                    "your answer here is {turn}: delete it first, to plan another",
                    turn=" ".join(known[0].turn),
                )
            )
        grown = replace(
            self, branches=_replaced(self.branches, path, lambda then: (*then, Branch(seat, texts)))
        )
        _expect_sizes(grown.branches)
        return grown, (*path, len(known))

    def without(self, path: Path) -> "Plan":
        """The plan without a turn and all that follows it. Raises Refused if there is no such turn."""
        self.line(path)
        if not path:
            return replace(self, branches=())
        *before, gone = path
        return replace(
            self,
            branches=_replaced(self.branches, tuple(before), lambda then: (*then[:gone], *then[gone + 1 :])),
        )

    def with_branches(self, table: Table, branches: Sequence[Branch]) -> "Plan":
        """The plan with other branches, each turn normalised by the rules. Raises Refused for the first that
        isn't allowed, with the turns before it."""
        _expect_sizes(branches)
        return replace(self, branches=_normalised(self.root(table), self.seat, branches, ()))


def _others(plan: Plan, path: Path) -> bool:
    """Whether a turn of another seat is on a way."""
    return any(branch.seat != plan.seat for branch in plan.line(path))


def walk(branches: Sequence[Branch], above: Path = ()) -> Iterator[tuple[Path, Branch]]:
    """Every turn with its path, each before what follows it."""
    for number, branch in enumerate(branches):
        yield (*above, number), branch
        yield from walk(branch.then, (*above, number))


def branches_from_json(data: Any, deep: int = 0) -> tuple[Branch, ...]:
    """Branches from data. Raises Refused for what are none; whether they are allowed, the rules say."""
    if not isinstance(data, list):
        raise Refused("branches should be a list")
    if data and deep >= MOST_DEEP:
        raise Refused(_TOO_DEEP)
    return tuple(_branch_from_json(item, deep) for item in data)


def _branch_from_json(data: Any, deep: int) -> Branch:
    if not isinstance(data, Mapping) or not {"seat", "turn"} <= data.keys() <= {"seat", "turn", "then"}:
        raise Refused("a branch should be an object with 'seat', 'turn' and, if anything follows, 'then'")
    seat, turn = data["seat"], data["turn"]
    if type(seat) is not int:
        raise Refused("a branch's 'seat' should be the number of a seat")
    if not isinstance(turn, list) or not all(isinstance(text, str) for text in turn):
        raise Refused(f"a branch's 'turn' should be a list of actions, not {truncated_repr(turn)}")
    return Branch(seat, tuple(turn), branches_from_json(data.get("then", []), deep + 1))


def whole_turn(before: MatchGame, turn: Sequence[str]) -> tuple[str, ...]:
    """The normalised texts of the actions of a turn. Raises Refused if it isn't a whole one, IllegalAction if
    the rules forbid it."""
    actions = begun_turn(before, turn)
    if not is_whole(play_turn(before, actions)):
        raise Refused(lazy_message("{turn} is no whole turn: it goes on", turn=" ".join(actions)))
    return actions


def begun_turn(before: MatchGame, turn: Sequence[str]) -> tuple[str, ...]:
    """The normalised texts of the first actions of a turn, perhaps of all. Raises as `whole_turn`."""
    if not turn or len(turn) > LONGEST_TURN or any(len(text) > LONGEST_ACTION for text in turn):
        raise Refused(
            lazy_message(
                "a turn should be 1 to {most} actions of at most {longest} characters",
                most=LONGEST_TURN,
                longest=LONGEST_ACTION,
            )
        )
    position = before.position.play(" ".join(turn))
    texts = position.game.action_texts
    actions = tuple(texts[action] for action in position.actions_since(before.position) or ())
    after = before
    for text in actions:
        if after is not before and is_whole(after):
            raise Refused(lazy_message("{turn} goes on after its turn is over", turn=" ".join(actions)))
        after = play_turn(after, [text])
    return actions


def play_turn(before: MatchGame, turn: Sequence[str]) -> MatchGame:
    """The game after actions of the seat to act. Raises Refused or IllegalAction."""
    seat = before.to_act
    if seat is None:
        raise Refused(_OVER)
    for text in turn:
        before = before.play(seat, text)
    return before


def is_whole(match_game: MatchGame) -> bool:
    """Whether the last turn is complete."""
    return match_game.is_over or not match_game.position.turn


_OVER = lazy_message("the game is over there: nothing can follow")
_TOO_DEEP = lazy_message("a plan goes at most {most} turns ahead", most=MOST_DEEP)


def _branch(branches: Sequence[Branch], number: int) -> Branch:
    if not 0 <= number < len(branches):
        raise Refused(lazy_message("there is no such turn in the plan"))
    return branches[number]


def _same(before: MatchGame, branches: Sequence[Branch], turn: Sequence[str]) -> int | None:
    """The branch that a turn is: by its actions, else by where they lead."""
    texts = tuple(turn)
    for number, branch in enumerate(branches):
        if branch.turn == texts:
            return number
    return same_position(before, branches, play_turn(before, texts)) if branches else None


def same_position(before: MatchGame, branches: Sequence[Branch], after: MatchGame) -> int | None:
    """The branch that leads to a position, in whatever order its actions are; None if there is none."""
    for number, branch in enumerate(branches):
        try:
            reached = play_turn(before, branch.turn)
        except (Refused, IllegalAction):
            continue
        if reached.position == after.position:
            return number
    return None


def _replaced(branches: tuple[Branch, ...], path: Path, change: Any) -> tuple[Branch, ...]:
    """The branches with those behind a path changed."""
    if not path:
        return change(branches)  # type: ignore[no-any-return]
    first, *rest = path
    branch = branches[first]
    changed = replace(branch, then=_replaced(branch.then, tuple(rest), change))
    return (*branches[:first], changed, *branches[first + 1 :])


def _normalised(
    before: MatchGame, owner: int, branches: Sequence[Branch], line: tuple[str, ...]
) -> tuple[Branch, ...]:
    seat, normal = before.to_act, list[Branch]()
    if seat is None and branches:
        raise _told(line, _OVER)
    if seat == owner and len(branches) > 1:
        raise _told(line, lazy_message("a plan has one answer of its own, not several"))
    for branch in branches:
        if branch.seat != seat:
            raise _told(
                line,
                lazy_message("it is seat {seat}'s turn, not seat {other}'s", seat=seat, other=branch.seat),
            )
        try:
            texts = whole_turn(before, branch.turn)
            if _same(before, normal, texts) is not None:
                raise Refused(lazy_message("{turn} is planned twice", turn=" ".join(texts)))
            after = play_turn(before, texts)
        except (Refused, IllegalAction) as error:
            raise _told(line, error.args[0]) from None
        then = _normalised(after, owner, branch.then, (*line, " ".join(texts)))
        normal.append(Branch(branch.seat, texts, then))
    return tuple(normal)


def _told(line: Sequence[str], why: str) -> Refused:
    """A refusal that says after which turns it was."""
    if not line:
        return Refused(why)
    return Refused(lazy_message("after {line}: {why}", line=", ".join(line), why=why))


def _expect_sizes(branches: Sequence[Branch]) -> None:
    paths = [path for path, _ in walk(branches)]
    if len(paths) > MOST_TURNS:
        raise Refused(lazy_message("a plan holds at most {most} turns", most=MOST_TURNS))
    if any(len(path) > MOST_DEEP for path in paths):
        raise Refused(_TOO_DEEP)
