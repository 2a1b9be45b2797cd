"""Networks of train.py as an agent of the benchmark suite: a copy of this file beside those of each seed.

    for seed in 1 2 3 4 5; do
        mkdir -p ppo/$seed && cp examples/suite_agent.py ppo/$seed/agent.py
        for game in "rin size=6" "lin size=5" "ren size=6" "rive size=3" "rings size=2"; do
            python examples/train.py --game $game --rounds 24 --every 24 --bots random --seed $seed \\
                --network ppo/$seed/${game%% *}.pt
        done
    done
    PYTHONPATH=examples python -m kakomi.research.suite run mini-v1 --name PPO \\
        --agent 'ppo/{seed}/agent.py:Agent' $(printf " --weights ppo/{seed}/%s.pt" rin lin ren rive rings) \\
        --training-actions 983040 --out ppo.json

It plays what the network holds for best and doesn't search. In `exact-v1` it plays what it learned on.
"""

from pathlib import Path

import numpy as np
import torch
from evaluate import load

from kakomi.core import Game
from kakomi.research.suite import Budget


class Agent:
    """The network of a game beside this file, for the board that it learned on."""

    def __init__(self, game: Game, seed: int, budget: Budget) -> None:
        torch.set_num_threads(1)
        self.network, learned = load(Path(__file__).parent / f"{game.name}.pt")
        if learned != game:
            raise ValueError(f"the network learned {learned}, and this is {game}")

    @torch.no_grad()
    def __call__(self, observation: np.ndarray, mask: np.ndarray) -> int:
        policy, _ = self.network(
            torch.from_numpy(observation)[None], torch.from_numpy(mask.astype(bool))[None]
        )
        return int(policy.probs.argmax())
