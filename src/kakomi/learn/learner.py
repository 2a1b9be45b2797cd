"""Training: the optimizer, the averaged weights, and keeping both between runs."""

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path

from kakomi.core.system import replacing
from kakomi.extras import needs_extra
from kakomi.learn.batches import Batch
from kakomi.learn.losses import losses, total
from kakomi.learn.network import Network
from kakomi.learn.plan import LearningRate

with needs_extra("learn"):
    import torch


AVERAGED_OVER = 500
"""Steps over which weights are averaged, exponentially; fewer at the beginning."""
LARGEST_GRADIENT = 5.0
WEIGHT_DECAY = 1e-4


def _has_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 faster than float32."""
    capabilities = getattr(torch.cpu, "get_capabilities", dict[str, bool])  # PyTorch 2.5 has none
    known = capabilities()
    return any(known.get(name, False) for name in ("amx_bf16", "avx512_bf16"))


class Learner:
    """A network that is trained, and the average of its weights, which plays."""

    def __init__(self, network: Network, rate: LearningRate) -> None:
        self.network = network.to(memory_format=torch.channels_last)
        self.averaged = deepcopy(network).eval()
        self.steps = 0
        self._rate = rate
        self._is_brief = _has_bfloat16()
        self._optimizer = torch.optim.AdamW(network.parameters(), weight_decay=WEIGHT_DECAY)

    def learn(self, batch: Batch) -> Mapping[str, float]:
        """Take a step; the loss of each head before it."""
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate.at(self.steps)
        self.network.train()
        planes = batch.planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=self._is_brief):
            outputs = self.network(planes, batch.scalars)
        each = losses(outputs.as_float(), batch.targets)
        self._optimizer.zero_grad(set_to_none=True)
        total(each).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
        self._optimizer.step()
        self.steps += 1
        self._average()
        return {name: float(loss.detach()) for name, loss in each.items()}

    def _average(self) -> None:
        part = 1 / min(self.steps, AVERAGED_OVER)
        with torch.no_grad():
            for mean, weights in zip(self.averaged.parameters(), self.network.parameters(), strict=True):
                mean.lerp_(weights, part)

    def save(self, path: Path) -> None:
        """Write all that `load` needs to go on."""
        kept = {
            "steps": self.steps,
            "network": self.network.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizer": self._optimizer.state_dict(),
        }
        with replacing(path) as file:
            torch.save(kept, file)

    def load(self, path: Path) -> None:
        """Go on from what `save` wrote. Raises ValueError for another network's file."""
        kept = torch.load(path, weights_only=True)
        try:
            self.steps = int(kept["steps"])
            self.network.load_state_dict(kept["network"])
            self.averaged.load_state_dict(kept["averaged"])
            self._optimizer.load_state_dict(kept["optimizer"])
        except (KeyError, RuntimeError) as error:
            raise ValueError(f"{path} is of another network: {error}") from None
