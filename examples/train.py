"""Train a network on a game by self-play: masked PPO in plain PyTorch.

    pip install 'kakomi[examples]'
    python examples/train.py                                  # Lin 5×5, a few minutes on two cores
    python examples/train.py --game rings size=2 players=3    # any other, with its options

The network plays for all players of many games at once, and predicts a value for each player. Each player's
value of a position is bootstrapped from that player's value of the next one, and no sign changes with the
player to act. So a turn may have several actions, and six players are no harder than two. At intervals the
network plays bots, which gives a point of the curve. Ctrl-C ends training early and keeps the network.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import torch
from evaluate import Help, Network, make_bot, match, openings, save, tensors
from matplotlib.figure import Figure
from rich.progress import track
from torch import Tensor, nn

import kakomi
from kakomi.contest.estimate import Estimate
from kakomi.core import Game
from kakomi.research import VectorEnv

STEPS, EPOCHS, BATCH = 64, 4, 1024
TRACE = 0.95  # λ of the advantages; there is no discount, since games end
CLIP, ENTROPY, MOST_GRADIENT = 0.2, 0.02, 0.5


def from_player(first: Tensor, values: Tensor) -> Tensor:
    """Rotate values in turn order to begin `first` places later (earlier if negative)."""
    players = values.shape[-1]
    return values.gather(-1, (torch.arange(players) + first[..., None]) % players)


@torch.no_grad()
def play(env: VectorEnv, network: Network) -> Namespace:
    """Play the next steps of all games; return tensors (steps, games, ...), with values from player 0 on."""
    shown, steps = tensors(env), []
    for _ in range(STEPS):
        seen = {name: tensor.clone() for name, tensor in vars(shown).items()}
        policy, values = network(seen["observations"], seen["masks"])
        actions = policy.sample()
        env.step(actions)
        played = {"actions": actions, "log_chances": policy.log_prob(actions)}
        played["values"] = from_player(-seen["to_move"], values)
        steps.append(seen | played | {"rewards": shown.rewards.clone(), "done": shown.done.clone()})
    ahead = from_player(-shown.to_move, network(shown.observations, shown.masks)[1])
    return Namespace(ahead=ahead, **{name: torch.stack([step[name] for step in steps]) for name in steps[0]})


def advantages(played: Namespace) -> Tensor:
    """Return each step's advantage for every player (generalised advantage estimation)."""
    ahead, advantage, found = played.ahead, torch.zeros_like(played.ahead), []
    for step in reversed(range(STEPS)):
        goes_on = ~played.done[step, :, None]
        advantage = played.rewards[step] + goes_on * (ahead + TRACE * advantage) - played.values[step]
        ahead = played.values[step]
        found.append(advantage)
    return torch.stack(found[::-1])


def learn(network: Network, optimizer: torch.optim.Optimizer, played: Namespace) -> None:
    """Make actions with an advantage more likely, without moving far from the policy that played them."""
    advantage = advantages(played)
    returns = from_player(played.to_move, played.values + advantage).flatten(0, 1)
    own = from_player(played.to_move, advantage)[..., 0].flatten()
    own = (own - own.mean()) / (own.std() + 1e-8)
    observations, masks = played.observations.flatten(0, 1), played.masks.flatten(0, 1)
    actions, log_chances = played.actions.flatten(), played.log_chances.flatten()
    for _ in range(EPOCHS):
        for some in torch.randperm(len(actions)).split(BATCH):
            policy, values = network(observations[some], masks[some])
            ratio = (policy.log_prob(actions[some]) - log_chances[some]).exp()
            gain = torch.min(ratio * own[some], ratio.clamp(1 - CLIP, 1 + CLIP) * own[some]).mean()
            error = (values - returns[some]).square().mean()
            optimizer.zero_grad()
            (error - gain - ENTROPY * policy.entropy().mean()).backward()
            nn.utils.clip_grad_norm_(network.parameters(), MOST_GRADIENT)
            optimizer.step()


