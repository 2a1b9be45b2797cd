"""Networks as ONNX files, in float and in int8, and how often the two agree."""

import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from kakomi.core import Position
from kakomi.extras import needs_extra
from kakomi.learn.network import OWN, Network, Outputs
from kakomi.networks.evaluator import (
    ANSWER,
    METADATA_KEY,
    PARTS,
    PLANES,
    SCALARS,
)
from kakomi.networks.observation import Inputs, inputs_of

with needs_extra("learn"):
    import onnx
    import torch
    from torch import Tensor, nn

_OPSET = 17
_IN_FLOAT = "places/Conv"
"""The name suffix of convolutions that stay in float, because small differences of their outputs matter."""
_CALIBRATED = 64
"""The batch size for calibrating the ranges of numbers."""


class _Answering(nn.Module):
    """The part of a network that is used in play."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, planes: Tensor, scalars: Tensor) -> tuple[Tensor, ...]:
        outputs: Outputs = self.network(planes, scalars)
        return outputs.answer(), outputs.logits(OWN), outputs.value, outputs.leads


def export(network: Network, path: Path, *, fills_rectangle: bool = False) -> None:
    """Write a network in float for `kakomi.networks.evaluator`, for boards of any size.

    With `fills_rectangle`, it is only for boards that fill their rectangle, and a third faster.
    """
    layout, was_masked = network.layout, network.is_masked
    network.is_masked = not fills_rectangle
    example = torch.zeros(2, len(layout.channels), 5, 7), torch.zeros(2, len(layout.scalars))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter without further dependencies is deprecated
        torch.onnx.export(
            _Answering(network).eval(),
            example,
            str(path),
            input_names=[PLANES, SCALARS],
            output_names=[ANSWER, *PARTS],
            dynamic_axes={
                PLANES: {0: "n", 2: "height", 3: "width"},
                SCALARS: {0: "n"},
                ANSWER: {0: "n", 1: "m"},
                "policy": {0: "n", 1: "logits"},
                "value": {0: "n"},
                "leads": {0: "n"},
            },
            opset_version=_OPSET,
            dynamo=False,
        )
    network.is_masked = was_masked
    model = onnx.load(str(path))
    onnx.helper.set_model_props(model, {METADATA_KEY: layout.to_json()})
    onnx.save(model, str(path))


def quantize(path: Path, positions: Sequence[Position], to: Path) -> None:
    """Write a float network in int8, calibrated on the given positions."""
    with needs_extra("nets"):
        from onnxruntime import quantization
    heads = [node.name for node in onnx.load(str(path)).graph.node if node.name.endswith(_IN_FLOAT)]
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / "prepared.onnx"
        quantization.quant_pre_process(str(path), str(prepared), skip_symbolic_shape=True)
        quantization.quantize_static(
            str(prepared),
            str(to),
            _Calibration(positions),
            quant_format=quantization.QuantFormat.QDQ,
            per_channel=True,
            op_types_to_quantize=["Conv"],
            nodes_to_exclude=heads,
        )


class _Calibration:
    """Positions in batches, as ONNX Runtime's calibration reads them."""

    def __init__(self, positions: Sequence[Position]) -> None:
        self._batches = _batches(positions)

    def get_next(self) -> dict[str, np.ndarray] | None:
        """Inputs by name; None after the last."""
        inputs = next(self._batches, None)
        return inputs and {PLANES: inputs.planes, SCALARS: inputs.scalars}


def _batches(positions: Sequence[Position]) -> Iterator[Inputs]:
    for first in range(0, len(positions), _CALIBRATED):
        yield inputs_of(positions[first : first + _CALIBRATED])
