"""A network of train.py as an agent of the benchmark suite: a copy of this file beside each network.pt.

    for seed in 1 2 3 4 5; do
        mkdir -p ppo/$seed && cp examples/suite_agent.py ppo/$seed/agent.py
        python examples/train.py --rounds 24 --every 24 --bots random --seed $seed \\
            --network ppo/$seed/network.pt
    done
    PYTHONPATH=examples python -m kakomi.research.suite run mini-v1 --tasks lin --name PPO \\
        --agent 'ppo/{seed}/agent.py:Agent' --weights 'ppo/{seed}/network.pt' \\
        --training-actions 196608 --out ppo.json

It plays what the network holds for best and doesn't search.
"""

from pathlib import Path

import numpy as np
import torch
from evaluate import load

from kakomi.core import Game
from kakomi.research.suite import Budget


class Agent:
    """The network beside this file, for the game that it learned."""

    def __init__(self, game: Game, seed: int, budget: Budget) -> None:
        torch.set_num_threads(1)
        self.network, learned = load(Path(__file__).parent / "network.pt")
        if learned != game:
            raise ValueError(f"the network learned {learned}, and this is {game}")

    @torch.no_grad()
    def __call__(self, observation: np.ndarray, mask: np.ndarray) -> int:
        policy, _ = self.network(
            torch.from_numpy(observation)[None], torch.from_numpy(mask.astype(bool))[None]
        )
        return int(policy.probs.argmax())
