"""Who evaluates positions for a search: compiled code, or ONNX Runtime, as the network's file wishes."""

from pathlib import Path

from kakomi.core import Game
from kakomi.learn.answer_cache import CACHE_MB
from kakomi.learn.compiled_evaluator import CompiledEvaluator
from kakomi.learn.onnx_evaluator import OnnxEvaluator, open_network
from kakomi.learn.weights import load_network

ONNX = ".onnx"
"""How the name of an ONNX file ends."""
NetworkEvaluator = CompiledEvaluator | OnnxEvaluator


def open_evaluator(
    path: Path | str, game: Game, n: int = 1, *, cache_mb: float = CACHE_MB
) -> NetworkEvaluator:
    """A network's evaluator for n searches, on one thread.

    An ONNX file is run by ONNX Runtime; any other one is taken for a network's numbers, whose answers are
    kept in `cache_mb` of memory. Raises ValueError for a file that holds no network, or one for another game,
    and ModuleNotFoundError for an ONNX file without the extra `nets`.
    """
    if Path(path).suffix == ONNX:
        return OnnxEvaluator(path, game, n)
    return CompiledEvaluator(path, game, n, cache_mb)


def check_network(path: str) -> None:
    """Raises what `open_evaluator` does for a file of no game's network."""
    if Path(path).suffix == ONNX:
        open_network(path)
    else:
        load_network(path)