class Curve:
    """The scores against each bot by number of training actions, printed as they are measured."""

    def __init__(self, bots: list[str]) -> None:
        self.points: dict[int, dict[str, Estimate]] = {}
        self._bots = bots
        print(f"{'actions':>10}", *(f"{bot:>8}" for bot in bots))

    def measure(self, actions: int, score: Callable[[str], Estimate]) -> None:
        """Measure and print a point."""
        self.points[actions] = {bot: score(bot) for bot in self._bots}
        print(f"{actions:10,}", *(f"{point.score:8.1%}" for point in self.points[actions].values()))

    def draw(self, game: Game, path: Path) -> None:
        """Plot a line for each bot, with its 95 % interval as a band."""
        figure, actions = Figure(figsize=(7, 4), layout="constrained"), list(self.points)
        axes = figure.subplots()
        for bot in self._bots:
            points = [point[bot] for point in self.points.values()]
            axes.plot(actions, [point.score for point in points], marker=".", label=bot)
            axes.fill_between(actions, [p.low for p in points], [p.high for p in points], alpha=0.2)
        axes.set(ylim=(0, 1), xlabel="actions learned from", ylabel="score", title=f"{game!r}")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        figure.legend(title="against", loc="outside center right")
        figure.savefig(path, dpi=150)


def chosen(name: str, *options: str) -> Game:
    """Return a game by its name and options such as `size=5`. Raises ValueError, saying what is available."""
    pairs = (option.partition("=") for option in options)
    return kakomi.game(name, **{option: int(value) for option, _, value in pairs})


def learning_parser(description: str | None) -> ArgumentParser:
    """Return a parser with the options that all training scripts share."""
    parser = ArgumentParser(description=description, formatter_class=Help)
    add = parser.add_argument
    add(
        "--game", nargs="+", default=["lin", "size=5"], metavar=("NAME", "OPTION=VALUE"), help="to be learned"
    )
    add("--rate", type=float, default=1e-3, help="of learning; it falls to 0 in the end")
    add("--bots", nargs="+", default=["random", "1", "3"], help="whom the curve is against")
    add("--openings", type=int, default=50, help="for a point, each played from every seat")
    add("--seed", type=int, default=1, help="decides everything that is random")
    add("--threads", type=int, default=1, help="of PyTorch; a small network wants few")
    add("--network", type=Path, default=Path("network.pt"), help="the file that is written")
    add("--plot", type=Path, default=Path("curve.png"), help="the curve, as PNG, SVG or PDF")
    return parser


def main() -> None:
    """Train, measure at intervals, and save the network and the curve."""
    parser = learning_parser(__doc__)
    add = parser.add_argument
    add("--rounds", type=int, default=80, help="of playing and learning")
    add("--games", type=int, default=128, help=f"that are played at once, {STEPS} actions a round")
    add("--every", type=int, default=10, help="rounds from one point of the curve to the next")
    settings = parser.parse_args()
    try:
        game, _ = chosen(*settings.game), [make_bot(bot) for bot in settings.bots]
    except ValueError as error:
        parser.error(str(error))
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    env, network = VectorEnv(game, settings.games, autoreset="same_step"), Network(game)
    optimizer = torch.optim.Adam(network.parameters(), settings.rate)
    slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0, settings.rounds)
    starts, curve = openings(game, settings.openings, settings.seed), Curve(settings.bots)
    with suppress(KeyboardInterrupt):
        for rounds in track(range(settings.rounds + 1), "learning"):
            if rounds:
                learn(network, optimizer, play(env, network))
                slower.step()
            if rounds % settings.every == 0:
                actions = rounds * settings.games * STEPS
                curve.measure(actions, lambda bot: match(network, bot, starts, settings.seed))
    save(network, game, settings.network)
    curve.draw(game, settings.plot)


if __name__ == "__main__":
    main()
