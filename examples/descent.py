"""Train a network on a two-player game by searching to the ends of games: Descent in plain PyTorch.

    pip install 'kakomi[examples]'
    python examples/descent.py                       # Lin 5×5, a minute or two
    python examples/descent.py --game rive size=3    # any other for two players, with its options

From each position of a game, a descent goes down to an end: it expands the position by making all actions,
evaluates the results with the network, and continues from the best. Values are backed up by minimax, and the
network learns those of all expanded positions. Positions with certain values are solved and not searched
again. Every action that the search makes counts as training.

To play, the search repeatedly expands the best position that it finds, and then takes the action that it
followed most often. The network learns only values: evaluate.py plays by the policy, and so can't measure it.
Ctrl-C ends training early and keeps the network.

Q. Cohen-Solal, "Learning to play two-player perfect-information games without knowledge", 2020.
"""

import math
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property

import numpy as np
import torch
from evaluate import Network, openings, save
from rich.progress import Progress
from torch import Tensor
from train import Curve, chosen, learning_parser

from kakomi.bots import make_bot
from kakomi.contest.estimate import Estimate, estimated
from kakomi.core import Game, Position
from kakomi.core.returns import chance_of, share_returns
from kakomi.research import images, observation_spec, observe

KEPT, BATCH = 16_384, 256  # positions in the replay buffer, and in a batch
EPOCHS = 100  # how often each position is trained on, on average
MOST_CERTAIN = 0.99  # the limit of a network's values, since only solved ones are certain


class Node:
    """A position in a tree. Its value is the first player's expected return, nan at first."""

    def __init__(self, position: Position) -> None:
        self.position, self.sign = position, -1 if position.to_move else 1
        self.children: list[Node] = []
        self.visits: list[int] = []
        self.solved = has_ended(position)
        self.value = outcome(position) if self.solved else math.nan

    @cached_property
    def actions(self) -> list[int]:
        """The legal actions, in the order of the children."""
        return self.position.legal_actions()

    @cached_property
    def observation(self) -> np.ndarray:
        """The observation of the player to act."""
        return observe(self.position)[0]

    def worth(self, child: "Node") -> float:
        """Return a child's value for the player who acts here."""
        return self.sign * child.value

    def back_up(self) -> None:
        """Take the best child's value. The node is solved if that is a win, or if all children are solved."""
        if self.children:
            best = max(map(self.worth, self.children))
            self.value = self.sign * best
            self.solved = best == 1 or all(child.solved for child in self.children)

    def visit(self) -> "Node":
        """Return the child to search next, the best that isn't solved, and count the visit."""
        places = [place for place, child in enumerate(self.children) if not child.solved]
        best = max(places, key=lambda place: self.worth(self.children[place]))
        self.visits[best] += 1
        return self.children[best]

    def safest(self) -> int:
        """Return the action to play: a proven win, or else the most visited one that isn't a proven loss."""

        def safety(place: int) -> tuple[float, int, float]:
            child = self.children[place]
            return child.solved * self.worth(child), self.visits[place], self.worth(child)

        return self.actions[max(range(len(self.children)), key=safety)]


def has_ended(position: Position) -> bool:
    """Return whether the game is over, or so long that it is cut off and scored."""
    cut_off = position.game.cut_off
    return position.is_over or (cut_off is not None and position.ply >= cut_off)


def outcome(position: Position) -> float:
    """Return the first player's return by the current scores."""
    returns = [0.0, 0.0]
    share_returns(position.scores(), 2, returns)
    return returns[0]


def own_values(network: Network, observations: Tensor) -> Tensor:
    """Return the expected returns of the players to act."""
    values: Tensor = network.values(network.body(observations))
    return (values[:, 0] - values[:, 1]) / 2


class Tree:
    """A graph of positions without duplicates; at most `limit` actions may be made in it."""

    def __init__(self, network: Network, limit: int = 0) -> None:
        self.network, self.limit, self.made = network, limit, 0
        self.nodes: dict[tuple[int, bytes], Node] = {}

    def node(self, position: Position) -> Node:
        """Return a position's node. Its key includes the number of actions so far, which rules out cycles."""
        return self.nodes.setdefault((position.ply, position.key()), Node(position))

    def allows(self, node: Node) -> bool:
        """Return whether the limit allows expanding a node."""
        return self.made + len(node.actions) <= self.limit

    def expand(self, node: Node) -> None:
        """Make all actions of a position, and evaluate the new positions."""
        node.children = [self.node(node.position.play_action(action)) for action in node.actions]
        node.visits = [0] * len(node.children)
        self.made += len(node.children)
        if new := [child for child in node.children if math.isnan(child.value)]:
            for child, value in zip(new, self._values(new), strict=True):
                child.value = child.sign * value

    @torch.no_grad()
    def _values(self, nodes: list[Node]) -> list[float]:
        seen = torch.from_numpy(np.stack([node.observation for node in nodes]))
        return own_values(self.network, seen).clamp(-MOST_CERTAIN, MOST_CERTAIN).tolist()

    def path(self, node: Node) -> list[Node]:
        """Return the best path from a node to one that isn't expanded or is solved."""
        path = [node]
        while path[-1].children:
            path[-1].back_up()  # its children may have been solved on another path
            if path[-1].solved:
                break
            path.append(path[-1].visit())
        return path

    def descend(self, root: Node) -> None:
        """Expand one position after another, until one is solved, such as the end of the game."""
        path = self.path(root)
        while not path[-1].solved and self.allows(path[-1]):
            self.expand(path[-1])
            path += self.path(path[-1])[1:]
        back_up(path)

    def search(self, root: Node) -> None:
        """Expand the best unsolved position, again and again, until the limit is reached."""
        while not root.solved:
            path = self.path(root)
            if not path[-1].solved:
                if not self.allows(path[-1]):
                    break
                self.expand(path[-1])
            back_up(path)


