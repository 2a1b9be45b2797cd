"""Reading turns, as people write them in emails, at a position."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from kakomi.core import Game, IllegalAction, Position
from kakomi.core.action import normalised
from kakomi.core.i18n import lazy_error, lazy_message, truncated_repr
from kakomi.session import Match, MatchGame

LONGEST = 4_000
"""The most characters of a turn that are read."""
KIND_WORDS = {"passe": "pass", "passen": "pass", "ende": "end", "fertig": "end", "done": "end"}
"""Synonyms of actions off the board, some of them German."""
_SEPARATORS = ",;+&/|()[]{}"
_SPLIT_NAME = re.compile(r"(?<!\w)(?:x\s?[a-z]{1,2}|[a-z])\s?-?\s?\d{1,2}(?!\w)", re.IGNORECASE)
"""The name of a point, a removal or a conversion, with a space or a hyphen inside."""
_SPLIT_NUMBERS = re.compile(r"(?<![\w,.-])(\d{1,2})[-.](\d{1,2})(?![\w,.-])")


@dataclass(frozen=True)
class ReadTurn:
    """A turn that is legal at the position where it was read."""

    actions: tuple[str, ...]
    """As the game spells them."""
    position: Position
    """After the turn."""
    is_whole: bool = True
    """Only the last turn of a preview may be unfinished."""


def read_turn(position: Position, text: str) -> ReadTurn:
    """Read a text as one whole turn of the player to act.

    Spelling is lenient, removals may be in any order, and the action that only ends a turn may be left out.
    Raises IllegalAction, with a sentence for the sender, if a word is no action, an action is illegal, the
    turn is incomplete, or there is more than one turn.
    """
    actions = _actions_of(position.game, text)
    if not actions:
        raise lazy_error(
            IllegalAction,
            "there is no move here: write its actions, as in {example}",
            example=_example(position),
        )
    played, after, rest = _one_turn(position, actions)
    if rest:
        more = " ".join(position.game.action_texts[action] for action in rest)
        raise lazy_error(
            IllegalAction, "your move ends with {last}; {more} isn’t part of it", last=played[-1], more=more
        )
    if not _is_whole(position, after):
        raise IllegalAction(_unfinished(after, played))
    return ReadTurn(tuple(played), after)


def read_turns(position: Position, text: str) -> tuple[ReadTurn, ...]:
    """Read a text as consecutive turns, for previews; the last may be unfinished.

    Raises IllegalAction if a word is no action or an action is illegal.
    """
    rest = _actions_of(position.game, text)
    turns = []
    while rest:
        played, after, rest = _one_turn(position, rest)
        turns.append(ReadTurn(tuple(played), after, is_whole=_is_whole(position, after)))
        position = after
    return tuple(turns)


def _one_turn(position: Position, actions: list[int]) -> tuple[list[str], Position, list[int]]:
    """Return the texts of the actions in the turn of the player to act, the position after it, and the rest.

    A removal that isn't legal yet waits for one that is (RULES V5). If the next action can't belong to the
    turn but an action that ends it can, that is played. Raises IllegalAction if the game is over."""
    if position.is_over:
        raise IllegalAction(position.why_illegal(actions[0]))
    texts, kinds = position.game.action_texts, position.game.actions
    played: list[str] = []
    waiting, now = list(actions), position
    while waiting and (now is position or now.turn) and not now.is_over:
        action = now.next_of(waiting)
        legal = now.legal_actions()
        end = next((number for number in legal if kinds[number].kind == "end"), None)
        if action not in legal and end is not None and kinds[action].kind not in ("convert", "remove"):
            now = now.play_action(end)
            played.append(texts[end])
            break
        now = now.play_action(action)
        waiting.remove(action)
        played.append(texts[action])
    if not waiting and now.turn and not now.is_over:
        end = next((number for number in now.legal_actions() if kinds[number].kind == "end"), None)
        if end is not None:
            now = now.play_action(end)
            played.append(texts[end])
    return played, now, waiting


def _is_whole(before: Position, after: Position) -> bool:
    return after.is_over or (after is not before and not after.turn)


def _unfinished(position: Position, played: list[str]) -> str:
    expected = position.game.description.explain.expects(position)
    return lazy_message(
        "{actions} isn’t a complete move: {expected}; send the whole move on one line",
        actions=" ".join(played),
        expected=expected,
    )


def _example(position: Position) -> str:
    texts = position.game.action_texts
    return repr(next((texts[number] for number in position.legal_actions()), texts[0]))


def _actions_of(game: Game, text: str) -> list[int]:
    """Return the numbers of the actions that a text names."""
    spelling, actions = _spelling(game), []
    for word in _words(game, text[:LONGEST]):
        if word not in spelling.numbers:
            raise _no_action(game, word, text)
        actions.append(spelling.numbers[word])
    return actions


def _no_action(game: Game, word: str, text: str) -> IllegalAction:
    """Why a word is no action, with the word as its sender wrote it."""
    found = re.search(r"[\s-]*".join(map(re.escape, word)), text, re.IGNORECASE)
    written = found[0] if found else word
    if _shape(word) in _spelling(game).shapes:
        names = game.geometry.names
        return IllegalAction(
            lazy_message(
                "there is no point {point} on this board: points are {first} to {last}",
                point=truncated_repr(written),
                first=names[0],
                last=names[-1],
            )
        )
    try:
        game.action(written)
    except IllegalAction as error:  # it explains what actions look like
        return error
    return IllegalAction(lazy_message("{text} isn’t a move", text=truncated_repr(written)))


def _shape(word: str) -> str:
    """Return a word with 0 for each number and a for each letter but x: `f6` and `a12` have one shape."""
    return re.sub(r"[a-wyz]", "a", re.sub(r"\d+", "0", word))


def tidy_turn(text: str) -> str:
    """Return the text of a turn without what people and programs put around or inside the names of points, as
    in `*d5*`, `D 5`, `d-5` and `3-4`, and with spaces in place of dashes and arrows between actions."""
    text = re.sub(r"[*_`~]+", " ", text)
    text = _SPLIT_NAME.sub(lambda found: re.sub(r"[\s-]", "", found[0]), text)
    text = _SPLIT_NUMBERS.sub(r"\1,\2", text)
    return re.sub(r"(?<=\w)\s*-+>?\s*(?=[A-Za-z\d])", " ", text)


def _words(game: Game, text: str) -> Iterator[str]:
    """Yield the words for actions in a text, spelled as in `_Spelling.numbers`, and other words unchanged."""
    spelling = _spelling(game)
    text = tidy_turn(text).lower()
    waiting = spelling.separators.sub(" ", spelling.tight.sub(r"\1", text)).split()
    while waiting:
        word = KIND_WORDS.get(waiting[0], waiting[0])
        joined = "".join(waiting[:2])
        if word not in spelling.numbers and joined in spelling.numbers and waiting[1] not in spelling.numbers:
            yield joined
            del waiting[:2]
            continue
        del waiting[0]
        parts = () if word in spelling.numbers else spelling.parts.findall(word)
        if (
            parts
            and spelling.glue.join(parts) == word.strip(spelling.glue)
            and all(part in spelling.numbers for part in parts)
        ):
            yield from parts
        else:
            yield word


@dataclass(frozen=True)
class _Spelling:
    """How the actions of a game are spelled."""

    numbers: dict[str, int]
    glue: str
    """The sign inside the names of actions, such as Rin's comma; "" if there is none."""
    tight: re.Pattern[str]
    """The glue with the spaces around it."""
    separators: re.Pattern[str]
    """Signs allowed between actions besides spaces."""
    parts: re.Pattern[str]
    """One action in a run of several that have no spaces between them."""
    shapes: frozenset[str]
    """The shapes of the actions that have a point or a cell as their target."""


