"""Train a network on a two-player game by self-play: Double DQN in plain PyTorch.

    pip install 'kakomi[examples]'
    python examples/dqn.py                       # Lin 5×5, a few minutes on two cores
    python examples/dqn.py --game rive size=3    # any other for two players, with its options

The network predicts what each action brings its player: the return at the end of the game, or the value of
the next position, negated if the other player acts there (before Rin's second stone it is the same player).
That value is the best action's, chosen by the network and evaluated by an older copy of it. The network plays
both sides of many games at once, less and less at random, and learns from a replay buffer. Ctrl-C ends
training early and keeps the network.

V. Mnih et al., "Human-level control through deep reinforcement learning", 2015; H. van Hasselt, A. Guez and
D. Silver, "Deep reinforcement learning with double Q-learning", 2016.
"""

from argparse import Namespace
from contextlib import suppress
from copy import deepcopy

import torch
from evaluate import Network, match, openings, save, tensors
from rich.progress import track
from torch import Tensor, nn
from train import STEPS, Curve, chosen, learning_parser

from kakomi.bots import make_bot
from kakomi.research import VectorEnv

UPDATES, BATCH = 8, 256  # after each step of all games
KEPT = 400  # steps in the replay buffer
REFRESHED = 200  # updates between refreshes of the older copy
EPSILON, FALLS = 0.05, 0.5  # the final chance of random actions, and the part of training until then
MOST_GRADIENT = 1.0


class Memory:
    """The last steps of all games as tensors (steps, games, ...); a game's next position is one row on."""

    def __init__(self, env: VectorEnv, steps: int) -> None:
        shown = tensors(env)
        kept = {"observations": shown.observations, "masks": shown.masks, "to_move": shown.to_move}
        kept |= {"actions": torch.zeros(env.n, dtype=torch.long), "rewards": torch.zeros(env.n)}
        kept |= {"done": shown.done}
        self.rows = {name: tensor.new_zeros(steps, *tensor.shape) for name, tensor in kept.items()}
        self.steps, self.games, self.count = steps, env.n, 0

    def add(self, **step: Tensor) -> None:
        """Replace the oldest step with a new one."""
        for name, tensor in step.items():
            self.rows[name][self.count % self.steps] = tensor
        self.count += 1

    def drawn(self, size: int) -> tuple[Namespace, Namespace]:
        """Draw random steps that have a next one; return them and the next ones."""
        after = self.count - 1 - torch.randint(min(self.count, self.steps) - 1, (size,))
        games = torch.randint(self.games, (size,))
        return self._at(after - 1, games), self._at(after, games)

    def _at(self, steps: Tensor, games: Tensor) -> Namespace:
        return Namespace(**{name: rows[steps % self.steps, games] for name, rows in self.rows.items()})


def returns(network: Network, observations: Tensor) -> Tensor:
    """Return the expected return of each action for its player, legal or not."""
    expected: Tensor = network.policy(network.body(observations))
    return expected


def best(network: Network, observations: Tensor, masks: Tensor) -> Tensor:
    """Return the legal actions with the highest expected returns."""
    return returns(network, observations).masked_fill(~masks, -torch.inf).argmax(-1)


@torch.no_grad()
def targets(network: Network, older: Network, now: Namespace, ahead: Namespace) -> Tensor:
    """Return the targets: an ended game's return, or the acting player's value of the next position."""
    actions = best(network, ahead.observations, ahead.masks)
    value = returns(older, ahead.observations).gather(-1, actions[:, None])[:, 0]
    return now.rewards + ~now.done * torch.where(ahead.to_move == now.to_move, value, -value)


@torch.no_grad()
def play(env: VectorEnv, network: Network, memory: Memory, epsilon: float) -> None:
    """Make one step in all games; each action is random with probability `epsilon`."""
    shown = tensors(env)
    seen = {name: getattr(shown, name).clone() for name in ("observations", "masks", "to_move")}
    actions = best(network, seen["observations"], seen["masks"])
    actions = torch.where(torch.rand(env.n) < epsilon, torch.from_numpy(env.sample()), actions)
    env.step(actions)
    rewards = shown.rewards.gather(-1, seen["to_move"][:, None].long())[:, 0]
    memory.add(**seen, actions=actions, rewards=rewards, done=shown.done)


class Learner:
    """The network, the older copy that evaluates its choices, and the optimizer."""

    def __init__(self, network: Network, rate: float, updates: int) -> None:
        self.network, self.older = network, deepcopy(network)
        self.optimizer = torch.optim.Adam(network.parameters(), rate)
        self.slower = torch.optim.lr_scheduler.LinearLR(self.optimizer, 1, 0, updates)
        self.count = 0

    def update(self, memory: Memory) -> None:
        """Move the expected returns of actions closer to their targets."""
        now, ahead = memory.drawn(BATCH)
        expected = returns(self.network, now.observations).gather(-1, now.actions[:, None])[:, 0]
        error = expected - targets(self.network, self.older, now, ahead)
        self.optimizer.zero_grad()
        error.square().mean().backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), MOST_GRADIENT)
        self.optimizer.step()
        self.slower.step()
        self.count += 1
        if self.count % REFRESHED == 0:
            self.older.load_state_dict(self.network.state_dict())


def main() -> None:
    """Train, measure at intervals, and save the network and the curve."""
    parser = learning_parser(__doc__)
    add = parser.add_argument
    add("--rounds", type=int, default=24, help="of playing and learning")
    add("--games", type=int, default=128, help=f"that are played at once, {STEPS} actions a round")
    add("--every", type=int, default=4, help="rounds from one point of the curve to the next")
    settings = parser.parse_args()
    try:
        game, _ = chosen(*settings.game), [make_bot(bot) for bot in settings.bots]
    except ValueError as error:
        parser.error(str(error))
    if game.players != 2:
        parser.error(f"{game!r} has {game.players} players: a value whose sign changes is for two")
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    env, network = VectorEnv(game, settings.games, seed=settings.seed, autoreset="same_step"), Network(game)
    memory, steps = Memory(env, KEPT), settings.rounds * STEPS
    learner = Learner(network, settings.rate, steps * UPDATES)
    starts, curve = openings(game, settings.openings, settings.seed), Curve(settings.bots)
    with suppress(KeyboardInterrupt):
        for step in track(range(steps + 1), "learning"):
            if step % (settings.every * STEPS) == 0:
                curve.measure(step * settings.games, lambda bot: match(network, bot, starts, settings.seed))
            if step < steps:
                play(env, network, memory, max(EPSILON, 1 - step / (FALLS * steps)))
                if step > STEPS:
                    for _ in range(UPDATES):
                        learner.update(memory)
    save(network, game, settings.network)
    curve.draw(game, settings.plot)


if __name__ == "__main__":
    main()
