"""Conditional plans: trees of whole turns, in which a seat answers the possible turns of others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_error, lazy_message, truncated_repr
from kakomi.session.exceptions import Refused
from kakomi.session.match_game import MatchGame
from kakomi.session.table import Table

MOST_TURNS = 300
"""The maximum number of turns in all branches of a plan."""
MOST_DEEP = 60
"""The maximum depth of a plan, in turns."""
LONGEST_TURN = 200
"""The maximum number of actions in a turn."""
LONGEST_ACTION = 40
"""The maximum number of characters of an action."""

Path = tuple[int, ...]
"""The path to a turn in a plan: the number of the branch at each turn. The empty path is the root."""


@dataclass(frozen=True)
class Branch:
    """A whole turn of one seat, and the branches that may follow it."""

    seat: int
    turn: tuple[str, ...]
    """The texts of its actions."""
    then: tuple["Branch", ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {
            "seat": self.seat,
            "turn": list(self.turn),
            "then": [branch.to_json() for branch in self.then],
        }


@dataclass(frozen=True)
class Plan:
    """A seat's planned answers to the turns of others. Immutable.

    There may be several branches for another seat's turn, but only one for the owner's. An owner's turn at
    the root is tentative: the owner has to play it by hand, and the plan then continues from there.
    """

    seat: int
    """The seat of the plan's owner."""
    entries: int
    """The number of log entries of the table that have been followed."""
    game: int
    """The number of the game in the match, from 1."""
    ply: int
    """The number of actions of that game before the root."""
    branches: tuple[Branch, ...] = ()

    @staticmethod
    def begun(table: Table, seat: int) -> "Plan":
        """Return an empty plan from the current state of a table."""
        match = table.match
        return Plan(seat, table.entries, len(match.games), match.position.ply)

    @property
    def turns(self) -> int:
        """The number of turns in all branches."""
        return sum(1 for _ in walk(self.branches))

    @property
    def has_answers(self) -> bool:
        """Whether the plan contains an answer: a turn of its owner after another seat's."""
        return any(
            branch.seat == self.seat and _others(self, path[:-1]) for path, branch in walk(self.branches)
        )

    def branches_at(self, path: Path) -> tuple[Branch, ...]:
        """Return the branches after a turn. Raises Refused if there is no such turn."""
        branches = self.branches
        for number in path:
            branches = _branch(branches, number).then
        return branches

    def line(self, path: Path) -> list[Branch]:
        """Return the turns along a path, including the last. Raises Refused if there is no such turn."""
        branches, line = self.branches, []
        for number in path:
            line.append(_branch(branches, number))
            branches = line[-1].then
        return line

    def root(self, table: Table) -> MatchGame:
        """Return the game at the root. Raises Refused if the table's history doesn't contain it."""
        match = table.match
        while len(match.games) > self.game or match.position.ply > self.ply:
            if match.before is None:
                break
            match = match.before
        if (len(match.games), match.position.ply) != (self.game, self.ply):
            raise Refused(lazy_message("the game has moved on: make a new plan"))
        return match.current_game

    def game_at(self, table: Table, path: Path) -> MatchGame:
        """Return the game after the turns along a path. Raises Refused or IllegalAction if that fails."""
        match_game = self.root(table)
        for branch in self.line(path):
            match_game = play_turn(match_game, branch.turn)
        return match_game

    def with_turn(self, table: Table, path: Path, turn: Sequence[str]) -> "tuple[Plan, Path]":
        """Return the plan with a turn added at a path, and the turn's path; a turn that leads to the same
        position as an existing branch is that branch. Raises Refused or IllegalAction if that fails."""
        before = self.game_at(table, path)
        seat, texts = before.to_act, whole_turn(before, turn)
        if seat is None:
            raise Refused(_OVER)
        known = self.branches_at(path)
        same = _same(before, known, texts)
        if same is not None:
            return self, (*path, same)
        if seat == self.seat and known:
            raise lazy_error(
                Refused,
                "your reply here is {turn}: delete it before planning another",
                turn=" ".join(known[0].turn),
            )
        grown = replace(
            self, branches=_replaced(self.branches, path, lambda then: (*then, Branch(seat, texts)))
        )
        _expect_sizes(grown.branches)
        return grown, (*path, len(known))

    def without(self, path: Path) -> "Plan":
        """Return the plan without a turn and everything after it. Raises Refused if there is no such turn."""
        self.line(path)
        if not path:
            return replace(self, branches=())
        *before, gone = path
        return replace(
            self,
            branches=_replaced(self.branches, tuple(before), lambda then: (*then[:gone], *then[gone + 1 :])),
        )

    def with_branches(self, table: Table, branches: Sequence[Branch]) -> "Plan":
        """Return the plan with other branches, whose turns are normalised. Raises Refused for the first one
        that isn't allowed, with the turns before it."""
        _expect_sizes(branches)
        return replace(self, branches=_normalised(self.root(table), self.seat, branches, ()))


