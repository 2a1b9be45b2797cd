"""The numbers of a network and their file, which is all that play needs.

An `.npz` file holds the numbers by their names in `kakomi.learn.network.Network`, the network's layout, and
the boards on which it learned.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from statistics import mode
from typing import Any, NamedTuple

import msgspec
import numpy as np

from kakomi.core.i18n import truncated_repr
from kakomi.core.system import arrays_in, replacing
from kakomi.kernel.lanes import LANES
from kakomi.networks.convolution import kernel_numbers
from kakomi.networks.layout import NetworkLayout

POLICIES = 3
"""The number of policy heads: the player's action, the opponent's reply, and the softened policy."""
POOLING_EVERY = 3
"""One block in this many pools: the second of each group."""
UNPLAYED = "owner"
"""The head that is only used in training; files made from ONNX lack it."""
_LAYOUT, _BOARDS = "layout", "boards"
_KEPT_NETWORKS = 8


class NetworkWeights(NamedTuple):
    """The weights for compiled code: float32 arrays, flattened. C channels, I inputs, H hidden numbers and T
    tail numbers are padded to multiples of `LANES`; there are B blocks, S scalars and P policies."""

    stem: np.ndarray
    """[NUMBERS, I, C]: from `kernel_numbers`."""
    stem_bias: np.ndarray
    """[C]."""
    scalars: np.ndarray
    """[S, C]: each scalar's contributions to the biases of the stem."""
    kernels: np.ndarray
    """[2 B, NUMBERS, C, C]: two kernels of each block."""
    biases: np.ndarray
    """[2 B, C]."""
    pools: np.ndarray
    """int64 [B]: whether (1 or 0) a block pools."""
    pooled: np.ndarray
    """[B, 2 C, C]: the pooling layer of each block."""
    pooled_biases: np.ndarray
    """[B, C]."""
    places: np.ndarray
    """[P, C]: the layer for the logits at each spot."""
    place_biases: np.ndarray
    """[P]."""
    hidden: np.ndarray
    """[2 C, H]: the hidden layer on the final pooling."""
    hidden_bias: np.ndarray
    """[H]."""
    tail: np.ndarray
    """[H, T]: the layer for gestures, values and leads."""
    tail_bias: np.ndarray
    """[T]."""


class StoredNetwork(NamedTuple):
    """A network's layout, and its weights for compiled code."""

    layout: NetworkLayout
    weights: NetworkWeights


def save_network(
    path: Path,
    layout: NetworkLayout,
    arrays: Mapping[str, np.ndarray],
    boards: Sequence[Mapping[str, int]] = (),
) -> None:
    """Write a network's numbers by name, and the options of the boards on which it learned.

    Raises ValueError, without writing, if the numbers fail `check_numbers`.
    """
    check_numbers(layout, arrays)
    texts = {_LAYOUT: layout.to_json(), _BOARDS: json.dumps([dict(board) for board in boards])}
    kept: dict[str, Any] = {name: np.array(text) for name, text in texts.items()} | dict(arrays)
    with replacing(path) as file:
        np.savez_compressed(file, **kept)


class NetworkFile(NamedTuple):
    """The contents of a network file."""

    layout: NetworkLayout
    numbers: Mapping[str, np.ndarray]
    """float32 arrays by their names in `kakomi.learn.network.Network`."""
    boards: tuple[Mapping[str, int], ...]
    """The options of the boards on which it learned."""

    @property
    def channels(self) -> int:
        """The number of channels of its tower."""
        return len(self.numbers["stem.bias"])

    @property
    def blocks(self) -> int:
        """The number of blocks of its tower."""
        return sum(name.endswith(".first.weight") for name in self.numbers)


def read_network(path: str) -> NetworkFile:
    """Read a network file. Raises ValueError if it holds no network."""
    if not Path(path).is_file():
        raise ValueError(f"there is no file {truncated_repr(path)} with a network")
    try:
        arrays = arrays_in(path)
        layout = NetworkLayout.from_json(str(arrays.pop(_LAYOUT, "")))
        boards = _boards(str(arrays.pop(_BOARDS, "[]")))
        check_numbers(layout, arrays)
    except ValueError as error:
        raise no_network(path, str(error)) from None
    return NetworkFile(layout, arrays, boards)


@lru_cache(maxsize=_KEPT_NETWORKS)
def load_network(path: str) -> StoredNetwork:
    """Load a network file for compiled code. Raises ValueError if it holds no network."""
    found = read_network(path)
    return StoredNetwork(found.layout, _weights(found))


def no_network(path: str, reason: str) -> ValueError:
    """The error for a file that isn't a Kakomi network."""
    return ValueError(f"{truncated_repr(path)} is no network of `kakomi learn`: {reason}")


