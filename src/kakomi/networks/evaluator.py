"""Evaluators: they run a network on positions, and give its answers as advice to a search.

Compiled code runs a network's numbers, and needs only NumPy and Numba; ONNX Runtime runs an ONNX file, on one
thread. Input and answer arrays are allocated once.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kakomi.core import Game
from kakomi.core.i18n import truncated_repr
from kakomi.core.system import one_at_a_time
from kakomi.extras import needs_extra
from kakomi.kernel.lanes import LANES
from kakomi.networks.answer_cache import CACHE_MB, answer_cache
from kakomi.networks.convolution import fields_of, grid_of
from kakomi.networks.inference import evaluate, summary_of
from kakomi.networks.layout import ON_BOARD, NetworkLayout, board_layout, network_layout, rectangle
from kakomi.networks.weights import load_network, no_network
from kakomi.search.advice import Advice


class BlankEvaluator:
    """Has an `Advice` for each of n searches of a game, and answers 0 to everything.

    It is the base class of evaluators that run a network, and useful for tests and measurements.
    """

    def __init__(self, game: Game, n: int = 1) -> None:
        self._planes, self._scalars, self._answers = buffers(game, n)
        rows = zip(self._planes, self._scalars, self._answers, strict=True)
        self.advices = [advice_over(game, *row) for row in rows]
        """The advice for each search."""

    @property
    def advice(self) -> Advice:
        """The advice for the only search."""
        return self.advices[0]

    def evaluate(self) -> None:
        """Write the answers to all inputs; here it does nothing."""

    def warm(self) -> bool:
        """Compile without evaluating, and return whether that was needed; here it never is."""
        return False

    def is_compiled(self) -> bool:
        """Whether the compiled code exists; here there is none to compile."""
        return True


def check_layout(layout: NetworkLayout, game: Game, path: Path | str) -> None:
    """Raise ValueError if a file's network is for another game."""
    if layout != network_layout(game):
        raise ValueError(f"the network {truncated_repr(str(path))} is not for {game.name}")


def buffers(game: Game, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Planes, scalars and answers for n positions of a game, all 0."""
    layout, (height, width) = network_layout(game), rectangle(game)
    return (
        np.zeros((n, len(layout.channels), height, width), np.float32),
        np.zeros((n, len(layout.scalars)), np.float32),
        np.zeros((n, layout.answer_length(height * width)), np.float32),
    )


def advice_over(game: Game, planes: np.ndarray, scalars: np.ndarray, answer: np.ndarray) -> Advice:
    """The advice of a network whose inputs and answer for one position are these rows of `buffers`."""
    layout, board = network_layout(game), board_layout(game)
    flat = planes.reshape(len(layout.channels), board.spots)
    flat[ON_BOARD] = board.on_board
    first = len(answer) - 2 * layout.seats
    return Advice(
        pause=np.zeros(3, np.int64),
        input_layout=board.input_layout,
        planes=flat,
        scalars=scalars,
        answer=answer,
        entries=board.entries,
        weights=board.weights,
        value=answer[first : first + layout.seats],
        leads=answer[first + layout.seats :],
        gains=np.zeros(game.players),
    )


METADATA_KEY = "kakomi"
"""The metadata key of an ONNX file's layout, as `NetworkLayout.to_json` writes it."""
PLANES, SCALARS, ANSWER = "planes", "scalars", "answer"
"""The names of an ONNX file's inputs and output: float32 [n, channels, height, width], [n, scalars] and
[n, M]."""
PARTS = ("policy", "value", "leads")
"""Three more outputs for other programs: the consecutive parts of an answer."""
_KEPT_SESSIONS = 8


class OnnxEvaluator(BlankEvaluator):
    """Evaluates positions of n searches of one game at once, each with its own `Advice`.

    `path` is an ONNX file that `kakomi.learn.export` wrote. Raises ValueError if the file isn't such a
    network or is for another game, and ModuleNotFoundError without the extra `nets`.
    """

    def __init__(self, path: Path | str, game: Game, n: int = 1) -> None:
        session, layout = open_network(str(path))
        check_layout(layout, game, path)
        super().__init__(game, n)
        self._session = session
        self._binding = session.io_binding()
        for name, array in ((PLANES, self._planes), (SCALARS, self._scalars)):
            self._binding.bind_input(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)
        answers = self._answers
        self._binding.bind_output(ANSWER, "cpu", 0, np.float32, answers.shape, answers.ctypes.data)

    @one_at_a_time
    def evaluate(self) -> None:
        """Write the answers to all inputs."""
        self._session.run_with_iobinding(self._binding)


def runtime() -> Any:
    """The ONNX Runtime module. Raises ModuleNotFoundError without the extra `nets`."""
    with needs_extra("nets"):
        import onnxruntime
    return onnxruntime


@lru_cache(maxsize=_KEPT_SESSIONS)
def open_network(path: str) -> tuple[Any, NetworkLayout]:
    """An ONNX Runtime session for a file, which threads may share, and the file's layout.

    Raises ValueError if the file isn't a network, and ModuleNotFoundError without the extra `nets`.
    """
    onnxruntime = runtime()
    if not Path(path).is_file():
        raise ValueError(f"there is no file {truncated_repr(path)} with a network")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime doesn't document its exception classes
        raise no_network(path, type(error).__name__) from None
    layout = session.get_modelmeta().custom_metadata_map.get(METADATA_KEY)
    if layout is None:
        raise no_network(path, "it has no layout")
    try:
        return session, _checked(path, session, NetworkLayout.from_json(layout))
    except ValueError as error:
        raise no_network(path, str(error)) from None


def _checked(path: str, session: Any, layout: NetworkLayout) -> NetworkLayout:
    """Return the layout. Raises ValueError if the file's arrays don't fit it or aren't finite; a trial run
    tests whether they fit each other."""
    with needs_extra("nets"):
        import onnx
    for stored in onnx.load(path).graph.initializer:
        array = onnx.numpy_helper.to_array(stored)
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"{stored.name} holds numbers that aren't finite")
    shapes = {PLANES: (1, len(layout.channels), 3, 3), SCALARS: (1, len(layout.scalars))}
    try:
        (answer,) = session.run([ANSWER], {name: np.ones(each, np.float32) for name, each in shapes.items()})
    except Exception:
        answer = None
    if np.shape(answer) != (1, layout.answer_length(3 * 3)) or answer.dtype != np.float32:
        raise ValueError("its arrays don't fit its layout")
    return layout


