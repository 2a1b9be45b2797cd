"""Seeded samples of positions, on which Kakomi and the programs are compared."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import kakomi
from benchmarks.independent.programs import OPTIONS, Line, Program
from kakomi.core import Position
from kakomi.solve import Solver
from kakomi.study.perft import perft

ON_A_WAY = 8
"""How many positions of each random game are compared, besides the last."""
SOLVER_MB = 16
MOST_NODES = 200_000
"""The most positions that Kakomi's solver may look at."""
MOST_STEPS = 100_000
"""The most actions that plain minimax may play."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of comparing one sample."""

    what: str
    compared: int
    disagreements: tuple[str, ...]


def random_game(options: Mapping[str, int], game: str, rng: random.Random) -> list[Position]:
    """Return the positions of a uniformly random game, from the start to the end."""
    position = kakomi.game(game, **options).start()
    positions = [position]
    while not position.is_over:
        position = position.play_action(rng.choice(position.legal_actions()))
        positions.append(position)
    return positions


def line_of(position: Position) -> Line:
    """Return a position as a program reads it."""
    texts = position.game.action_texts
    return Line(position.game.options, tuple(texts[action] for action in position.played()))


def lead(position: Position) -> int:
    """Return the first player's score minus the best other one."""
    first, *others = position.scores()
    return int(first - max(others))


def compare_boards(program: Program, options: Mapping[str, int], games: int, seed: int) -> Outcome:
    """Compare stones, player, lead and legal actions along random games, including their last positions."""
    rng = random.Random(seed)
    sample: list[Position] = []
    for _ in range(games):
        positions = random_game(options, program.game, rng)
        sample += [*rng.sample(positions, min(ON_A_WAY, len(positions))), positions[-1]]
    shown = program.show([line_of(position) for position in sample])
    wrong = tuple(
        _told(position, text)
        for position, one in zip(sample, shown, strict=True)
        for text in _differences(position, one.stones, one.legal, one.lead, one.player)
    )
    return Outcome(f"{name_of(program.game, options)}: positions of {games} random games", len(sample), wrong)


def _differences(
    position: Position, stones: Mapping[str, int], legal: frozenset[str], margin: int, player: int
) -> Iterator[str]:
    if position.stones() != stones:
        yield f"stones {position.stones()}, not {dict(stones)}"
    if set(position.legal()) != legal:
        yield f"legal {sorted(position.legal())}, not {sorted(legal)}"
    if lead(position) != margin:
        yield f"lead {lead(position)}, not {margin}"
    if not position.is_over and position.to_move != player:
        yield f"player {position.to_move} to act, not {player}"


def compare_perft(
    program: Program, options: Mapping[str, int], depth: int, positions: int, seed: int
) -> Outcome:
    """Compare counts of sequences up to a depth, from the start and from random positions."""
    rng = random.Random(seed)
    sample = [kakomi.game(program.game, **options).start()]
    sample += [rng.choice(random_game(options, program.game, rng)) for _ in range(positions)]
    counts = program.perft([line_of(position) for position in sample], depth)
    wrong = []
    for position, found in zip(sample, counts, strict=True):
        ours = [perft(position, level) for level in range(1, depth + 1)]
        if ours != found:
            wrong.append(_told(position, f"perft {ours}, not {found}"))
    what = f"{name_of(program.game, options)}: perft to depth {depth}"
    return Outcome(what, len(sample) * depth, tuple(wrong))


def solved_late_positions(
    options: Mapping[str, int], game: str, number: int, latest: int, seed: int
) -> Iterator[tuple[Position, int]]:
    """Yield positions with 1 to `latest` actions left in random games, each with its value by Kakomi's
    solver.

    Each comes from another game. Positions that take the solver over `MOST_NODES` nodes are skipped.
    """
    rng = random.Random(seed)
    while number:
        positions = random_game(options, game, rng)
        position = positions[max(0, len(positions) - 1 - rng.randint(1, latest))]
        solver = Solver(position, seat=0, memory_mb=SOLVER_MB)
        if not solver.run(lambda progress: progress.nodes < MOST_NODES):
            continue
        number -= 1
        yield position, solver.value


def compare_values(
    program: Program, options: Mapping[str, int], number: int, latest: int, seed: int, memory_mb: int = 64
) -> Outcome:
    """Compare exact values of late positions by a program and by Kakomi's solver."""
    sample = list(solved_late_positions(options, program.game, number, latest, seed))
    found = program.values([line_of(position) for position, _ in sample], memory_mb)
    wrong = tuple(
        _told(position, f"value {ours}, not {value.margin}")
        for (position, ours), value in zip(sample, found, strict=True)
        if ours != value.margin
    )
    what = f"{name_of(program.game, options)}: values, 1 to {latest} actions before the end of random games"
    return Outcome(what, len(sample), wrong)


def compare_plain(
    program: Program, options: Mapping[str, int], number: int, latest: int, seed: int, memory_mb: int = 64
) -> Outcome:
    """Compare exact values by a program's solver and by its own plain minimax, where that is feasible."""
    rng = random.Random(seed)
    sample = []
    for _ in range(number):
        positions = random_game(options, program.game, rng)
        sample.append(line_of(positions[max(0, len(positions) - 1 - rng.randint(1, latest))]))
    plain = program.plain_margins(sample, MOST_STEPS)
    values = program.values(sample, memory_mb)
    pairs = [
        (line, by_rules, value.margin) for line, by_rules, value in zip(sample, plain, values, strict=True)
    ]
    wrong = tuple(
        f"{_spelled(program.game, line)}: minimax says {by_rules}, not {margin}"
        for line, by_rules, margin in pairs
        if by_rules not in (None, margin)
    )
    what = f"{name_of(program.game, options)}: values by the second program's solver and by its plain minimax"
    return Outcome(what, sum(by_rules is not None for _, by_rules, _ in pairs), wrong)


def name_of(game: str, options: Mapping[str, int]) -> str:
    """Return a board's name, such as "lin size 5 line 4"."""
    return " ".join([game, *(f"{name} {value}" for name, value in options.items())])


def _told(position: Position, what: str) -> str:
    return f"{_spelled(position.game.name, line_of(position))}: Kakomi says {what}"


def _spelled(game: str, line: Line) -> str:
    options = {name: line.options[name] for name in OPTIONS[game]}
    return f"{name_of(game, options)} after {' '.join(line.actions) or 'nothing'}"
