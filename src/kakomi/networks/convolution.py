"""Winograd convolutions of 3 × 3: tiles of 4 × 4 places computed from patches of 6 × 6.

Patches and kernels are each transformed into 36 numbers per channel; the products of these, summed over
channels, are transformed back into the 16 places of a tile (A. Lavin and S. Gray, "Fast Algorithms for
Convolutional Neural Networks", 2016, F(4 × 4, 3 × 3)). A tile takes 36 products for each pair of channels
instead of 144.

Fields are float32 arrays [rows, stride, channels], flattened, with a border of zeros around the board; the
number of channels is a multiple of `LANES`. `place` is the index of a place in a field, row by row.
"""

from typing import NamedTuple

import numpy as np

from kakomi.kernel import driver
from kakomi.kernel.lanes import LANES, larger, load, splat, spread, store

TILE = 4
"""The side of a tile, in places."""
PATCH = 6
"""The side of the patch that a tile depends on, in places."""
NUMBERS = PATCH * PATCH
NEW, ADDED, PASSING = range(3)
"""What to do with sums: store them in `Fields.seen`, add them to it, or leave it unchanged."""


class Grid(NamedTuple):
    """A board's rectangle in fields, padded to whole tiles and with a border of one place."""

    stride: int
    """Places in a row."""
    tiles: np.ndarray
    """int64 [tiles]: the place of the top left corner of each tile's patch."""
    mask: np.ndarray
    """float32 [places]: 1 on the board and 0 outside it."""
    spots: np.ndarray
    """int64 [spots]: the place of each spot of the rectangle."""
    points: np.ndarray
    """float32 [1]: the number of spots on the board."""


class Fields(NamedTuple):
    """Working space for one position at a time."""

    inputs: np.ndarray
    """A field: the network's inputs."""
    seen: np.ndarray
    """A field: the residual sums that pass through all blocks."""
    one: np.ndarray
    """A field: a convolution's input or output."""
    other: np.ndarray
    """A field that alternates with `one`."""
    patches: np.ndarray
    """float32 [NUMBERS, tiles, channels], flattened: the transformed patches."""
    products: np.ndarray
    """float32 [NUMBERS, tiles, channels], flattened: their products with a kernel, summed over channels."""
    rows: np.ndarray
    """float32 [NUMBERS, LANES], flattened: intermediate results of both transforms."""


