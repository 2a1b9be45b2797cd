"""Games that are already there: records in a folder, and files of matches."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from kakomi import catalog, records
from kakomi.core import Game
from kakomi.core.line_file import whole_lines
from kakomi.core.returns import chance_of
from kakomi.records import Record, RecordError
from kakomi.study.kept_file import filled_lines, header_of
from kakomi.study.report.plan import Sample
from kakomi.study.report.study import Study
from kakomi.study.report.trace import GameId, Trace, follow, trace_of
from kakomi.study.tournament import Played
from kakomi.study.tournament.game_log import FORMAT

RECORDS = (".json", ".sgf")
MATCH = ".jsonl"
OWN = Sample("own")

Found = Record | Played
Tell = Callable[[int, int], None]


class NoGames(ValueError):  # noqa: N818 (says what is the matter)
    """A folder without games of which a report can be made; the message says why."""


def study_of_folder(folder: Path, wanted: Game | None, seed: int, tell: Tell) -> Study:
    """The study of all finished games in a folder and the folders in it: of the game that is wanted, else
    of the only one that is there.

    Raises NoGames for files that are no games, for several games to choose from, and for none.
    """
    found = found_games(folder)
    game = wanted or _only(folder, found)
    chosen = _those_of(game, found, folder)
    traces = []
    for number, one in enumerate(chosen, 1):
        trace = _trace(one, game, number)
        if trace:
            traces.append(trace)
        tell(number, len(chosen))
    if not traces:
        raise NoGames(f"{folder}: none of its {len(chosen):,} games is finished")
    return Study(game, seed, {Sample("own", 0, len(traces)): traces})


def found_games(folder: Path) -> list[tuple[Game, Found]]:
    """All games in a folder and the folders in it.

    Raises NoGames for files that are no games, and for none.
    """
    endings = (*RECORDS, MATCH)
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in endings and path.is_file())
    found = [(game, one) for path in files for game, one in _read(path)]
    if not found:
        raise NoGames(f"{folder}: no games in it: they are files that end in {', '.join(RECORDS)} or {MATCH}")
    return found


def games_of(folder: Path, game: Game) -> list[Found]:
    """The games in a folder and the folders in it that are of one game, with its options.

    Raises NoGames for files that are no games, and for none of this game.
    """
    return _those_of(game, found_games(folder), folder)


def _those_of(game: Game, found: list[tuple[Game, Found]], folder: Path) -> list[Found]:
    chosen = [one for each, one in found if each == game]
    if not chosen:
        raise NoGames(f"{folder}: none of its {len(found):,} games is {_named(game)}")
    return chosen


def _read(path: Path) -> Iterator[tuple[Game, Found]]:
    try:
        if path.suffix.lower() == MATCH:
            yield from _read_match(path)
            return
        record = records.load(path, catalog.game)
        yield records.game_of(record, catalog.game), record
    except (RecordError, msgspec.MsgspecError, ValueError) as error:
        raise NoGames(f"{path}: {error}") from None


def _read_match(path: Path) -> Iterator[tuple[Game, Played]]:
    (_, first), *lines = filled_lines(whole_lines(path)) or [(1, b"")]
    if not header_of(first, FORMAT):
        raise ValueError("it is no file of a match")
    for number, line in lines:
        try:
            played = msgspec.json.decode(line, type=Played)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise ValueError(f"line {number} is damaged ({error or 'nested too deep'})") from None
        yield played.pairing.found_game, played


def _only(folder: Path, found: list[tuple[Game, Found]]) -> Game:
    """The game that all are of. Raises NoGames, naming those that there are."""
    counts = Counter(game for game, _ in found)
    if len(counts) > 1:
        told = "; ".join(f"{_named(game)} ({count:,})" for game, count in counts.most_common(5))
        raise NoGames(f"{folder}: it has several games, so name one with its options: {told}")
    return next(iter(counts))


def _named(game: Game) -> str:
    return " ".join(
        [game.name, *(f"--{name.replace('_', '-')} {value}" for name, value in game.options.items())]
    )


def _trace(found: Found, game: Game, number: int) -> Trace | None:
    if isinstance(found, Played):
        # Several files of matches number their games alike.
        return replace(trace_of(found, game, OWN.key), id=GameId(OWN.key, number))
    return _trace_of_record(found, game, number)


def _trace_of_record(record: Record, game: Game, number: int) -> Trace | None:
    """The main line of a record; None for a game that isn't finished."""
    turns = [record.turns[place - 1] for place in record.tree.main_line]
    position = records.start_of(record, game)
    actions: list[int] = []
    for turn in turns:
        waiting = [game.action(text) for text in turn.actions]
        while waiting:
            action = position.next_of(waiting)
            position = position.play_action(action)
            waiting.remove(action)
            actions.append(action)
    result = record.result or records.result_by_rules(position)
    if result is None:
        return None
    names = tuple(seat.name or seat.bot for seat in record.seats) or ("",) * game.players
    return follow(
        game,
        actions,
        id=GameId(OWN.key, number),
        block=str(number),
        seats=names,
        opening=0,
        expected=(),
        shares=tuple(chance_of(value, game.players) for value in result.returns(game.players)),
        ending=result.reason,
        position=record.position,
    )