@lru_cache(maxsize=64)
def _spelling(game: Game) -> _Spelling:
    numbers = {normalised(text): number for number, text in enumerate(game.action_texts)}
    signs = {sign for text in numbers for sign in text if not sign.isalnum()}
    glue = min(signs, default="")
    separators = "".join(re.escape(sign) for sign in _SEPARATORS if sign not in signs)
    side = re.escape(glue) if glue else "(?!)"
    return _Spelling(
        numbers,
        glue,
        re.compile(rf"\s*({side})\s*"),
        re.compile(f"[{separators}]"),
        re.compile(rf"[^{side}]+{side}[^{side}]+" if glue else r"(?!)"),
        frozenset(_shape(normalised(action.text)) for action in game.actions if action.target),
    )


def turns_in(match: Match) -> int:
    """Return how many turns have been finished in all games of a match: the number after `#`.

    Turns passed for players who resigned count; naming a komi, choosing a colour and swapping don't.
    """
    return sum(len(turns_of(game, finished=True)) for game in match.games)


@dataclass(frozen=True)
class PlayedTurn:
    """A turn of a game as it was played."""

    player: int
    actions: tuple[str, ...]
    after: Position


def turns_of(game: MatchGame, *, finished: bool = False) -> list[PlayedTurn]:
    """Return the turns of a game, including the unfinished one unless `finished`."""
    position, begun = game.start, game.start
    texts = game.game.action_texts
    turns: list[PlayedTurn] = []
    current: list[str] = []
    for action in game.actions():
        if not current:
            begun = position
        position = position.play_action(action)
        current.append(texts[action])
        if not position.turn:
            turns.append(PlayedTurn(begun.to_move, tuple(current), position))
            current = []
    if current and not finished:
        turns.append(PlayedTurn(begun.to_move, tuple(current), position))
    return turns
