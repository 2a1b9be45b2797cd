"""Fit the weights of Ren's prior to what long searches visit.

    python -m benchmarks.ren_prior [--positions 1000] [--simulations 30000] [--size 10] [--keep FILE]

Positions come from games of short searches that begin, and now and then go on, at random. Of each the share
of visits that a long search gives every action is kept, in FILE too, to which a later call adds. Then the
weights are fitted by softmax regression, which minimises the cross-entropy between those shares and the
prior's, with a small penalty on their squares. A fifth of the positions is held out; the others decide the
weights. They are printed as `kakomi.games.ren.policy` has them.
"""

import argparse
import pickle
import random
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import kakomi
from benchmarks.bouts import tell
from kakomi.bots import Bot, make_bot
from kakomi.core import Game, Position
from kakomi.games.ren import policy
from kakomi.kernel import driver
from kakomi.kernel.contract import legal
from kakomi.search import Search

PLAYER = "search:simulations=1500,temperature=0.5"
"""Who plays the games that positions are taken from: by the squares of the visits."""
RANDOM_PLIES = 6
TAKEN = 0.12
PENALTY = 2e-4
STEPS = 2_000


@dataclass(frozen=True)
class Lesson:
    """A position, and what a long search made of it."""

    actions: tuple[int, ...]
    shares: dict[int, float]
    """Action -> its share of the visits."""


@driver
def describe(boards, states, scratches, units, out):
    """The features of every legal action, in the order of `legal`; how many actions there are."""
    board, state, scratch = boards[0], states[0], scratches[0]
    count = legal(board, state, scratch)
    for i in range(count):
        for k in range(len(units)):
            out[i, k] = policy.log_share(board, state, int(scratch.actions[i]), units[k])
    return count


def lessons(game: Game, positions: int, simulations: int, seed: int) -> list[Lesson]:
    """Play games and search deeply here and there."""
    rng = random.Random(seed)
    learned: list[Lesson] = []
    while len(learned) < positions:
        position = game.start()
        bot = make_bot(PLAYER, seed=rng.randrange(2**31))
        while not position.is_over and len(learned) < positions:
            if position.ply >= RANDOM_PLIES and rng.random() < TAKEN:
                learned += lesson(position, simulations, rng.randrange(2**31))
            position = position.play_action(_next(position, bot, rng))
        tell(f"{len(learned)} of {positions} positions")
    tell("")
    return learned


def _next(position: Position, bot: Bot, rng: random.Random) -> int:
    """At random at first and once in ten times, else what the bot plays."""
    if position.ply < RANDOM_PLIES or rng.random() < 0.1:
        return rng.choice(position.legal_actions())
    return bot.choose(position)


def lesson(position: Position, simulations: int, seed: int) -> list[Lesson]:
    """What a search with flatter shares than the bots' visits; nothing if the result is proven."""
    config = position.game.description.search_config
    flat = replace(config, prior_scale=2 * config.prior_scale)
    report = Search(position.game, seed=seed, config=flat).run(position, simulations=simulations)
    if report.is_proven:
        return []
    whole = sum(line.visits for line in report.lines)
    shares = {line.action: line.visits / whole for line in report.lines}
    return [Lesson(tuple(position.actions_since(position.game.start()) or ()), shares)]


@dataclass(frozen=True)
class Table:
    """Features and shares of all actions of many positions, row by row."""

    features: np.ndarray
    shares: np.ndarray
    starts: np.ndarray
    """The row that each position begins with."""

    @staticmethod
    def of(game: Game, learned: list[Lesson]) -> "Table":
        """What is to be learned, as arrays."""
        units = np.eye(policy.FEATURES)
        out = np.zeros((len(game.actions), policy.FEATURES))
        features, shares, starts, rows = [], [], [], 0
        for one in learned:
            position = game.start()
            for action in one.actions:
                position = position.play_action(action)
            count = describe(game.board, position.states(), game.scratch, units, out)
            features.append(out[:count].copy())
            shares += [one.shares.get(action, 0.0) for action in position.legal_actions()]
            starts.append(rows)
            rows += count
        return Table(np.concatenate(features), np.array(shares), np.array(starts))

    def priors(self, weights: np.ndarray) -> np.ndarray:
        """The shares by the prior."""
        lengths = np.diff(self.starts, append=len(self.shares))
        logs = self.features @ weights
        odds = np.exp(logs - np.repeat(np.maximum.reduceat(logs, self.starts), lengths))
        return odds / np.repeat(np.add.reduceat(odds, self.starts), lengths)

    def cross_entropy(self, weights: np.ndarray) -> float:
        """Of the prior, in nats a position; that of shares that are known exactly is their entropy."""
        return float(-(self.shares * np.log(self.priors(weights))).sum() / len(self.starts))

    def gradient(self, weights: np.ndarray) -> np.ndarray:
        """Of the cross-entropy."""
        slope: np.ndarray = (self.priors(weights) - self.shares) @ self.features / len(self.starts)
        return slope


def fitted(table: Table) -> np.ndarray:
    """The weights, by Adam (D. Kingma and J. Ba, 2015)."""
    weights, mean, square = (np.zeros(policy.FEATURES) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = table.gradient(weights) + PENALTY * weights
        mean += 0.1 * (slope - mean)
        square += 0.001 * (slope**2 - square)
        weights -= 0.02 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ren_prior", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--positions", type=int, default=1000, help="to learn from (default 1000)")
    parser.add_argument("--simulations", type=int, default=30_000, help="for each of them (default 30000)")
    parser.add_argument("--size", type=int, default=10, help="of the board (default 10)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file of positions, to which new ones are added")
    arguments = parser.parse_args()
    game = kakomi.game("ren", size=arguments.size)
    learned = _kept(arguments.keep)
    seed = arguments.seed + len(learned)  # else a file would get the games that it holds once more
    learned += lessons(game, arguments.positions - len(learned), arguments.simulations, seed)
    if arguments.keep:
        arguments.keep.write_bytes(pickle.dumps(learned))
    held_out = Table.of(game, learned[::5])
    table = Table.of(game, [one for i, one in enumerate(learned) if i % 5])
    weights = fitted(table)
    for name, one in (("uniform", 0 * weights), ("as it is", policy.WEIGHTS), ("fitted", weights)):
        inside, outside = table.cross_entropy(one), held_out.cross_entropy(one)
        print(f"cross-entropy, {name}: {inside:.3f}, of what was held out {outside:.3f}")
    print(", ".join(f"{weight:.2f}" for weight in weights))


def _kept(path: Path | None) -> list[Lesson]:
    learned: list[Lesson] = pickle.loads(path.read_bytes()) if path and path.exists() else []
    return learned


if __name__ == "__main__":
    main()
