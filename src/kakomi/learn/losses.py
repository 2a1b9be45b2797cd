"""What a network is trained to say, and how far it is from that."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from kakomi.extras import needs_extra
from kakomi.learn.network import OWN, REPLY, SOFT, Outputs
from kakomi.learn.weights import POLICIES

with needs_extra("learn"):
    import torch
    from torch import Tensor
    from torch.nn import functional

WEIGHTS = {"policy": 1.0, "reply": 0.15, "soft": 2.0, "value": 1.5, "leads": 0.02, "owner": 0.15}
"""How much each head counts, after KataGo's."""
LEAD_SCALE = 10.0
"""Points: an error of more counts by its size and no longer by its square."""
SOFTENING = 0.25
"""The power of the visits' shares that the soft policy learns."""
NOTHING = -1
"""The owner of a spot beside the board."""
_IMPOSSIBLE, _LEAST = -1e9, 1e-9


class Targets(NamedTuple):
    """What was found of n positions. A is the number of actions, with that of the largest game for all.

    Rows of `replies` that are all 0 count for nothing: nobody answered.
    """

    policies: Tensor
    """float32 [n, A]: the share of each action in the search's visits."""
    replies: Tensor
    """float32 [n, A]: the same of the next search, whoever's it was."""
    is_legal: Tensor
    """bool [n, A]: the actions that the policies are shares of."""
    entries: Tensor
    """int64 [n, A, K]: each action's `BoardLayout.entries`,"""
    weights: Tensor
    """float32 [n, A, K]: and weights."""
    shares: Tensor
    """float32 [n, seats]: each seat's share of the win, the viewer's first; -1 for seats that nobody has."""
    leads: Tensor
    """float32 [n, seats]: each seat's score less the best of the others', in points."""
    owners: Tensor
    """int64 [n, height, width]: whose stone is on each spot at the end, by seat; `seats` for nobody's, and
    `NOTHING` beside the board."""


def losses(outputs: Outputs, targets: Targets) -> dict[str, Tensor]:
    """The mean loss of each head, by its name in `WEIGHTS`."""
    is_seat = targets.shares >= 0
    shares = targets.shares.clamp(min=0)
    values = outputs.value.masked_fill(~is_seat, _IMPOSSIBLE)
    leads = functional.smooth_l1_loss(outputs.leads, targets.leads, beta=LEAD_SCALE, reduction="none")
    logits = [action_logits(outputs.logits(head), targets) for head in range(POLICIES)]
    own, soft = (logits[head].masked_fill(~targets.is_legal, _IMPOSSIBLE) for head in (OWN, SOFT))
    softened = targets.policies**SOFTENING
    return {
        "policy": _policy_loss(own, targets.policies),
        "reply": _policy_loss(logits[REPLY], targets.replies),
        "soft": _policy_loss(soft, softened / softened.sum(dim=1, keepdim=True).clamp(min=_LEAST)),
        "value": functional.cross_entropy(values, shares),
        "leads": (leads * is_seat).sum() / is_seat.sum(),
        "owner": functional.cross_entropy(outputs.owner, targets.owners, ignore_index=NOTHING),
    }


def check_finite(each: Mapping[str, float], step: int) -> None:
    """Raises ValueError for a loss, or another number of a step, that is infinite or none."""
    for name, number in each.items():
        if not math.isfinite(number):
            raise ValueError(f"at step {step} the {name} is {number}; learning stops, and overwrites nothing")


def total(each: dict[str, Tensor]) -> Tensor:
    """The heads' losses, weighted and added up."""
    return torch.stack([WEIGHTS[name] * loss for name, loss in each.items()]).sum()


def action_logits(logits: Tensor, targets: Targets) -> Tensor:
    """Each action's logit [n, A], of a head's `Outputs.logits` [n, L]."""
    n, actions, parts = targets.entries.shape
    found = logits.gather(1, targets.entries.reshape(n, actions * parts)).reshape(n, actions, parts)
    return (found * targets.weights).sum(dim=2)


def _policy_loss(logits: Tensor, policies: Tensor) -> Tensor:
    """Cross entropy, over the rows that say anything."""
    is_known = policies.sum(dim=1) > 0
    loss = -(policies * functional.log_softmax(logits, dim=1)).sum(dim=1)
    return (loss * is_known).sum() / is_known.sum().clamp(min=1)
