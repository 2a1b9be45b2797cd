"""Measure a network's strength: its score against the bots, level by level.

    python examples/evaluate.py network.pt
    python examples/evaluate.py network.pt --bots random 1 2 3 --openings 200 --plot ladder.svg

Games begin with random openings, and each opening is played once from every seat. Intervals are 95 %. The
network plays its most likely action without searching; docs/levels.md describes the bots' levels. Ctrl-C ends
early and draws the results so far.
"""

from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from contextlib import suppress
from math import prod
from pathlib import Path

import numpy as np
import torch
from matplotlib.figure import Figure
from rich.progress import track
from torch import Tensor, nn
from torch.distributions import Categorical

import kakomi
from kakomi.bots import make_bot
from kakomi.contest.estimate import Estimate, estimated
from kakomi.core import Game, Position
from kakomi.research import VectorEnv, observation_spec
from kakomi.study.matches.games import opening

MOST_STEPS = 2_000  # a longer game counts as a draw


class Help(ArgumentDefaultsHelpFormatter, RawDescriptionHelpFormatter):
    """Shows the description as it is, and the defaults of all options."""


class Network(nn.Module):
    """Predicts a policy and all players' expected returns from the observation of the player to act."""

    def __init__(self, game: Game, width: int = 256) -> None:
        super().__init__()
        seen = prod(observation_spec(game).shape)
        self.body = nn.Sequential(
            nn.Flatten(), nn.Linear(seen, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy = nn.Linear(width, len(game.actions))
        self.values = nn.Linear(width, game.players)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        """Return the policy over legal actions, and expected returns in turn order from the player to act."""
        body = self.body(observations)
        logits = self.policy(body).masked_fill(~masks, -torch.inf)
        values = self.values(body)
        return Categorical(logits=logits), values - values.mean(-1, keepdim=True)  # returns sum to 0


def save(network: Network, game: Game, path: Path) -> None:
    """Save a network and the game that it plays."""
    torch.save({"game": game.name, "options": dict(game.options), "weights": network.state_dict()}, path)


def load(path: Path) -> tuple[Network, Game]:
    """Load a network and its game."""
    kept = torch.load(path, weights_only=True)
    game = kakomi.game(kept["game"], **kept["options"])
    network = Network(game)
    network.load_state_dict(kept["weights"])
    return network, game


def tensors(env: VectorEnv) -> Namespace:
    """Return an environment's buffers as tensors that share their memory: every step changes them."""
    return Namespace(**{name: torch.from_dlpack(array) for name, array in vars(env.buffers).items()})


def openings(game: Game, count: int, seed: int) -> list[Position]:
    """Return positions to begin from, after random actions that don't decide the game."""
    found = []
    for number in range(count):
        position = game.start()
        for action in opening(game, seed + number, 2 * game.players):
            position = position.play_action(action)
        found.append(position)
    return found


@torch.no_grad()
def match(network: Network, bot: str, starts: list[Position], seed: int) -> Estimate:
    """Estimate the network's score against a bot: 1 for a win, and an equal share for a draw."""
    game, opponent = starts[0].game, make_bot(bot, seed=seed)
    n = len(starts) * game.players
    env, seats, returns = VectorEnv(game, n, autoreset="disabled"), np.arange(n) % game.players, np.zeros(n)
    for i in range(n):
        env.place(i, starts[i // game.players])
    shown, actions = tensors(env), np.zeros(n, np.int64)
    for _ in range(MOST_STEPS):
        playing = ~env.buffers.done
        own = playing & (env.buffers.to_move == seats)
        if own.any():
            actions[own] = network(shown.observations[own], shown.masks[own])[0].probs.argmax(-1)
        for i in np.flatnonzero(playing & ~own):
            actions[i] = opponent.choose(env.position(i))
        returns += env.step(actions).rewards[np.arange(n), seats]
        if env.buffers.done.all():
            break
    shares = (returns * (game.players - 1) + 1) / game.players
    return estimated(shares.reshape(len(starts), -1).mean(1).tolist(), game.players)


def draw(scores: dict[str, Estimate], game: Game, path: Path) -> None:
    """Plot the score against each bot with its 95 % interval; a dotted line marks an equal share."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for bot, estimate in scores.items():
        reach = [[estimate.score - estimate.low], [estimate.high - estimate.score]]
        axes.errorbar(bot, estimate.score, yerr=reach, fmt="o", capsize=4, color="C0")
    axes.axhline(1 / game.players, color="grey", linestyle=":")
    axes.set(ylim=(0, 1), xlabel="against", ylabel="score of the network", title=f"{game!r}")
    figure.savefig(path, dpi=150)


def main() -> None:
    """Play the matches and plot their results."""
    parser = ArgumentParser(description=__doc__, formatter_class=Help)
    add = parser.add_argument
    add("network", nargs="?", type=Path, default=Path("network.pt"), help="the file that train.py wrote")
    add("--bots", nargs="+", default=["random", *"12345678"], help="whom it plays against")
    add("--openings", type=int, default=100, help="each of them played from every seat")
    add("--seed", type=int, default=1, help="of openings and bots")
    add("--threads", type=int, default=1, help="of PyTorch; a small network wants few")
    add("--plot", type=Path, default=Path("levels.png"), help="what is drawn, as PNG, SVG or PDF")
    settings = parser.parse_args()
    torch.set_num_threads(settings.threads)
    try:
        (network, game), _ = load(settings.network), [make_bot(bot) for bot in settings.bots]
    except (OSError, ValueError) as error:
        parser.error(str(error))
    starts = openings(game, settings.openings, settings.seed)
    scores: dict[str, Estimate] = {}
    with suppress(KeyboardInterrupt):
        for bot in track(settings.bots, "playing"):
            scores[bot] = match(network, bot, starts, settings.seed)
            print(f"{bot:>8}  {scores[bot].score:6.1%}  ({scores[bot].low:.1%} to {scores[bot].high:.1%})")
    draw(scores, game, settings.plot)


if __name__ == "__main__":
    main()
