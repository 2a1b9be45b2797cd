"""What the owner of a study can do to it: each command gives the next record, and the node to look at then.

The last turn of a line may be unfinished, so every action played on the board is in the record at once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.records import Record, Tree, Turn, result_by_rules, tidy
from kakomi.server.analysis.study_tree import position_at
from kakomi.server.exceptions import Conflict
from kakomi.server.games import ending_label
from kakomi.session import Refused

if TYPE_CHECKING:
    from kakomi.server.tables.models import Table


MOST_TURNS = 5_000
"""Of a study, variations included."""
LONGEST_COMMENT = 4_000

Edited = tuple[Record, int]
"""A record, and the node to look at."""


@dataclass(frozen=True)
class Play:
    """Play an action: a variation, unless it is there already."""

    action: str

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards. Raises IllegalAction or Refused."""
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
    """Write a comment; an empty text takes away what was there."""

    text: str

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards. Raises Refused for a text that is too long."""
        del game
        comment = tidy(self.text).strip()
        check_length(lazy_message("characters of a comment"), len(comment), LONGEST_COMMENT)
        return record.with_comment(comment, node), node


@dataclass(frozen=True)
class Shorten:
    """Take back the last action of a line."""

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards. Raises Refused within a line."""
        if not node or record.tree.followers[node]:
            raise Refused(
                lazy_message(
                    "only the last action of a line can be taken back: there are others after this one"
                )
            )
        texts = record.turns[node - 1].actions[:-1]
        if not texts:
            return Remove().edit(record, game, node)
        return _settled(record, _with(record, node, texts), game), node


@dataclass(frozen=True)
class Promote:
    """Put the variation that a node is in first, among those that begin where it does."""

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards. Raises Refused in the main line."""
        tree = record.tree
        first = next((turn for turn in reversed(tree.line_to(node)) if not _leads(tree, turn)), 0)
        if not first:
            raise Refused(lazy_message("this is the main line already"))
        followers = [list(turns) for turns in tree.followers]
        siblings = followers[tree.before[first]]
        siblings.remove(first)
        siblings.insert(0, first)
        order = _in_preorder(followers)
        return _settled(record, _listed(record, order), game), order.index(node) + 1


@dataclass(frozen=True)
class Remove:
    """Delete a turn and all that follows it; what is looked at then is what came before."""

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards. Raises Refused at the start."""
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
    """Add what was played at the table since, and the result, where the game has gone on.

    Turns that the study has are used; where the game's own last turn was unfinished it is completed.
    """

    latest: Record

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards."""
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
    """Take back the last edit, whatever node it was at."""


NodeCommand = Play | Comment | Shorten | Promote | Remove | CatchUp
StudyCommand = NodeCommand | Undo


@dataclass(frozen=True)
class Submission:
    """A command, and what its sender saw."""

    command: StudyCommand
    node: int
    """The turn that they looked at."""
    version: int
    """The version of the study."""


def _added(record: Record, game: Game, parent: int, turn: Turn) -> Edited:
    if len(record.turns) >= MOST_TURNS:
        raise Refused(
            lazy_message(
                "a study holds at most {most:,} turns: delete some variations first", most=MOST_TURNS
            )
        )
    grown, node = _inserted(record, turn, parent)
    return _settled(record, grown, game), node


def _inserted(record: Record, turn: Turn, parent: int) -> Edited:
    """With one more turn behind another, after what follows that one already, and its number."""
    grown = record.with_turn(turn, parent)
    return grown, grown.tree.followers[parent][-1]


def _begun(record: Record, parent: int, texts: Sequence[str]) -> int:
    """The last turn of a line that has only the first of these actions yet."""
    for number in record.tree.followers[parent]:
        actions = record.turns[number - 1].actions
        if not record.tree.followers[number] and actions == tuple(texts[: len(actions)]):
            return number
    return 0


def _same(record: Record, parent: int, texts: Sequence[str], but: int = 0) -> int:
    """The turn after another that does the same, in whatever order; 0 if there is none."""
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
    """Whether a turn continues the line of the one before it."""
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
    """Some of the turns in another order; what a turn follows must be listed before it."""
    order = list(order)
    places = {0: 0, **{number: place for place, number in enumerate(order, 1)}}
    before = record.tree.before
    turns = tuple(replace(record.turns[number - 1], after=places[before[number]]) for number in order)
    return replace(record, turns=turns)


def _settled(old: Record, new: Record, game: Game) -> Record:
    """A game that is not what was played any more has no result but what the rules give it.

    How it really ended is kept as a remark.
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
    """Somebody edited a study as they saw it, and meanwhile it was edited elsewhere."""

    def __init__(self) -> None:
        super().__init__(
            lazy_message("the study was changed in another window meanwhile: look again, then go on")
        )


class GameStillRunning(Exception):  # noqa: N818 (it says why there is nothing to see)
    """A game is running between people, and one of them wants it analysed."""

    def __init__(self, table: "Table") -> None:
        super().__init__("while a game between people is running, its players can't analyse it")
        self.table = table


def check_length(what: str, count: int, most: int) -> None:
    """Raises Refused for more of something than there may be."""
    if count > most:
        raise Refused(
            lazy_message(
                "at most {most:,} {what} are possible; here are {count:,}", what=what, most=most, count=count
            )
        )
