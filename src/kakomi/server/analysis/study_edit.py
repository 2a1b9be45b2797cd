"""A record as somebody studies it: each function gives the next record, and where they are then.

Nodes are the numbers of the record's turns, 0 for the start. The last turn of a line may be unfinished, so
every action that is played on the board is in the record at once.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from kakomi.core import Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.records import Record, Tree, Turn, result_by_rules, tidy
from kakomi.server.analysis.labels import how_it_ended
from kakomi.session import Refused

MOST_TURNS = 5_000
"""Of a study, variations included."""
LONGEST_COMMENT = 4_000

Edited = tuple[Record, int]
"""A record, and the node to look at."""


def actions_to(record: Record, node: int) -> tuple[str, ...]:
    """What was played from the start to a node."""
    return tuple(text for number in record.tree.line_to(node) for text in record.turns[number - 1].actions)


def position_at(record: Record, game: Game, node: int) -> Position:
    """The position after a turn. Raises Refused for a node that isn't there."""
    if not 0 <= node <= len(record.turns):
        raise Refused(
            lazy_message(
                "there is no turn {node} in this study: it has {turns}", node=node, turns=len(record.turns)
            )
        )
    position = game.start()
    for text in actions_to(record, node):
        position = position.play(text)
    return position


def play(record: Record, game: Game, node: int, text: str) -> Edited:
    """An action at a node: a variation, unless it is there already. Raises IllegalAction or Refused."""
    before = position_at(record, game, node)
    after = before.play(text)
    parent = record.tree.before[node] if before.turn else node
    texts = tuple(game.action_texts[action] for action in after.turn or after.previous_turn)
    known = _same(record, parent, texts, but=node if before.turn else 0)
    if known and not before.turn:
        return record, known
    if known and not record.turns[node - 1].comment:
        pruned, _ = remove(record, game, node)
        return pruned, _same(pruned, parent, texts)
    if before.turn:
        return _settled(record, _with(record, node, texts), game), node
    return _added(record, game, parent, Turn(player=before.to_move, actions=texts))


def shorten(record: Record, game: Game, node: int) -> Edited:
    """An unfinished turn, or the last one of a line, without its last action."""
    if not node or record.tree.followers[node]:
        raise Refused(
            lazy_message("only the last action of a line can be taken back: there are others after this one")
        )
    texts = record.turns[node - 1].actions[:-1]
    if not texts:
        return remove(record, game, node)
    return _settled(record, _with(record, node, texts), game), node


def comment(record: Record, node: int, text: str) -> Edited:
    """With a comment on a node; an empty one takes away what was there."""
    comment = tidy(text).strip()
    if len(comment) > LONGEST_COMMENT:
        raise Refused(
            lazy_message(
                "a comment has at most {most:,} characters; this one has {count:,}",
                most=LONGEST_COMMENT,
                count=len(comment),
            )
        )
    return record.with_comment(comment, node), node


def promote(record: Record, game: Game, node: int) -> Edited:
    """The variation that a node is in, first among those that begin where it does."""
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


def remove(record: Record, game: Game, node: int) -> Edited:
    """Without a turn and all that follows it; what is looked at then is what came before."""
    if not node:
        raise Refused(lazy_message("the start of the game can't be deleted"))
    tree = record.tree
    gone = {node}
    for number in range(node + 1, len(record.turns) + 1):
        if tree.before[number] in gone:
            gone.add(number)
    order = [number for number in range(1, len(record.turns) + 1) if number not in gone]
    return _settled(record, _listed(record, order), game), tree.before[node]


def catch_up(record: Record, latest: Record) -> Record:
    """With the turns of the latest record of the same game, and its result, where it has gone on.

    Turns that the study has are used; where the game's own last turn was unfinished it is completed.
    """
    game_turns = latest.turns[: latest.length]
    node, after = 0, 0
    for turn in game_turns:
        node = after
        known = _same(record, node, turn.actions) or _begun(record, node, turn.actions)
        if known:
            record = _with(record, known, turn.actions)
            after = known
        else:
            record, after = _inserted(record, Turn(player=turn.player, actions=turn.actions), node)
    own = [turn.actions for turn in record.turns[: record.length]]
    if own != [turn.actions for turn in game_turns]:
        return record
    return replace(record, result=latest.result, resignations=latest.resignations)


def _begun(record: Record, parent: int, texts: Sequence[str]) -> int:
    """The last turn of a line that has only the first of these actions yet."""
    for number in record.tree.followers[parent]:
        actions = record.turns[number - 1].actions
        if not record.tree.followers[number] and actions == tuple(texts[: len(actions)]):
            return number
    return 0


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
    remark = how_it_ended(old, game)
    comment = "\n".join(part for part in (new.comment, remark) if part) if remark else new.comment
    kept = new.swapped_after if (new.swapped_after or 0) <= new.length else None
    return replace(new, result=result, resignations=(), swapped_after=kept, comment=comment)


def _main_line(record: Record) -> list[tuple[str, ...]]:
    return [turn.actions for turn in record.turns[: record.length]]