def check_numbers(layout: NetworkLayout, numbers: Mapping[str, np.ndarray]) -> None:
    """Raise ValueError unless these are the arrays of a network with this layout, float32 and finite."""
    stem = [numbers[name] for name in ("stem.weight", "stem.bias", "scalars.bias") if name in numbers]
    channels = mode([array.shape[0] for array in stem if array.size] or [1])
    blocks = sum(name.endswith(".first.weight") for name in numbers)
    wanted = shapes_of(layout, channels, blocks)
    if not any(name.startswith(f"{UNPLAYED}.") for name in numbers):
        wanted = {name: shape for name, shape in wanted.items() if not name.startswith(f"{UNPLAYED}.")}
    for name, shape in wanted.items():
        if name not in numbers:
            raise ValueError(f"it has no {name}")
        array = numbers[name]
        if array.shape != shape or array.dtype != np.float32:
            raise ValueError(f"{name} is {array.dtype.name} {array.shape}; it must be float32 {shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} holds numbers that aren't finite")
    if others := sorted(numbers.keys() - wanted.keys()):
        raise ValueError(f"{others[0]} is nothing that a network of {blocks} blocks has")


def shapes_of(layout: NetworkLayout, channels: int, blocks: int) -> dict[str, tuple[int, ...]]:
    """The shape of every array of a network by name, given its channels and blocks."""
    wide = 2 * channels
    layers = {
        "stem": (channels, len(layout.channels), 3, 3),
        "scalars": (channels, len(layout.scalars)),
        "places": (POLICIES * len(layout.policies), channels, 1, 1),
        UNPLAYED: (layout.seats + 1, channels, 1, 1),
        "hidden": (wide, wide),
        "value": (layout.seats, wide),
        "leads": (layout.seats, wide),
    }
    if layout.gestures:
        layers["gestures"] = (POLICIES * len(layout.gestures), wide)
    for block in range(blocks):
        for half in ("first", "second"):
            layers[f"blocks.{block}.{half}"] = (channels, channels, 3, 3)
        if block % POOLING_EVERY == 1:
            layers[f"blocks.{block}.pooled"] = (channels, wide)
    weights = {f"{name}.weight": shape for name, shape in layers.items()}
    return weights | {f"{name}.bias": shape[:1] for name, shape in layers.items()}


def _boards(text: str) -> tuple[Mapping[str, int], ...]:
    try:
        return msgspec.json.decode(text, type=tuple[dict[str, int], ...])
    except msgspec.DecodeError as error:
        raise ValueError(f"its boards are none: {error}") from None


def _weights(network: NetworkFile) -> NetworkWeights:
    layout, arrays, raw = network.layout, network.numbers, kernels_of(network)
    blocks = [f"blocks.{number}" for number in range(network.blocks)]
    both = [f"{block}.{half}" for block in blocks for half in ("first", "second")]
    policies, gestures = len(layout.policies), len(layout.gestures)
    ends = [("gestures", gestures)] if gestures else []
    ends += [("value", layout.seats), ("leads", layout.seats)]
    channels = network.channels
    none = np.zeros((channels, 2 * channels), np.float32)
    return NetworkWeights(
        stem=_flat(list(map(kernel_numbers, raw["stem"]))),
        stem_bias=_padded(arrays["stem.bias"] + arrays["scalars.bias"], 0),
        scalars=_flat(_padded(arrays["scalars.weight"].T, 1)),
        kernels=_flat(list(map(kernel_numbers, raw["kernels"]))),
        biases=_flat([_padded(arrays[f"{each}.bias"], 0) for each in both]),
        pools=np.array([f"{block}.pooled.weight" in arrays for block in blocks], np.int64),
        pooled=_flat([_from_pools(arrays.get(f"{block}.pooled.weight", none), channels) for block in blocks]),
        pooled_biases=_flat([_padded(arrays.get(f"{block}.pooled.bias", none[:, 0]), 0) for block in blocks]),
        places=_flat(_padded(arrays["places.weight"][:policies, :, 0, 0], 1)),
        place_biases=_flat(arrays["places.bias"][:policies]),
        hidden=_flat(_from_pools(arrays["hidden.weight"], channels)),
        hidden_bias=_padded(arrays["hidden.bias"], 0),
        tail=_flat(_padded(_padded(np.concatenate([arrays[f"{n}.weight"][:k] for n, k in ends]).T, 1), 0)),
        tail_bias=_padded(np.concatenate([arrays[f"{n}.bias"][:k] for n, k in ends]), 0),
    )


def kernels_of(network: NetworkFile) -> dict[str, np.ndarray]:
    """A network's kernels before their transformation: `stem` and `kernels` of `NetworkWeights`, each
    [kernels, outer, inner, 3, 3], padded."""
    halves = [f"blocks.{block}.{half}" for block in range(network.blocks) for half in ("first", "second")]
    return {
        field: np.array([_padded(_padded(network.numbers[f"{name}.weight"], 0), 1) for name in names])
        for field, names in (("stem", ["stem"]), ("kernels", halves))
    }


def _from_pools(weights: np.ndarray, channels: int) -> np.ndarray:
    """The weights for means and maxima, each padded: [2 C, outer]."""
    means, greatest = weights[:, :channels].T, weights[:, channels:].T
    return _padded(np.concatenate([_padded(means, 0), _padded(greatest, 0)]), 1)


def _padded(array: np.ndarray, axis: int) -> np.ndarray:
    """Pad with zeros to a multiple of `LANES` along an axis."""
    missing = [(0, -size % LANES if number == axis else 0) for number, size in enumerate(array.shape)]
    return np.pad(array, missing)


def _flat(arrays: np.ndarray | list[np.ndarray]) -> np.ndarray:
    return np.ascontiguousarray(arrays, np.float32).ravel()
