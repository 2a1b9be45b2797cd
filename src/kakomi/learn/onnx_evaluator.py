"""A network that ONNX Runtime runs, for a search: one thread, and arrays that stay where they are."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kakomi.core import Game
from kakomi.core.system import one_at_a_time
from kakomi.core.wording import truncated_repr
from kakomi.extras import needs_extra
from kakomi.learn.evaluator import BlankEvaluator, check_layout
from kakomi.learn.layout import NetworkLayout
from kakomi.learn.weights import no_network

METADATA_KEY = "kakomi"
"""Where an ONNX file keeps its layout, as `NetworkLayout.to_json` writes it."""
PLANES, SCALARS, ANSWER = "planes", "scalars", "answer"
"""What such a file calls its inputs and its output: float32 [n, channels, height, width], [n, scalars], and
[n, M]."""
PARTS = ("policy", "value", "leads")
"""Three more outputs, for other programs: the parts of an answer, one behind the other."""
_KEPT_SESSIONS = 8


class OnnxEvaluator(BlankEvaluator):
    """Evaluates positions of n searches of one game at once, each with an `Advice` of its own.

    Args: `path`, an ONNX file that `kakomi.learn.export` wrote; `game`; `n`, how many searches. Raises
    ValueError for a file that isn't such a network, or is for another game, and ModuleNotFoundError without
    the extra `nets`.
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
    """The module of ONNX Runtime. Raises ModuleNotFoundError without the extra `nets`."""
    with needs_extra("nets"):
        import onnxruntime
    return onnxruntime


@lru_cache(maxsize=_KEPT_SESSIONS)
def open_network(path: str) -> tuple[Any, NetworkLayout]:
    """ONNX Runtime's session for a file, which threads may share, and the file's layout.

    Raises ValueError for a file that is no network, and ModuleNotFoundError without the extra `nets`.
    """
    onnxruntime = runtime()
    if not Path(path).is_file():
        raise ValueError(f"there is no file {truncated_repr(path)} with a network")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's own classes are none that it documents
        raise no_network(path, type(error).__name__) from None
    layout = session.get_modelmeta().custom_metadata_map.get(METADATA_KEY)
    if layout is None:
        raise no_network(path, "it has no layout")
    try:
        return session, _checked(path, session, NetworkLayout.from_json(layout))
    except ValueError as error:
        raise no_network(path, str(error)) from None


def _checked(path: str, session: Any, layout: NetworkLayout) -> NetworkLayout:
    """The layout. Raises ValueError if the file's arrays are none of a network that has it, or not finite.

    Arrays have other names and types in int8, so whether they fit each other is left to the runtime.
    """
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
