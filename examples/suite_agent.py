"""Run networks as agents of the benchmark suite: copy this file into the folder of each seed's networks.

    learn() {  # a folder, a script, and its options for how long to train
        for seed in 1 2 3 4 5; do
            mkdir -p $1/$seed && cp examples/suite_agent.py $1/$seed/agent.py
            for game in "rin size=6" "lin size=5" "ren size=6" "rive size=3" "rings size=2"; do
                python examples/$2 $3 --game $game --seed $seed --bots random \\
                    --network $1/$seed/${game%% *}.pt --plot $1/$seed/${game%% *}.png
            done
        done
    }
    run() {  # the folder, the name of the row, the class, and the number of training actions
        PYTHONPATH=examples python -m kakomi.research.suite run mini-v1 --name $2 \\
            --agent "$1/{seed}/agent.py:$3" --weights "$1/{seed}/{game}.pt" --training-actions $4 \\
            --out $1.json
    }
    learn ppo train.py "--rounds 24 --every 24" && run ppo PPO Agent 983040
    learn dqn dqn.py "--rounds 24 --every 24" && run dqn DQN Agent 983040
    learn descent descent.py "--actions 200000 --every 200000" && run descent Descent DescentAgent 1000000

`Agent` plays the network's most likely action without searching; `DescentAgent` searches within the budget of
the track. In `exact-v1` they play the boards that they were trained on.
"""

from pathlib import Path

import numpy as np
import torch
from descent import Player
from evaluate import Network, load

from kakomi.core import Game, Position
from kakomi.research.suite import Budget


def learned(game: Game) -> Network:
    """Load a game's network from this file's folder. Raises ValueError if it was trained on another board."""
    torch.set_num_threads(1)
    network, own = load(Path(__file__).parent / f"{game.name}.pt")
    if own != game:
        raise ValueError(f"the network learned {own}, and this is {game}")
    return network


class Agent:
    """Plays by the policy of a network that train.py or dqn.py wrote."""

    def __init__(self, game: Game, seed: int, budget: Budget) -> None:
        self.network = learned(game)

    @torch.no_grad()
    def __call__(self, observation: np.ndarray, mask: np.ndarray) -> int:
        policy, _ = self.network(
            torch.from_numpy(observation)[None], torch.from_numpy(mask.astype(bool))[None]
        )
        return int(policy.probs.argmax())


class DescentAgent:
    """Searches with a network that descent.py wrote; each evaluation of a position counts as a simulation."""

    def __init__(self, game: Game, seed: int, budget: Budget) -> None:
        if budget.simulations is None:
            raise ValueError(f"it counts simulations, and the track gives {budget.in_words}")
        self.player = Player(learned(game), game, budget.simulations)

    def __call__(self, position: Position) -> int:
        return self.player.choose(position)
