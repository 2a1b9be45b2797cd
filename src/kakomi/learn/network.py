"""The network: a residual tower of convolutions with global pooling, for boards of any size.

There is no batch normalisation: outputs for a position depend on that position alone, in training as in play.
Instead, the last convolution of each block is initialized to zero, so that a new tower is the identity.
"""

from __future__ import annotations

import io
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from kakomi.extras import needs_extra
from kakomi.networks.layout import ON_BOARD, NetworkLayout
from kakomi.networks.weights import POLICIES, POOLING_EVERY, UNPLAYED, NetworkFile, check_numbers

with needs_extra("learn"):
    import torch
    from torch import Tensor, nn

OWN, REPLY, SOFT = range(POLICIES)
_POOLED = 2
"""The numbers that pooling makes from a channel: its mean and maximum."""


@dataclass(frozen=True)
class NetworkSize:
    """The size of a tower."""

    channels: int = 32
    blocks: int = 3


class Outputs(NamedTuple):
    """The network's outputs for n positions. A `BoardLayout` computes actions' logits from them."""

    places: Tensor
    """float32 [n, POLICIES, policies, height, width]: logits of actions that touch the board."""
    gestures: Tensor | None
    """float32 [n, POLICIES, gestures]: logits of actions that touch no place, if there are any."""
    value: Tensor
    """float32 [n, seats]: logits of winning, the viewer first; those of unused seats are meaningless."""
    leads: Tensor
    """float32 [n, seats]: each seat's score less the best of the others', in points."""
    owner: Tensor
    """float32 [n, seats + 1, height, width]: logits of the final owner of each point, the last for none."""

    def answer(self) -> Tensor:
        """The answer to a search (`kakomi.search.advice`), one row per position: float32 [n, M]."""
        return torch.cat([self.logits(OWN), self.value, self.leads], dim=1)

    def as_float(self) -> Outputs:
        """The outputs as float32, whatever type they were computed in."""
        return Outputs(*(part if part is None else part.float() for part in self))

    def logits(self, head: int) -> Tensor:
        """The logits that `BoardLayout.entries` index, for one of the policy heads."""
        places = self.places[:, head].flatten(1)
        if self.gestures is None:
            return places
        return torch.cat([places, self.gestures[:, head]], dim=1)


