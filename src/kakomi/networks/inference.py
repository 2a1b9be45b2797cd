"""A network's forward pass in compiled code: `kakomi.learn.network.Network` without PyTorch."""

from typing import NamedTuple

import numpy as np

from kakomi.kernel import driver
from kakomi.kernel.lanes import LANES, larger, load, splat, spread, store, total
from kakomi.networks.answer_cache import key_of, recall, remember
from kakomi.networks.convolution import ADDED, NEW, NUMBERS, PASSING, convolve
from kakomi.networks.weights import NetworkWeights


class Summary(NamedTuple):
    """Working space for the layers that aren't per place; C, H and T as in `NetworkWeights`."""

    shift: np.ndarray
    """float32 [C]: the biases of the stem, plus the contributions of the scalars."""
    pooled: np.ndarray
    """float32 [2 C]: the mean and the maximum of each channel."""
    added: np.ndarray
    """float32 [C]: the output of a block's pooling layer."""
    whole: np.ndarray
    """float32 [H]: the hidden layer, which is the input to the tail."""
    tail: np.ndarray
    """float32 [T]: gestures, values and leads."""


def summary_of(weights: NetworkWeights) -> Summary:
    """Working space for a network."""
    channels = len(weights.stem_bias)
    sizes = (channels, 2 * channels, channels, len(weights.hidden_bias), len(weights.tail_bias))
    return Summary(*(np.zeros(size, np.float32) for size in sizes))


@driver
def evaluate(weights, grid, planes, scalars, answers, bits, cache, fields, summary):
    """Write the answers to n positions, from the cache where possible.

    `planes`, float32 [n, channels, spots], `scalars`, float32 [n, S], and `answers`, float32 [n, M], are the
    arrays shared by a search and an evaluator (`kakomi.search.advice`). `bits` holds the bits of `planes`,
    uint32 [n, channels × spots], and of `scalars`, uint32 [n, S].
    """
    for position in range(len(planes)):
        key = key_of(bits[0][position], bits[1][position])
        if recall(cache, key, answers[position]):
            continue
        _read(planes[position], scalars[position], weights, grid, fields.inputs, summary.shift)
        _pass_tower(weights, grid, fields, summary)
        _answer(weights, grid, fields, summary, answers[position])
        remember(cache, key, answers[position])


def _read(planes, scalars, weights, grid, inputs, shift):
    channels, spots = len(shift), len(grid.spots)
    padded = len(inputs) // len(grid.mask)
    for channel in range(len(planes)):
        for spot in range(spots):
            inputs[grid.spots[spot] * padded + channel] = planes[channel, spot]
    for channel in range(channels):
        shift[channel] = weights.stem_bias[channel]
        for scalar in range(len(scalars)):
            shift[channel] += scalars[scalar] * weights.scalars[scalar * channels + channel]


def _pass_tower(weights, grid, fields, summary):
    channels = len(summary.shift)
    padded, kernel = len(fields.inputs) // len(grid.mask), NUMBERS * channels * channels
    stem, shift = weights.stem, summary.shift
    convolve(fields.inputs, padded, stem, 0, shift, 0, channels, fields.one, grid, fields, NEW)
    for block in range(len(weights.pools)):
        kernels, biases, half = weights.kernels, weights.biases, 2 * block
        first, bias = half * kernel, half * channels
        convolve(
            fields.one, channels, kernels, first, biases, bias, channels, fields.other, grid, fields, PASSING
        )
        if weights.pools[block] != 0:
            _add_pooled(weights, block, grid, fields.other, summary)
        first, bias = first + kernel, bias + channels
        convolve(
            fields.other, channels, kernels, first, biases, bias, channels, fields.one, grid, fields, ADDED
        )


def _add_pooled(weights, block, grid, field, summary):
    """Add the output of a block's pooling layer to every place, and apply a ReLU."""
    channels, pooled, added = len(summary.shift), summary.pooled, summary.added
    _pool(field, channels, grid, pooled)
    first, bias = block * 2 * channels * channels, block * channels
    _apply(weights.pooled, first, weights.pooled_biases, bias, pooled, added)
    zero = splat(np.float32(0))
    for spot in range(len(grid.spots)):
        place = grid.spots[spot]
        for channel in range(0, channels, LANES):
            at = place * channels + channel
            kept = larger(load(field, at) + load(added, channel), zero) * spread(grid.mask, place)
            store(field, at, kept)


def _pool(field, channels, grid, pooled):
    """Write the mean and maximum of each channel over the board; no number may be below 0."""
    part = splat(np.float32(1.0) / grid.points[0])
    for channel in range(0, channels, LANES):
        sums = splat(np.float32(0))
        greatest = splat(np.float32(0))
        for spot in range(len(grid.spots)):
            lanes = load(field, grid.spots[spot] * channels + channel)
            sums = sums + lanes
            greatest = larger(greatest, lanes)
        store(pooled, channel, sums * part)
        store(pooled, channels + channel, greatest)


def _apply(weights, first, bias, first_bias, source, goal):
    """Apply a linear layer with weights [inner, outer] from index `first` on."""
    outer = len(goal)
    for channel in range(0, outer, LANES):
        sums = load(bias, first_bias + channel)
        for k in range(len(source)):
            sums = sums + spread(source, k) * load(weights, first + k * outer + channel)
        store(goal, channel, sums)


def _answer(weights, grid, fields, summary, answer):
    channels, spots = len(summary.shift), len(grid.spots)
    policies = len(weights.place_biases)
    for policy in range(policies):
        for spot in range(spots):
            sums = splat(np.float32(0))
            for channel in range(0, channels, LANES):
                seen = load(fields.one, grid.spots[spot] * channels + channel)
                sums = sums + seen * load(weights.places, policy * channels + channel)
            answer[policy * spots + spot] = total(sums) + weights.place_biases[policy]
    _pool(fields.one, channels, grid, summary.pooled)
    _apply(weights.hidden, 0, weights.hidden_bias, 0, summary.pooled, summary.whole)
    for number in range(len(summary.whole)):
        summary.whole[number] = max(summary.whole[number], np.float32(0))
    _apply(weights.tail, 0, weights.tail_bias, 0, summary.whole, summary.tail)
    for number in range(policies * spots, len(answer)):
        answer[number] = summary.tail[number - policies * spots]