class CompiledEvaluator(BlankEvaluator):
    """Evaluates positions of n searches of one game, one after the other, each with its own `Advice`.

    `path` is a file that `kakomi.networks.weights.save_network` wrote; `cache_mb` is the memory for caching
    answers, 0 for none. Raises ValueError if the file holds no network, or one for another game.
    """

    def __init__(self, path: Path | str, game: Game, n: int = 1, cache_mb: float = CACHE_MB) -> None:
        layout, weights = load_network(str(path))
        check_layout(layout, game, path)
        super().__init__(game, n)
        planes, scalars, answers = self._planes, self._scalars, self._answers
        board = board_layout(game)
        grid = grid_of(board.on_board, board.height, board.width)
        fields = fields_of(grid, -(-planes.shape[1] // LANES) * LANES, len(weights.stem_bias))
        flat = planes.reshape(n, planes.shape[1], board.spots)
        bits = planes.reshape(n, -1).view(np.uint32), scalars.view(np.uint32)
        cache = answer_cache(answers.shape[1], cache_mb)
        self.arguments = weights, grid, flat, scalars, answers, bits, cache, fields, summary_of(weights)
        """The arguments of `kakomi.networks.inference.evaluate`."""

    @one_at_a_time
    def evaluate(self) -> None:
        """Write the answers to all inputs."""
        evaluate(*self.arguments)

    def warm(self) -> bool:
        """Compile without evaluating, and return whether that was needed."""
        return evaluate.warm(*self.arguments)

    def is_compiled(self) -> bool:
        """Whether the compiled code exists, in memory or on disk."""
        return evaluate.is_cached(self.arguments)


ONNX = ".onnx"
"""The suffix of ONNX files."""
NetworkEvaluator = CompiledEvaluator | OnnxEvaluator


def open_evaluator(
    path: Path | str, game: Game, n: int = 1, *, cache_mb: float = CACHE_MB
) -> NetworkEvaluator:
    """Open a network's evaluator for n searches, on one thread.

    ONNX Runtime runs an ONNX file. Any other file is read as a network's numbers, whose answers are cached in
    `cache_mb` of memory. Raises ValueError if the file holds no network, or one for another game, and
    ModuleNotFoundError for an ONNX file without the extra `nets`.
    """
    if Path(path).suffix == ONNX:
        return OnnxEvaluator(path, game, n)
    return CompiledEvaluator(path, game, n, cache_mb)


def check_network(path: str) -> None:
    """Raise the errors of `open_evaluator` unless the file holds a network for any game."""
    if Path(path).suffix == ONNX:
        open_network(path)
    else:
        load_network(path)