class Network(nn.Module):
    """A network for one layout. It takes `kakomi.networks.observation.Inputs` as tensors."""

    def __init__(self, layout: NetworkLayout, size: NetworkSize | None = None) -> None:
        super().__init__()
        self.layout, self.size = layout, size or NetworkSize()
        self.is_masked = True
        """Whether rectangles may be larger than the board. For boards that fill their rectangle, the outputs
        are the same without a mask, and faster."""
        width, pooled = self.size.channels, _POOLED * self.size.channels
        self.stem = nn.Conv2d(len(layout.channels), width, 3, padding=1)
        self.scalars = nn.Linear(len(layout.scalars), width)
        self.blocks = nn.ModuleList(
            Block(width, pools=i % POOLING_EVERY == 1) for i in range(self.size.blocks)
        )
        self.places = nn.Conv2d(width, POLICIES * len(layout.policies), 1)
        self.owner = nn.Conv2d(width, layout.seats + 1, 1)
        self.hidden = nn.Linear(pooled, pooled)
        self.gestures = nn.Linear(pooled, POLICIES * len(layout.gestures)) if layout.gestures else None
        self.value = nn.Linear(pooled, layout.seats)
        self.leads = nn.Linear(pooled, layout.seats)

    def forward(self, planes: Tensor, scalars: Tensor) -> Outputs:
        """The outputs for n positions: planes float32 [n, channels, height, width], scalars [n, scalars]."""
        mask = planes[:, ON_BOARD : ON_BOARD + 1] if self.is_masked else None
        seen = _on_board(self.stem(planes) + self.scalars(scalars)[:, :, None, None], mask)
        for block in self.blocks:
            seen = block(seen, mask)
        seen = torch.relu(seen)
        whole = torch.relu(self.hidden(pool(seen, mask)))
        return Outputs(
            places=self.places(seen).unflatten(1, (POLICIES, len(self.layout.policies))),
            gestures=self._gestures(whole),
            value=self.value(whole),
            leads=self.leads(whole),
            owner=self.owner(seen),
        )

    def _gestures(self, whole: Tensor) -> Tensor | None:
        if self.gestures is None:
            return None
        logits: Tensor = self.gestures(whole).unflatten(1, (POLICIES, len(self.layout.gestures)))
        return logits

    def save(self, path: Path) -> None:
        """Write the weights with their layout and size, for `load`."""
        torch.save(
            {"layout": self.layout.to_json(), "size": asdict(self.size), "weights": self.state_dict()}, path
        )

    def numbers(self) -> dict[str, np.ndarray]:
        """All weights by name, as `kakomi.networks.weights` stores them."""
        return {name: value.detach().cpu().numpy() for name, value in self.state_dict().items()}

    @classmethod
    def of_numbers(cls, file: NetworkFile) -> Self:
        """The network with a file's numbers. The training-only head is new if the file lacks it."""
        network = cls(file.layout, NetworkSize(file.channels, file.blocks))
        unplayed = {name: value for name, value in network.state_dict().items() if name.startswith(UNPLAYED)}
        kept = {name: torch.from_numpy(value) for name, value in file.numbers.items()}
        network.load_state_dict({**unplayed, **kept})
        return network

    @classmethod
    def load(cls, path: Path) -> Self:
        """The network that `save` wrote. Raises ValueError for other files, and OSError as `open` does."""
        kept = read_tensors(path)
        try:
            layout = NetworkLayout.from_json(kept["layout"])
            numbers = {name: value.numpy() for name, value in kept["weights"].items()}
            check_numbers(layout, numbers)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ValueError(f"{path} is no network of `kakomi learn`: {error}") from None
        return cls.of_numbers(NetworkFile(layout, numbers, ()))


def read_tensors(path: Path) -> dict[str, Any]:
    """The dict that `torch.save` wrote. Raises ValueError for other files, and OSError as `open` does."""
    data = io.BytesIO(path.read_bytes())
    try:
        kept = torch.load(data, weights_only=True)
    except Exception:  # undocumented: EOFError for an empty file, and many others
        kept = None
    if not isinstance(kept, dict):
        raise ValueError(f"{path} is damaged, or none of PyTorch's files")
    return kept


class Block(nn.Module):
    """A residual block of two convolutions, optionally with global pooling between them."""

    def __init__(self, width: int, *, pools: bool) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1)
        self.second = nn.Conv2d(width, width, 3, padding=1)
        self.pooled = nn.Linear(_POOLED * width, width) if pools else None
        for last in (self.second, self.pooled):
            if last is not None:
                nn.init.zeros_(last.weight)
                nn.init.zeros_(last.bias)

    def forward(self, seen: Tensor, mask: Tensor | None) -> Tensor:
        """Channels [n, channels, height, width], 0 outside the board."""
        inner = torch.relu(self.first(torch.relu(seen)))
        if self.pooled is not None:
            inner = _on_board(inner, mask)
            inner = torch.relu(inner + self.pooled(pool(inner, mask))[:, :, None, None])
        inner = _on_board(inner, mask)
        added: Tensor = seen + _on_board(self.second(inner), mask)
        return added


def pool(seen: Tensor, mask: Tensor | None) -> Tensor:
    """The mean and maximum of each channel over the board [n, 2 * channels]; no number may be below 0."""
    mean = seen.mean(dim=(2, 3)) if mask is None else seen.sum(dim=(2, 3)) / mask.sum(dim=(2, 3))
    return torch.cat([mean, seen.amax(dim=(2, 3))], dim=1)


def _on_board(seen: Tensor, mask: Tensor | None) -> Tensor:
    """The channels with 0 outside the board."""
    return seen if mask is None else seen * mask
