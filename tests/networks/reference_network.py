"""A slow, straightforward implementation of the network, for comparison with the fast ones."""

from collections.abc import Mapping

import numpy as np

from kakomi.networks.layout import NetworkLayout


def random_numbers(
    layout: NetworkLayout, channels: int, blocks: int, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Random numbers of a network by name; every third block from the second on pools."""
    shapes: dict[str, tuple[int, ...]] = {
        "stem.weight": (channels, len(layout.channels), 3, 3),
        "stem.bias": (channels,),
        "scalars.weight": (channels, len(layout.scalars)),
        "scalars.bias": (channels,),
        "places.weight": (3 * len(layout.policies), channels, 1, 1),
        "places.bias": (3 * len(layout.policies),),
        "hidden.weight": (2 * channels, 2 * channels),
        "hidden.bias": (2 * channels,),
        "value.weight": (layout.seats, 2 * channels),
        "value.bias": (layout.seats,),
        "leads.weight": (layout.seats, 2 * channels),
        "leads.bias": (layout.seats,),
    }
    if layout.gestures:
        shapes["gestures.weight"] = (3 * len(layout.gestures), 2 * channels)
        shapes["gestures.bias"] = (3 * len(layout.gestures),)
    for block in range(blocks):
        for half in ("first", "second"):
            shapes[f"blocks.{block}.{half}.weight"] = (channels, channels, 3, 3)
            shapes[f"blocks.{block}.{half}.bias"] = (channels,)
        if block % 3 == 1:
            shapes[f"blocks.{block}.pooled.weight"] = (channels, 2 * channels)
            shapes[f"blocks.{block}.pooled.bias"] = (channels,)
    return {name: rng.normal(scale=0.2, size=shape).astype(np.float32) for name, shape in shapes.items()}


def reference_answer(
    layout: NetworkLayout, numbers: Mapping[str, np.ndarray], planes: np.ndarray, scalars: np.ndarray
) -> np.ndarray:
    """The answer for one position: planes [channels, height, width], the first of them 1 on the board."""
    on_board = planes[0]

    def linear(name: str, given: np.ndarray) -> np.ndarray:
        return numbers[f"{name}.weight"] @ given + numbers[f"{name}.bias"]

    def convolved(name: str, field: np.ndarray) -> np.ndarray:
        return on_board * convolution(field, numbers[f"{name}.weight"], numbers[f"{name}.bias"])

    def pooled(field: np.ndarray) -> np.ndarray:
        return np.concatenate([field.sum(axis=(1, 2)) / on_board.sum(), field.max(axis=(1, 2))])

    seen = convolved("stem", planes) + on_board * linear("scalars", scalars)[:, None, None]
    block = 0
    while f"blocks.{block}.first.bias" in numbers:
        inner = np.maximum(convolved(f"blocks.{block}.first", np.maximum(seen, 0)), 0)
        if f"blocks.{block}.pooled.bias" in numbers:
            added = linear(f"blocks.{block}.pooled", pooled(inner))
            inner = on_board * np.maximum(inner + added[:, None, None], 0)
        seen = seen + convolved(f"blocks.{block}.second", inner)
        block += 1
    seen = np.maximum(seen, 0)
    whole = np.maximum(linear("hidden", pooled(seen)), 0)
    kernel, bias = numbers["places.weight"][:, :, 0, 0], numbers["places.bias"]
    places = np.tensordot(kernel, seen, axes=1) + bias[:, None, None]
    gestures = linear("gestures", whole)[: len(layout.gestures)] if layout.gestures else np.zeros(0)
    own = places[: len(layout.policies)].ravel()
    return np.concatenate([own, gestures, linear("value", whole), linear("leads", whole)])


def convolution(field: np.ndarray, kernel: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """A 3 × 3 convolution with zero padding: [outer, height, width]."""
    _, height, width = field.shape
    padded = np.pad(field, ((0, 0), (1, 1), (1, 1))).astype(float)
    sums = np.zeros((len(kernel), height, width))
    for row in range(3):
        for column in range(3):
            shifted = padded[:, row : row + height, column : column + width]
            sums += np.tensordot(kernel[:, :, row, column].astype(float), shifted, axes=1)
    return sums + bias[:, None, None]
