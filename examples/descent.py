"""A network learns a game for two by searching it to its ends: Descent in plain PyTorch.

    pip install 'kakomi[examples]'
    python examples/descent.py                       # Lin 5×5, a minute or two
    python examples/descent.py --game rive size=3    # any other for two players, with its options

From each position of a game a descent goes down to an end: it makes all actions, asks the network what they
lead to, takes the best and goes on from there. Values go back up by minimax, and the network learns those of
all positions whose actions were made. What is known for certain is solved, and not searched again. Every
action that the search makes counts as learned from.

To play, the search makes the actions of the best position that it finds, over and over, and takes the action
that led there most often. The network learns values alone: evaluate.py plays by the policy, and so can't
measure it. Ctrl-C ends learning early and keeps what was learned.

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
from kakomi.core import Game, Position
from kakomi.core.returns import chance_of, share_returns
from kakomi.research import images, observation_spec, observe
from kakomi.study.tournament import Estimate, estimated

KEPT, BATCH = 16_384, 256  # positions that are remembered, and that are learned from at once
EPOCHS = 100  # how often a position is learned from, on average
MOST_CERTAIN = 0.99  # a network's values go no further: certain is only what is solved


class Node:
    """A position in a tree. Its value is the return that the first player may expect, nan at first."""

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
        """What the player to act sees."""
        return observe(self.position)[0]

    def worth(self, child: "Node") -> float:
        """A child's value for the player who acts here."""
        return self.sign * child.value

    def back_up(self) -> None:
        """Take over the value of the best child. It is solved if it is a win, or if all children are."""
        if self.children:
            best = max(map(self.worth, self.children))
            self.value = self.sign * best
            self.solved = best == 1 or all(child.solved for child in self.children)

    def visit(self) -> "Node":
        """The child to look into next: the best that isn't solved."""
        places = [place for place, child in enumerate(self.children) if not child.solved]
        best = max(places, key=lambda place: self.worth(self.children[place]))
        self.visits[best] += 1
        return self.children[best]

    def safest(self) -> int:
        """The action to play: a win, or else the one most looked into that isn't a loss."""

        def safety(place: int) -> tuple[float, int, float]:
            child = self.children[place]
            return child.solved * self.worth(child), self.visits[place], self.worth(child)

        return self.actions[max(range(len(self.children)), key=safety)]


def has_ended(position: Position) -> bool:
    """Whether the game is over, or so long that it is cut off and counted."""
    cut_off = position.game.cut_off
    return position.is_over or (cut_off is not None and position.ply >= cut_off)


def outcome(position: Position) -> float:
    """The return of the first player, as the scores stand."""
    returns = [0.0, 0.0]
    share_returns(position.scores(), 2, returns)
    return returns[0]


def own_values(network: Network, observations: Tensor) -> Tensor:
    """The returns that the players to act may expect."""
    values: Tensor = network.values(network.body(observations))
    return (values[:, 0] - values[:, 1]) / 2


class Tree:
    """Positions, each once by however many ways it is reached; `limit` actions may be made in all."""

    def __init__(self, network: Network, limit: int = 0) -> None:
        self.network, self.limit, self.made = network, limit, 0
        self.nodes: dict[tuple[int, bytes], Node] = {}

    def node(self, position: Position) -> Node:
        """A position's node. The number of actions so far is part of its name, so that no way is a circle."""
        return self.nodes.setdefault((position.ply, position.key()), Node(position))

    def allows(self, node: Node) -> bool:
        """Whether all actions of a position may be made."""
        return self.made + len(node.actions) <= self.limit

    def expand(self, node: Node) -> None:
        """Make all actions of a position, and value what is new."""
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

    def way(self, node: Node) -> list[Node]:
        """The best way from a position to one whose actions haven't been made."""
        way = [node]
        while way[-1].children:
            way[-1].back_up()  # by another way its children may have been solved
            if way[-1].solved:
                break
            way.append(way[-1].visit())
        return way

    def descend(self, root: Node) -> None:
        """Make the actions of one position after the other, until the game ends or one is solved."""
        way = self.way(root)
        while not way[-1].solved and self.allows(way[-1]):
            self.expand(way[-1])
            way += self.way(way[-1])[1:]
        back_up(way)

    def search(self, root: Node) -> None:
        """Make the actions of the best position that is not known yet, until the limit is reached."""
        while not root.solved:
            way = self.way(root)
            if not way[-1].solved:
                if not self.allows(way[-1]):
                    break
                self.expand(way[-1])
            back_up(way)


def back_up(way: list[Node]) -> None:
    """Bring the values along a way up to date, the last first."""
    for node in reversed(way):
        node.back_up()


class Player:
    """Plays one game by a search, which evaluates at most so many positions for each action.

    Raises ValueError for a game that isn't for two, and if a position can have more actions than that.
    """

    def __init__(self, network: Network, game: Game, evaluations: int) -> None:
        if game.players != 2:
            raise ValueError(f"{game!r} has {game.players} players; minimax is for two")
        if evaluations < len(game.actions):
            raise ValueError(f"{evaluations} evaluations are too few for {len(game.actions)} actions")
        self.tree, self.evaluations = Tree(network), evaluations

    def choose(self, position: Position) -> int:
        """The number of the action to play. What is known from earlier actions of the game stays known."""
        self.tree.limit = self.tree.made + self.evaluations
        root = self.tree.node(position)
        self.tree.search(root)
        return root.safest()


def match(network: Network, bot: str, starts: list[Position], seed: int, evaluations: int) -> Estimate:
    """The player's score against a bot, 1 for a win and ½ for a draw."""
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
    """A child by the ordinal law: with a greed of 0 all are as likely, and with 1 the best is taken."""
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
    """The network, and the last positions that it learns from."""

    def __init__(self, network: Network, game: Game, rate: float) -> None:
        self.network, self.images, self.rate = network, images(game), rate
        self.optimizer = torch.optim.Adam(network.parameters())
        self.seen, self.returns = torch.empty(0, *observation_spec(game).shape), torch.empty(0)

    def learn(self, tree: Tree, left: float) -> None:
        """Remember the positions of a tree whose actions were made, and learn; of more positions more often.

        As positions are few, other images of them are learned each time. `left` is the part of learning that
        is to come.
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
    """Play and learn, one game after the other; how many actions have been made, from 0 on."""
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
    """Learn, measure now and then, and keep what came of it."""
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