def _others(plan: Plan, path: Path) -> bool:
    """Whether a path contains a turn of another seat."""
    return any(branch.seat != plan.seat for branch in plan.line(path))


def walk(branches: Sequence[Branch], above: Path = ()) -> Iterator[tuple[Path, Branch]]:
    """Yield every turn with its path, in preorder."""
    for number, branch in enumerate(branches):
        yield (*above, number), branch
        yield from walk(branch.then, (*above, number))


def branches_from_json(data: Any, deep: int = 0) -> tuple[Branch, ...]:
    """Read branches from JSON data, without checking the rules. Raises Refused if they are malformed."""
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
    """Return the normalised texts of a turn's actions. Raises Refused if the turn isn't complete, and
    IllegalAction if the rules forbid it."""
    actions = begun_turn(before, turn)
    if not is_whole(play_turn(before, actions)):
        raise Refused(lazy_message("{turn} isn’t a complete move", turn=" ".join(actions)))
    return actions


def begun_turn(before: MatchGame, turn: Sequence[str]) -> tuple[str, ...]:
    """Return the normalised texts of a turn that may be incomplete. Raises like `whole_turn`."""
    if not turn or len(turn) > LONGEST_TURN or any(len(text) > LONGEST_ACTION for text in turn):
        raise lazy_error(
            Refused,
            "a move must have 1 to {most} actions of up to {longest} characters each",
            most=LONGEST_TURN,
            longest=LONGEST_ACTION,
        )
    position = before.position.play(" ".join(turn))
    texts = position.game.action_texts
    actions = tuple(texts[action] for action in position.actions_since(before.position) or ())
    after = before
    for text in actions:
        if after is not before and is_whole(after):
            raise Refused(lazy_message("{turn} continues after the end of the move", turn=" ".join(actions)))
        after = play_turn(after, [text])
    return actions


def play_turn(before: MatchGame, turn: Sequence[str]) -> MatchGame:
    """Return the game after actions of the seat to act. Raises Refused or IllegalAction."""
    seat = before.to_act
    if seat is None:
        raise Refused(_OVER)
    for text in turn:
        before = before.play(seat, text)
    return before


def is_whole(match_game: MatchGame) -> bool:
    """Whether the last turn is complete."""
    return match_game.is_over or not match_game.position.turn


_OVER = lazy_message("the game is over in this position")
_TOO_DEEP = lazy_message("a plan can be up to {most} moves deep", most=MOST_DEEP)


def _branch(branches: Sequence[Branch], number: int) -> Branch:
    if not 0 <= number < len(branches):
        raise Refused(lazy_message("there is no such move in the plan"))
    return branches[number]


def _same(before: MatchGame, branches: Sequence[Branch], turn: Sequence[str]) -> int | None:
    """Return the branch with the same actions as a turn, else the one with the same resulting position."""
    texts = tuple(turn)
    for number, branch in enumerate(branches):
        if branch.turn == texts:
            return number
    return same_position(before, branches, play_turn(before, texts)) if branches else None


def same_position(before: MatchGame, branches: Sequence[Branch], after: MatchGame) -> int | None:
    """Return the branch that leads to the same position, whatever the order of actions; else None."""
    for number, branch in enumerate(branches):
        try:
            reached = play_turn(before, branch.turn)
        except (Refused, IllegalAction):
            continue
        if reached.position == after.position:
            return number
    return None


def _replaced(branches: tuple[Branch, ...], path: Path, change: Any) -> tuple[Branch, ...]:
    """Return the branches with a change applied to those after a path."""
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
        raise _refusal_after(line, _OVER)
    if seat == owner and len(branches) > 1:
        raise _refusal_after(
            line, lazy_message("a plan can have only one reply of your own in each position")
        )
    for branch in branches:
        if branch.seat != seat:
            raise _refusal_after(
                line,
                lazy_message("it is seat {seat}'s turn, not seat {other}'s", seat=seat, other=branch.seat),
            )
        try:
            texts = whole_turn(before, branch.turn)
            if _same(before, normal, texts) is not None:
                raise Refused(lazy_message("{turn} is planned twice", turn=" ".join(texts)))
            after = play_turn(before, texts)
        except (Refused, IllegalAction) as error:
            raise _refusal_after(line, error.args[0]) from None
        then = _normalised(after, owner, branch.then, (*line, " ".join(texts)))
        normal.append(Branch(branch.seat, texts, then))
    return tuple(normal)


def _refusal_after(line: Sequence[str], why: str) -> Refused:
    """Return a refusal that names the turns before it."""
    if not line:
        return Refused(why)
    return Refused(lazy_message("after {line}: {why}", line=", ".join(line), why=why))


def _expect_sizes(branches: Sequence[Branch]) -> None:
    paths = [path for path, _ in walk(branches)]
    if len(paths) > MOST_TURNS:
        raise Refused(lazy_message("a plan can have up to {most} moves", most=MOST_TURNS))
    if any(len(path) > MOST_DEEP for path in paths):
        raise Refused(_TOO_DEEP)
