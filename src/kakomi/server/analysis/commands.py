"""The commands that edit a study. Each returns the new record and the node to show next.

The last turn of a line may be unfinished, so each action played on the board enters the record immediately.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.records import Record, Tree, Turn, result_by_rules, tidy
from kakomi.server.analysis.study_tree import position_at
from kakomi.server.site.exceptions import Conflict
from kakomi.server.site.games import ending_label
from kakomi.session import Refused

if TYPE_CHECKING:
    from kakomi.server.tables.models import Table


MOST_TURNS = 5_000
"""Turns per study, variations included."""
LONGEST_COMMENT = 4_000
"""Characters."""

Edited = tuple[Record, int]
"""A record, and the node to show."""


@dataclass(frozen=True)
class Play:
    """Play an action: follow the existing turn if there is one, otherwise add a variation."""

    action: str

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """Return the edited record. Raises `IllegalAction`, or `Refused` if the study is full."""
        before = position_at(record, game, node)
        after = before.play(self.action)
        parent = record.tree.before[node] if before.turn else node
        texts = tuple(game.action_texts[action] for action in after.turn or after.previous_turn)
        known = _same(record, parent, texts, but=node if before.turn else 0)
        if known and not before.turn:
            return record, known
        if known and not record.turns[node - 1].comment:
            pruned, _ = Remove().edit(record, game, node)
            return pruned, _same(pruned, parent, texts)
        if before.turn:
            return _settled(record, _with(record, node, texts), game), node
        return _added(record, game, parent, Turn(player=before.to_move, actions=texts))


@dataclass(frozen=True)
class Comment:
    """Set the comment at a node; an empty text deletes it."""

    text: str

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """Return the edited record. Raises `Refused` if the text is too long."""
        del game
        comment = tidy(self.text).strip()
        check_length(lazy_message("characters in the comment"), len(comment), LONGEST_COMMENT)
        return record.with_comment(comment, node), node


@dataclass(frozen=True)
class Shorten:
    """Take back the last action of a line."""

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """Return the edited record. Raises `Refused` unless the node is the last of its line."""
        if not node or record.tree.followers[node]:
            raise Refused(lazy_message("only the last action of a line can be taken back"))
        texts = record.turns[node - 1].actions[:-1]
        if not texts:
            return Remove().edit(record, game, node)
        return _settled(record, _with(record, node, texts), game), node


@dataclass(frozen=True)
class Promote:
    """Move the node's variation ahead of the others that start at the same node."""

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """Return the edited record. Raises `Refused` in the main line."""
        tree = record.tree
        first = next((turn for turn in reversed(tree.line_to(node)) if not _leads(tree, turn)), 0)
        if not first:
            raise Refused(lazy_message("this is already the main line"))
        followers = [list(turns) for turns in tree.followers]
        siblings = followers[tree.before[first]]
        siblings.remove(first)
        siblings.insert(0, first)
        order = _in_preorder(followers)
        return _settled(record, _listed(record, order), game), order.index(node) + 1


@dataclass(frozen=True)
class Remove:
    """Delete a turn and everything after it, and show the preceding node."""

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """Return the edited record. Raises `Refused` at the start."""
        if not node:
            raise Refused(lazy_message("the start of the game can't be deleted"))
        tree = record.tree
        gone = {node}
        for number in range(node + 1, len(record.turns) + 1):
            if tree.before[number] in gone:
                gone.add(number)
        order = [number for number in range(1, len(record.turns) + 1) if number not in gone]
        return _settled(record, _listed(record, order), game), tree.before[node]


@dataclass(frozen=True)
class CatchUp:
    """Add the turns played at the table since the study was made, and the result.

    Existing turns are reused, and an unfinished last turn is completed. The result is only set if the study's
    main line is the game as played.
    """

    latest: Record

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """Return the edited record and the start node."""
        del game, node
        game_turns = self.latest.turns[: self.latest.length]
        node, after = 0, 0
        for turn in game_turns:
            node = after
            known = _same(record, node, turn.actions) or _begun(record, node, turn.actions)
            if known:
                record = _with(record, known, turn.actions)
                after = known
            else:
                record, after = _inserted(record, Turn(player=turn.player, actions=turn.actions), node)
        if _main_line(record) == [turn.actions for turn in game_turns]:
            record = replace(record, result=self.latest.result, resignations=self.latest.resignations)
        return record, 0


