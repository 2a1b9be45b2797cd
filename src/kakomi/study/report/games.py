"""The games of a report: those of its plan, played on a farm and stored in a file so that a run can be
resumed; or the user's recorded games.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

import kakomi
from kakomi import catalog, records
from kakomi.core import Game
from kakomi.core.level_config import LEVELS
from kakomi.core.line_file import whole_lines
from kakomi.core.returns import chance_of
from kakomi.farm import Farm
from kakomi.records import Record, RecordError
from kakomi.study.matches import GameLog, Played, play_games
from kakomi.study.matches.games import FORMAT
from kakomi.study.report.plan import Plan, Sample, budget_in_words, plan_for
from kakomi.study.report.study import Study, share_of
from kakomi.study.report.trace import GameId, Trace, follow, trace_of
from kakomi.study.results_file import filled_lines, header_of

Tell = Callable[[int, int], None]
"""Called with the number of games done, and their total."""


@dataclass(frozen=True)
class Sampled:
    """The finished games of a plan, by sample, in the order of its schedule."""

    plan: Plan
    games: Mapping[Sample, list[Played]]

    @property
    def finished(self) -> int:
        """The number of finished games."""
        return sum(map(len, self.games.values()))

    @property
    def is_complete(self) -> bool:
        """Whether all planned games are finished."""
        return self.finished == self.plan.games


def log_path(folder: Path, game: Game, seed: int) -> Path:
    """The path of the file of a game's samples in a folder."""
    options = "".join(f"-{name}{value}" for name, value in game.options.items())
    return folder / f"{game.name}{options}-seed{seed}-v{kakomi.__version__}.jsonl"


def terms(game: Game, seed: int) -> dict[str, Any]:
    """The terms that must match for a run to be resumed; the number of games may grow."""
    version = kakomi.__version__
    return {"report": version, "game": game.name, "options": dict(game.options), "seed": seed}


def sample(plan: Plan, farm: Farm, folder: Path, tell: Tell) -> Sampled:
    """Play the games that the file in the folder lacks. Ctrl-C ends it early, with the games played so far.

    Raises GameLogError if the file has other terms, OSError if it can't be written, and FarmError as
    `play_games` does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = plan.in_order()
    found: dict[int, Played] = {}
    with GameLog(log_path(folder, plan.game, plan.seed), terms(plan.game, plan.seed)) as log:
        tell(0, len(wanted))
        with (
            contextlib.suppress(KeyboardInterrupt),
            contextlib.closing(play_games(wanted, farm, log=log, with_chances=True)) as games,
        ):
            for played in games:
                found[played.pairing.number] = played
                tell(len(found), len(wanted))
        found |= log.played  # written, but not yet yielded when the interrupt arrived
    return Sampled(plan, _by_sample(plan, found))


def study_of(sampled: Sampled, tell: Tell = lambda done, of: None) -> Study:
    """The study of the finished games."""
    found: dict[Sample, list[Trace]] = {}
    done = 0
    for one, games in sampled.games.items():
        found[one] = []
        for played in games:
            found[one].append(trace_of(played, sampled.plan.game, one.key))
            done += 1
            tell(done, sampled.finished)
    return Study(sampled.plan.game, sampled.plan.seed, found)


def _by_sample(plan: Plan, found: Mapping[int, Played]) -> dict[Sample, list[Played]]:
    return {
        sample: [found[pairing.number] for pairing in pairings if pairing.number in found]
        for sample, pairings in plan.pairings.items()
    }


LARGER = (3, 10, 30, 100, 300, 1000)
"""Multiples of the budget to try when looking for one that reaches a higher level."""


def more_in_words(study: Study, sampled: Sampled, share: float, budget: float) -> str:
    """A sentence on what the rest of the plan or four times the budget, and a budget for the next level,
    would add. `share` is this game's part of the budget; both are in seconds."""
    own = share_of(study.games, lambda trace: trace.shares[0])
    if own is None or not own.has_interval:
        return ""
    width = 100 * own.half_width
    left = sampled.plan.games - sampled.finished
    told = [f"What the first seat wins is known to ± {width:.0f} points"]
    if left:
        told.append(f"; the same command plays the {left:,} games that are left")
    else:
        told.append(f"; {budget_in_words(4 * budget)} would bring ± {width / 2:.0f}")
    larger = _next_level(sampled, share)
    if larger:
        told.append(f", and {budget_in_words(larger * budget)} level {sampled.plan.top + 1}")
    return "".join(told) + "."


def _next_level(sampled: Sampled, share: float) -> int:
    """The first multiple of the budget in `LARGER` that reaches a higher level; 0 if none does."""
    plan = sampled.plan
    if plan.top == LEVELS:
        return 0
    model = plan.model
    return next(
        (times for times in LARGER if plan_for(plan.game, times * share, plan.seed, model).top > plan.top), 0
    )


RECORDS = (".json", ".sgf")
MATCH = ".jsonl"
OWN = Sample("own")

Found = Record | Played


class NoGames(ValueError):  # noqa: N818 (says what is the matter)
    """A folder without games to report on; the message says why."""


def study_of_folder(folder: Path, wanted: Game | None, seed: int, tell: Tell) -> Study:
    """The study of all finished games in a folder and its subfolders: of the game `wanted`, or of the only
    one found if that is None.

    Raises NoGames for invalid files, for several games to choose from, and if there are no finished games.
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
    """All games in a folder and its subfolders.

    Raises NoGames for invalid files, and if there are no games.
    """
    endings = (*RECORDS, MATCH)
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in endings and path.is_file())
    found = [(game, one) for path in files for game, one in _read(path)]
    if not found:
        raise NoGames(f"{folder}: no games in it: they are files that end in {', '.join(RECORDS)} or {MATCH}")
    return found


def games_of(folder: Path, game: Game) -> list[Found]:
    """The games in a folder and its subfolders of one game with its options.

    Raises NoGames for invalid files, and if there are no games of this kind.
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
    """The only game found. Raises NoGames with a list if there are several."""
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
        # Game numbers are only unique within a match file.
        return replace(trace_of(found, game, OWN.key), id=GameId(OWN.key, number))
    return _trace_of_record(found, game, number)


def _trace_of_record(record: Record, game: Game, number: int) -> Trace | None:
    """The trace of a record's main line; None if the game isn't finished."""
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