def grid_of(on_board: np.ndarray, height: int, width: int) -> Grid:
    """The grid for a rectangle; `on_board`, float32 [spots], is 1 on the board and 0 outside it."""
    down, across = -(-height // TILE), -(-width // TILE)
    stride = TILE * across + 2
    mask = np.zeros((TILE * down + 2, stride), np.float32)
    mask[1 : height + 1, 1 : width + 1] = on_board.reshape(height, width)
    corners = [TILE * (row * stride + column) for row in range(down) for column in range(across)]
    spots = [(row + 1) * stride + column + 1 for row in range(height) for column in range(width)]
    points = np.array([on_board.sum()], np.float32)
    return Grid(stride, np.array(corners), mask.ravel(), np.array(spots), points)


def fields_of(grid: Grid, inputs: int, channels: int) -> Fields:
    """Working space for a network with `channels` channels and `inputs` input channels."""
    places, tiles = len(grid.mask), len(grid.tiles)

    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(int(np.prod(shape)), np.float32)

    return Fields(
        inputs=zeros(places, inputs),
        seen=zeros(places, channels),
        one=zeros(places, channels),
        other=zeros(places, channels),
        patches=zeros(NUMBERS, tiles, max(inputs, channels)),
        products=zeros(NUMBERS, tiles, channels),
        rows=zeros(NUMBERS, LANES),
    )


WINOGRAD = np.array(
    [
        [1 / 4, 0, 0],
        [-1 / 6, -1 / 6, -1 / 6],
        [-1 / 6, 1 / 6, -1 / 6],
        [1 / 24, 1 / 12, 1 / 6],
        [1 / 24, -1 / 12, 1 / 6],
        [0, 0, 1],
    ]
)


def kernel_numbers(kernel: np.ndarray) -> np.ndarray:
    """Transform kernels [outer, inner, 3, 3] for `convolve`: float32 [NUMBERS, inner, outer]."""
    turned: np.ndarray = np.einsum("ai,oxij,bj->abxo", WINOGRAD, kernel.astype(float), WINOGRAD)
    return turned.reshape(NUMBERS, *turned.shape[2:]).astype(np.float32)


@driver
def unpack_kernels(kernels, winograd, out):
    """Write the `kernel_numbers` of several kernels, [kernels, outer, inner, 3, 3], to float32
    [kernels, NUMBERS, inner, outer], flattened, where memory is filled without NumPy."""
    outers, inners = kernels.shape[1], kernels.shape[2]
    for number in range(len(kernels)):
        for outer in range(outers):
            for inner in range(inners):
                for a in range(PATCH):
                    for b in range(PATCH):
                        turned = 0.0
                        for i in range(3):
                            for j in range(3):
                                weight = np.float64(kernels[number, outer, inner, i, j])
                                turned += winograd[a, i] * weight * winograd[b, j]
                        at = ((number * PATCH + a) * PATCH + b) * inners + inner
                        out[at * outers + outer] = turned


def convolve(source, inner, kernel, first, bias, first_bias, outer, goal, grid, fields, how):
    """Convolve a field of `inner` channels, and write the ReLU of the sums of `outer` channels to `goal`.

    The kernel's numbers begin at `first` in `kernel`, its biases at `first_bias` in `bias`. `how`, one of
    `NEW`, `ADDED` and `PASSING`, says what to do with the sums before the ReLU. Outside the board `goal`
    gets 0.
    """
    _turn_patches(source, inner, grid, fields.rows, fields.patches)
    _multiply(fields.patches, inner, kernel, first, outer, len(grid.tiles), fields.products)
    _turn_back(fields.products, fields.rows, fields.seen, bias, first_bias, outer, grid, goal, how)


def _turn_patches(source, channels, grid, rows, patches):
    two, four, five = splat(np.float32(2)), splat(np.float32(4)), splat(np.float32(5))
    tiles = len(grid.tiles)
    down, apart = grid.stride * channels, tiles * channels
    for tile in range(tiles):
        corner = grid.tiles[tile] * channels
        for channel in range(0, channels, LANES):
            for column in range(PATCH):
                at = corner + column * channels + channel
                a, b, c = load(source, at), load(source, at + down), load(source, at + 2 * down)
                d, e, f = (
                    load(source, at + 3 * down),
                    load(source, at + 4 * down),
                    load(source, at + 5 * down),
                )
                _turn(a, b, c, d, e, f, two, four, five, rows, column * LANES, PATCH * LANES)
            for row in range(PATCH):
                at = row * PATCH * LANES
                a, b, c = load(rows, at), load(rows, at + LANES), load(rows, at + 2 * LANES)
                d, e, f = load(rows, at + 3 * LANES), load(rows, at + 4 * LANES), load(rows, at + 5 * LANES)
                to = (row * PATCH * tiles + tile) * channels + channel
                _turn(a, b, c, d, e, f, two, four, five, patches, to, apart)


def _turn(a, b, c, d, e, f, two, four, five, goal, at, apart):
    """Transform six numbers in a row or column of a patch into six others, stored `apart` from each other."""
    even, odd = e - c, two * (d - b)
    store(goal, at, four * a - five * c + e)
    store(goal, at + apart, d + e - four * (b + c))
    store(goal, at + 2 * apart, e - d + four * (b - c))
    store(goal, at + 3 * apart, even + odd)
    store(goal, at + 4 * apart, even - odd)
    store(goal, at + 5 * apart, four * b - five * d + f)


def _multiply(patches, inner, kernel, first, outer, tiles, products):
    """Multiply four tiles at a time, or five at the end: as many sums as fit into a processor's registers."""
    for number in range(NUMBERS):
        weights = first + number * inner * outer
        tile = 0
        while tile < tiles:
            at = number * tiles + tile
            if tiles - tile == 5:
                _multiply_five(patches, at * inner, inner, kernel, weights, outer, products, at * outer)
                tile += 5
            elif tiles - tile >= 4:
                _multiply_four(patches, at * inner, inner, kernel, weights, outer, products, at * outer)
                tile += 4
            else:
                _multiply_one(patches, at * inner, inner, kernel, weights, outer, products, at * outer)
                tile += 1


def _multiply_five(patches, at, inner, kernel, weights, outer, products, to):
    zero = splat(np.float32(0))
    for channel in range(0, outer, LANES):
        a, b, c, d, e = zero, zero, zero, zero, zero
        for k in range(inner):
            weight = load(kernel, weights + k * outer + channel)
            a = a + spread(patches, at + k) * weight
            b = b + spread(patches, at + k + inner) * weight
            c = c + spread(patches, at + k + 2 * inner) * weight
            d = d + spread(patches, at + k + 3 * inner) * weight
            e = e + spread(patches, at + k + 4 * inner) * weight
        store(products, to + channel, a)
        store(products, to + channel + outer, b)
        store(products, to + channel + 2 * outer, c)
        store(products, to + channel + 3 * outer, d)
        store(products, to + channel + 4 * outer, e)


def _multiply_four(patches, at, inner, kernel, weights, outer, products, to):
    zero = splat(np.float32(0))
    for channel in range(0, outer, LANES):
        a, b, c, d = zero, zero, zero, zero
        for k in range(inner):
            weight = load(kernel, weights + k * outer + channel)
            a = a + spread(patches, at + k) * weight
            b = b + spread(patches, at + k + inner) * weight
            c = c + spread(patches, at + k + 2 * inner) * weight
            d = d + spread(patches, at + k + 3 * inner) * weight
        store(products, to + channel, a)
        store(products, to + channel + outer, b)
        store(products, to + channel + 2 * outer, c)
        store(products, to + channel + 3 * outer, d)


def _multiply_one(patches, at, inner, kernel, weights, outer, products, to):
    for channel in range(0, outer, LANES):
        a = splat(np.float32(0))
        for k in range(inner):
            a = a + spread(patches, at + k) * load(kernel, weights + k * outer + channel)
        store(products, to + channel, a)


def _turn_back(products, rows, seen, bias, first_bias, channels, grid, goal, how):
    zero, two = splat(np.float32(0)), splat(np.float32(2))
    four, eight = splat(np.float32(4)), splat(np.float32(8))
    stride, corners, mask = grid.stride, grid.tiles, grid.mask
    tiles = len(corners)
    down = PATCH * tiles * channels
    for tile in range(tiles):
        corner = corners[tile] + stride + 1
        for channel in range(0, channels, LANES):
            for column in range(PATCH):
                at = (column * tiles + tile) * channels + channel
                a, b, c = load(products, at), load(products, at + down), load(products, at + 2 * down)
                d, e = load(products, at + 3 * down), load(products, at + 4 * down)
                f = load(products, at + 5 * down)
                _back(a, b, c, d, e, f, two, four, eight, rows, column * LANES, PATCH * LANES)
            shift = load(bias, first_bias + channel)
            for row in range(TILE):
                at = row * PATCH * LANES
                a, b, c = load(rows, at), load(rows, at + LANES), load(rows, at + 2 * LANES)
                d, e, f = load(rows, at + 3 * LANES), load(rows, at + 4 * LANES), load(rows, at + 5 * LANES)
                _back(a, b, c, d, e, f, two, four, eight, rows, at, LANES)
                place = corner + row * stride
                for column in range(TILE):
                    to = (place + column) * channels + channel
                    sums = load(rows, at + column * LANES) + shift
                    if how == ADDED:
                        sums = sums + load(seen, to)
                    if how != PASSING:
                        store(seen, to, sums)
                    store(goal, to, larger(sums, zero) * spread(mask, place + column))


def _back(a, b, c, d, e, f, two, four, eight, goal, at, apart):
    """Transform six numbers of a product into four, stored `apart` from each other."""
    near, far, nearby, away = b + c, d + e, b - c, d - e
    store(goal, at, a + near + far)
    store(goal, at + apart, nearby + two * away)
    store(goal, at + 2 * apart, near + four * far)
    store(goal, at + 3 * apart, nearby + eight * away + f)
