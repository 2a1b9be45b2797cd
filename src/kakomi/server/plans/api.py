"""The plans API: view, arm and delete your own plan."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import ConfigDict, Field

from kakomi.server.accounts.auth import guests, optional_guest
from kakomi.server.plans import services
from kakomi.server.plans.permissions import require_may_plan
from kakomi.server.plans.selectors import current_plan_of
from kakomi.server.plans.services import Seen
from kakomi.server.site.api import Strict, answers
from kakomi.server.tables import models, selectors
from kakomi.server.tables.api import Code
from kakomi.server.tables.permissions import Viewer
from kakomi.session.plans import MOST_TURNS, branches_from_json

router = Router(tags=["plans"])

Count = Annotated[int, Field(ge=0, le=999_999_999)]
Branches = Annotated[
    list[Any],
    Field(
        max_length=MOST_TURNS,
        description="whole turns, each an object with `seat`, `turn`, a list of actions, and `then`, the"
        " branches that follow it",
    ),
]
"""Parsed by `branches_from_json`: a recursive schema's time doubles with every turn of depth."""


class PlanIn(Strict):
    """A plan to arm, and the versions that its sender has seen."""

    base: Count
    """`entries` of the table."""
    version: Count = 0
    """`version` of the previous plan; 0 if there was none."""
    branches: Branches
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "base": 1,
                    "version": 0,
                    "branches": [
                        {"seat": 1, "turn": ["1,1", "2,2"], "then": [{"seat": 0, "turn": ["3,3", "0,1"]}]}
                    ],
                }
            ]
        },
    )


class PlayedOut(Schema):
    """A turn that a plan has played, and the turn `to` which it was the answer."""

    to: str
    turn: str


class EndOut(Schema):
    """Why the last plan has ended."""

    reason: str
    message: str


class PlanOut(Schema):
    """What is left of your plan in the current state of the table."""

    seat: int
    version: int
    base: int
    is_armed: bool
    branches: Branches
    played: list[PlayedOut]
    end: EndOut | None


@router.get("/tables/{code}/plan", auth=guests("play"), response=answers(PlanOut), url_name="plan")
def look(request: HttpRequest, code: Code) -> PlanOut:
    """Your plan at a table where people play each other. Nobody else can see it."""
    return _shown(*_asked(request, code))


@router.put("/tables/{code}/plan", auth=guests("play"), response=answers(PlanOut), url_name="plan_put")
def put(request: HttpRequest, code: Code, plan: PlanIn) -> PlanOut:
    """Arm a plan, replacing any earlier one. Your own turn at its root is one that you will play yourself."""
    row, viewer = _asked(request, code)
    branches = branches_from_json(plan.branches)
    services.put(row, viewer, Seen(plan.version, plan.base), branches)
    return _shown(*_asked(request, code))


@router.delete("/tables/{code}/plan", auth=guests("play"), response=answers(PlanOut), url_name="plan_delete")
def delete(request: HttpRequest, code: Code) -> PlanOut:
    """Disarm and delete your plan, whatever its state."""
    row, viewer = _asked(request, code)
    services.delete(row, viewer)
    return _shown(*_asked(request, code))


def _asked(request: HttpRequest, code: str) -> tuple[models.Table, Viewer]:
    """The table and the requesting viewer. Raises `Refused` if they can't plan there."""
    row = selectors.find_table(code)
    viewer = Viewer.of(row, optional_guest(request))
    require_may_plan(selectors.table_of(row), viewer)
    return row, viewer


def _shown(row: models.Table, viewer: Viewer) -> PlanOut:
    table, seat = selectors.table_of(row), viewer.seats[viewer.own[0]]
    current = current_plan_of(seat, table)
    return PlanOut(
        seat=seat.number,
        version=current.version,
        base=table.entries,
        is_armed=current.is_armed,
        branches=[branch.to_json() for branch in current.tree.branches],
        played=[PlayedOut(to=to, turn=turn) for to, turn in current.played],
        end=EndOut(reason=current.end.reason, message=current.end.words) if current.end else None,
    )