def back_up(path: list[Node]) -> None:
    """Update the values along a path, from its end."""
    for node in reversed(path):
        node.back_up()


class Player:
    """Plays one game with a search that evaluates at most `evaluations` positions for each action.

    Raises ValueError if the game isn't for two, or if a position can have more actions than that.
    """

    def __init__(self, network: Network, game: Game, evaluations: int) -> None:
        if game.players != 2:
            raise ValueError(f"{game!r} has {game.players} players; minimax is for two")
        if evaluations < len(game.actions):
            raise ValueError(f"{evaluations} evaluations are too few for {len(game.actions)} actions")
        self.tree, self.evaluations = Tree(network), evaluations

    def choose(self, position: Position) -> int:
        """Return the number of the action to play. The tree is kept for the game's later actions."""
        self.tree.limit = self.tree.made + self.evaluations
        root = self.tree.node(position)
        self.tree.search(root)
        return root.safest()


def match(network: Network, bot: str, starts: list[Position], seed: int, evaluations: int) -> Estimate:
    """Estimate the player's score against a bot, 1 for a win and ½ for a draw."""
    opponent = make_bot(bot, seed=seed)
    scores = []
    for start in starts:
        chances = []
        for seat, sign in enumerate((1, -1)):
            player, position = Player(network, start.game, evaluations), start
            while not has_ended(position):
                own = position.to_move == seat
                position = position.play_action((player if own else opponent).choose(position))
            chances.append(chance_of(sign * outcome(position), 2))
        scores.append(sum(chances) / 2)
    return estimated(scores, 2)


def drawn(node: Node, greed: float) -> Node:
    """Draw a child by the ordinal law: uniformly with a greed of 0, always the best with 1."""
    ranked = sorted(node.children, key=node.worth, reverse=True)
    left = range(len(ranked), 0, -1)
    chances = (greed + (1 - greed) / others for others in left)
    return next(child for child, chance in zip(ranked, chances, strict=True) if torch.rand(()) < chance)


def play(tree: Tree, node: Node, greed: float) -> None:
    """Play a game, with a descent from each position, until the rest of it is solved."""
    while not node.solved and tree.allows(node):
        tree.descend(node)
        node = drawn(node, greed)


class Learner:
    """The network, and its replay buffer of recent positions."""

    def __init__(self, network: Network, game: Game, rate: float) -> None:
        self.network, self.images, self.rate = network, images(game), rate
        self.optimizer = torch.optim.Adam(network.parameters())
        self.seen, self.returns = torch.empty(0, *observation_spec(game).shape), torch.empty(0)

    def learn(self, tree: Tree, left: float) -> None:
        """Add the expanded positions of a tree to the buffer, and train in proportion to their number.

        As positions are few, each batch uses a random symmetry of the board. `left` is the remaining fraction
        of training, which scales the learning rate.
        """
        nodes = [node for node in tree.nodes.values() if node.children]
        seen = torch.from_numpy(np.stack([node.observation for node in nodes]))
        self.seen = torch.cat([self.seen, seen])[-KEPT:]
        returns = torch.tensor([node.sign * node.value for node in nodes])
        self.returns = torch.cat([self.returns, returns])[-KEPT:]
        for group in self.optimizer.param_groups:
            group["lr"] = left * self.rate
        for _ in range(math.ceil(EPOCHS * len(nodes) / BATCH)):
            self._update(torch.randint(len(self.returns), (BATCH,)))

    def _update(self, some: Tensor) -> None:
        image = self.images[int(torch.randint(len(self.images), ()))]
        seen = torch.from_numpy(image.observations(self.seen[some].numpy()))
        error = (own_values(self.network, seen) - self.returns[some]).square().mean()
        self.optimizer.zero_grad()
        error.backward()
        self.optimizer.step()


def learning(network: Network, game: Game, actions: int, rate: float) -> Iterator[int]:
    """Play and learn, one game after another; yield the number of actions made so far, from 0 on."""
    learner, made = Learner(network, game, rate), 0
    with Progress() as progress:
        shown = progress.add_task("learning", total=actions)
        yield made
        while (tree := Tree(network, actions - made)).allows(root := tree.node(game.start())):
            part = made / actions
            play(tree, root, greed=part)
            learner.learn(tree, left=1 - part)
            made += tree.made
            progress.update(shown, completed=made)
            yield made


def main() -> None:
    """Train, measure at intervals, and save the network and the curve."""
    parser = learning_parser(__doc__)
    add = parser.add_argument
    add("--actions", type=int, default=200_000, help="that are made at most, all of the search counted")
    add("--every", type=int, default=40_000, help="actions from one point of the curve to the next")
    add("--evaluations", type=int, default=100, help="for an action in the games of the curve")
    settings = parser.parse_args()
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    try:
        game, _ = chosen(*settings.game), [make_bot(bot) for bot in settings.bots]
        network = Network(game)
        Player(network, game, settings.evaluations)
    except ValueError as error:
        parser.error(str(error))
    starts, made = openings(game, settings.openings, settings.seed), 0
    curve = Curve(settings.bots)

    def score(bot: str) -> Estimate:
        return match(network, bot, starts, settings.seed, settings.evaluations)

    with suppress(KeyboardInterrupt):
        for made in learning(network, game, settings.actions, settings.rate):
            if made >= len(curve.points) * settings.every:
                curve.measure(made, score)
        if made not in curve.points:
            curve.measure(made, score)
    save(network, game, settings.network)
    curve.draw(game, settings.plot)


if __name__ == "__main__":
    main()
