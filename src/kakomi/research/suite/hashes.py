"""What a result was made with, as hashes: rules, opponents, weights and agents."""

import hashlib
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

from kakomi.bots.spec import parse_spec
from kakomi.core import Game, Position
from kakomi.core.seeds import derived_seed
from kakomi.kernel import random_state
from kakomi.research.suite.agent import PROGRAM, AgentMaker, is_function, source_of, spec_of_task
from kakomi.research.suite.track import Task, Track
from kakomi.study.tournament import PATIENCE_SECONDS
from kakomi.study.tournament.opening import opening, random_walk

GAMES = 3
MOST_PLIES = 400


@cache
def rules_hash(game: Game) -> str:
    """SHA-256 over what the rules do in three seeded random games: who acts, what is legal, how it ends.

    It tells rules apart by what they do and not by their source, so that it is the same for every version of
    Python and for faster code.
    """
    digest = hashlib.sha256("\n".join(game.action_texts).encode())
    for number in range(GAMES):
        rng = random_state(derived_seed(number, "rules", game.name))
        for position in islice(random_walk(game.start(), rng), MOST_PLIES + 1):
            legal = [] if position.is_over else position.legal_actions()
            digest.update(repr((position.to_move, list(map(int, legal)), position.scores())).encode())
    return digest.hexdigest()


def opponents_hash(track: Track) -> str:
    """SHA-256 over what each opponent of a track does at the start of each task and after one opening; empty
    for a track in which opponents think for so many seconds."""
    if track.budget.cpu is not None:
        return ""
    digest = hashlib.sha256()
    make = AgentMaker(track.budget)
    for task in track.tasks:
        for opponent in track.opponents:
            bot = make(opponent, seed=derived_seed(1, track.id, "opponent"), patience=PATIENCE_SECONDS)
            for position in _looked_at(track, task):
                digest.update(position.game.action_texts[bot.choose(position)].encode() + b"\n")
    return digest.hexdigest()


def file_hash(path: Path) -> str:
    """SHA-256 of a file. Raises OSError."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def weights_hashes(specs: list[str], tasks: list[Task], files: list[Path]) -> dict[str, str]:
    """SHA-256 of each file that an agent plays by: networks and tables that its names mean, and those given.

    Raises OSError for a file that can't be read.
    """
    found = {str(path): path for path in files}
    for spec in specs:
        for task in tasks:
            found |= _advice(spec_of_task(spec, task), task.found_game)
    return {name: file_hash(path) for name, path in found.items()}


def code_hash(specs: list[str], tasks: list[Task]) -> str:
    """SHA-256 of the source files of the functions among some agents; empty without any."""
    own = dict.fromkeys(spec_of_task(spec, task) for spec in specs for task in tasks)
    sources = dict.fromkeys(source_of(spec) for spec in own if is_function(spec))
    joined = "".join(sorted(file_hash(Path(source)) for source in sources if source))
    return hashlib.sha256(joined.encode()).hexdigest() if joined else ""


def _advice(spec: str, game: Game) -> dict[str, Path]:
    """The file that advises a bot, as its name calls it, or `ren/patterns.npz` for one of the game's own."""
    parsed = None if is_function(spec) or spec.startswith(PROGRAM) else parse_spec(spec)
    if parsed is None or parsed.kind not in ("net", "patterns"):
        return {}
    path = Path(parsed.file_for(game))
    return {parsed.file or f"{game.name}/{path.name}": path}


def _looked_at(track: Track, task: Task) -> Iterator[Position]:
    position = task.found_game.start()
    yield position
    for action in opening(task.found_game, derived_seed(1, track.id), 2 * task.found_game.players):
        position = position.play_action(action)
    yield position