@dataclass(frozen=True)
class Undo:
    """Undo the last edit, at whatever node it was made."""


NodeCommand = Play | Comment | Shorten | Promote | Remove | CatchUp
StudyCommand = NodeCommand | Undo


@dataclass(frozen=True)
class Submission:
    """A command, with the node and version its sender was looking at."""

    command: StudyCommand
    node: int
    version: int


def _added(record: Record, game: Game, parent: int, turn: Turn) -> Edited:
    if len(record.turns) >= MOST_TURNS:
        raise Refused(
            lazy_message(
                "a study can have up to {most:,} moves: delete some variations first", most=MOST_TURNS
            )
        )
    grown, node = _inserted(record, turn, parent)
    return _settled(record, grown, game), node


def _inserted(record: Record, turn: Turn, parent: int) -> Edited:
    """Add a turn after `parent`, behind its existing followers; return its number too."""
    grown = record.with_turn(turn, parent)
    return grown, grown.tree.followers[parent][-1]


def _begun(record: Record, parent: int, texts: Sequence[str]) -> int:
    """The follower of `parent` that ends its line and consists of the first of these actions; 0 if none."""
    for number in record.tree.followers[parent]:
        actions = record.turns[number - 1].actions
        if not record.tree.followers[number] and actions == tuple(texts[: len(actions)]):
            return number
    return 0


def _same(record: Record, parent: int, texts: Sequence[str], but: int = 0) -> int:
    """The follower of `parent` with the same actions in any order, other than `but`; 0 if none."""
    wanted = sorted(texts)
    for number in record.tree.followers[parent]:
        if number != but and sorted(record.turns[number - 1].actions) == wanted:
            return number
    return 0


def _with(record: Record, node: int, texts: tuple[str, ...]) -> Record:
    turns = list(record.turns)
    turns[node - 1] = replace(turns[node - 1], actions=texts)
    return replace(record, turns=tuple(turns))


def _leads(tree: Tree, node: int) -> bool:
    """Whether a turn is the first follower of the one before it."""
    return tree.followers[tree.before[node]][0] == node


def _in_preorder(followers: Sequence[Sequence[int]]) -> list[int]:
    order = []
    waiting = list(reversed(followers[0]))
    while waiting:
        number = waiting.pop()
        order.append(number)
        waiting.extend(reversed(followers[number]))
    return order


def _listed(record: Record, order: Iterable[int]) -> Record:
    """The record with only these turns, in this order; each turn must come after its predecessor."""
    order = list(order)
    places = {0: 0, **{number: place for place, number in enumerate(order, 1)}}
    before = record.tree.before
    turns = tuple(replace(record.turns[number - 1], after=places[before[number]]) for number in order)
    return replace(record, turns=turns)


def _settled(old: Record, new: Record, game: Game) -> Record:
    """The new record, with its result adjusted if the main line has changed.

    The result then follows from the rules alone; the original ending is appended to the comment.
    """
    if _main_line(old) == _main_line(new):
        return new
    result = result_by_rules(position_at(new, game, new.length))
    remark = ending_label(old, game)
    comment = "\n".join(part for part in (new.comment, remark) if part) if remark else new.comment
    kept = new.swapped_after if (new.swapped_after or 0) <= new.length else None
    return replace(new, result=result, resignations=(), swapped_after=kept, comment=comment)


def _main_line(record: Record) -> list[tuple[str, ...]]:
    return [turn.actions for turn in record.turns[: record.length]]


class Stale(Conflict):
    """The study has been edited elsewhere since the sender loaded it."""

    def __init__(self) -> None:
        super().__init__(lazy_message("this study has changed in another window: check it and try again"))


class GameStillRunning(Exception):  # noqa: N818 (it names the reason, not an error)
    """A player may not analyse a running game in which they may have no help."""

    def __init__(self, table: "Table") -> None:
        super().__init__("while a game between people is running, its players can't analyse it")
        self.table = table


def check_length(what: str, count: int, most: int) -> None:
    """Raise `Refused` if there are more than `most` of something."""
    if count > most:
        raise Refused(
            lazy_message("too many {what}: {count:,} (limit: {most:,})", what=what, most=most, count=count)
        )
