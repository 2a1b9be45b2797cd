"""Training: the optimizer, the averaged weights, and saving both between runs."""

import math
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from kakomi.core.system import replacing
from kakomi.extras import needs_extra
from kakomi.learn.batches import Batch, check_finite, losses, total
from kakomi.learn.network import Network, read_tensors
from kakomi.learn.plan import LearningRate

with needs_extra("learn"):
    import torch


AVERAGED_OVER = 500
"""The number of steps in the exponential average of weights; fewer at the beginning."""
LARGEST_GRADIENT = 5.0
WEIGHT_DECAY = 1e-4


def _has_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 faster than float32."""
    capabilities = getattr(torch.cpu, "get_capabilities", dict[str, bool])  # missing from PyTorch 2.5
    known = capabilities()
    return any(known.get(name, False) for name in ("amx_bf16", "avx512_bf16"))


class Learner:
    """A network in training, and the average of its weights, which is used in play."""

    def __init__(self, network: Network, rate: LearningRate) -> None:
        self.network = network.to(memory_format=torch.channels_last)
        self.averaged = deepcopy(network).eval()
        self.steps = 0
        self._rate = rate
        self._is_brief = _has_bfloat16()
        self._optimizer = torch.optim.AdamW(network.parameters(), weight_decay=WEIGHT_DECAY)

    def learn(self, batch: Batch) -> Mapping[str, float]:
        """Take a training step, and return the loss of each head before it.

        Raises ValueError, leaving the weights unchanged, if a loss or the gradient isn't finite.
        """
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate.at(self.steps)
        self.network.train()
        planes = batch.planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=self._is_brief):
            outputs = self.network(planes, batch.scalars)
        each = losses(outputs.as_float(), batch.targets)
        found = {name: float(loss.detach()) for name, loss in each.items()}
        check_finite({f"loss of {name}": loss for name, loss in found.items()}, self.steps)
        self._optimizer.zero_grad(set_to_none=True)
        total(each).backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
        check_finite({"gradient": float(norm)}, self.steps)
        self._optimizer.step()
        self.steps += 1
        self._average()
        return found

    def _average(self) -> None:
        part = 1 / min(self.steps, AVERAGED_OVER)
        with torch.no_grad():
            for mean, weights in zip(self.averaged.parameters(), self.network.parameters(), strict=True):
                mean.lerp_(weights, part)

    def save(self, path: Path) -> None:
        """Write the state for `load`. Raises ValueError, without writing, if any number isn't finite."""
        kept = {
            "steps": self.steps,
            "network": self.network.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizer": self._optimizer.state_dict(),
        }
        check_finite({"sum of all weights": _sum_of(kept)}, self.steps)
        with replacing(path) as file:
            torch.save(kept, file)

    def load(self, path: Path) -> None:
        """Restore the state from `save`. Raises ValueError if the file is damaged or another network's."""
        kept = read_tensors(path)
        try:
            if not math.isfinite(_sum_of(kept)):
                raise ValueError(f"{path} holds weights that aren't finite")
            self.steps = int(kept["steps"])
            self.network.load_state_dict(kept["network"])
            self.averaged.load_state_dict(kept["averaged"])
            self._optimizer.load_state_dict(kept["optimizer"])
        except (KeyError, RuntimeError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is of another network: {' '.join(str(error).split())}") from None


def _sum_of(kept: Mapping[str, Any]) -> float:
    """The sum of the absolute values of all weights and of the optimizer's state: finite only if all are."""
    tensors = [*kept["network"].values(), *kept["averaged"].values()]
    tensors += [value for each in kept["optimizer"]["state"].values() for value in each.values()]
    return sum(float(tensor.double().abs().sum()) for tensor in tensors)
