"""Networks as ONNX files."""

import warnings
from pathlib import Path

from kakomi.extras import needs_extra
from kakomi.learn.network import OWN, Network, Outputs
from kakomi.networks.evaluator import (
    ANSWER,
    METADATA_KEY,
    PARTS,
    PLANES,
    SCALARS,
)

with needs_extra("learn"):
    import onnx
    import torch
    from torch import Tensor, nn

_OPSET = 17


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
