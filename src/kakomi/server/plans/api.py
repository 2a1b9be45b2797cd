"""Plans, for programs: look at one's own, arm another, delete it."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import ConfigDict, Field

from kakomi.server.accounts.auth import guest_behind, guests
from kakomi.server.api.errors import answers
from kakomi.server.api.schemas import Strict
from kakomi.server.plans import services
from kakomi.server.plans.permissions import expect_may_plan
from kakomi.server.plans.selectors import standing_of
from kakomi.server.plans.services import Seen
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
"""Read by `branches_from_json`: a schema that holds itself takes twice the time for every turn ahead."""


class PlanIn(Strict):
    """A plan to arm, and what its sender has seen."""

    base: Count
    """`entries` of the table."""
    version: Count = 0
    """`version` of the plan so far."""
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
    """What a plan has played."""

    to: str
    turn: str


class EndOut(Schema):
    """Why the last plan has ended."""

    reason: str
    message: str


class PlanOut(Schema):
    """What is left of one's plan at the table as it stands."""

    seat: int
    version: int
    base: int
    is_armed: bool
    branches: Branches
    played: list[PlayedOut]
    end: EndOut | None


@router.get("/tables/{code}/plan", auth=guests("play"), response=answers(PlanOut), url_name="plan")
def look(request: HttpRequest, code: Code) -> PlanOut:
    """One's own plan at a table where people play each other. Nobody sees another's."""
    return _shown(*_asked(request, code))


@router.put("/tables/{code}/plan", auth=guests("play"), response=answers(PlanOut), url_name="plan_put")
def put(request: HttpRequest, code: Code, plan: PlanIn) -> PlanOut:
    """Arm a plan in place of the one before. An own turn at its root is what one means to play oneself."""
    row, viewer = _asked(request, code)
    branches = branches_from_json(plan.branches)
    services.put(row, viewer, Seen(plan.version, plan.base), branches)
    return _shown(*_asked(request, code))


@router.delete("/tables/{code}/plan", auth=guests("play"), response=answers(PlanOut), url_name="plan_delete")
def delete(request: HttpRequest, code: Code) -> PlanOut:
    """Disarm and forget one's plan, whatever has become of it meanwhile."""
    row, viewer = _asked(request, code)
    services.delete(row, viewer)
    return _shown(*_asked(request, code))


def _asked(request: HttpRequest, code: str) -> tuple[models.Table, Viewer]:
    """The table and who asks. Raises Refused for who can't plan there."""
    row = selectors.find_table(code)
    viewer = Viewer.of(row, guest_behind(request))
    expect_may_plan(selectors.table_of(row), viewer)
    return row, viewer


def _shown(row: models.Table, viewer: Viewer) -> PlanOut:
    table, seat = selectors.table_of(row), viewer.seats[viewer.own[0]]
    standing = standing_of(seat, table)
    return PlanOut(
        seat=seat.number,
        version=standing.version,
        base=table.entries,
        is_armed=standing.is_armed,
        branches=[branch.to_json() for branch in standing.tree.branches],
        played=[PlayedOut(to=to, turn=turn) for to, turn in standing.played],
        end=EndOut(reason=standing.end.reason, message=standing.end.words) if standing.end else None,
    )
