"""Whatever a program sends to the JSON API, it is answered as the API's document says, and never fails."""

import json
from collections.abc import Callable, Iterator

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks
from schemathesis.core.result import Ok
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source
from schemathesis.schemas import APIOperation, BaseSchema

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.api_v1 import api
from kakomi.server.puzzles.collection import all_puzzles
from kakomi.server.tables import models, services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig

pytestmark = pytest.mark.django_db

CODE, INVITATION, TOKEN = "knowntable", "known-invitation", "known-token"

application = get_wsgi_application()
schema = schemathesis.openapi.from_dict(
    json.loads(json.dumps(api.get_openapi_schema(path_prefix="/api/v1/")))
)
schema.app = application
"""Asked in this thread, and so within the test's transaction."""


def operations_of(document: BaseSchema) -> Iterator[APIOperation]:
    for found in document.get_all_operations():
        assert isinstance(found, Ok), f"the document is wrong: {found.err()}"
        yield found.ok()


LABELS = [operation.label for operation in operations_of(schema)]
"""The operations, such as `GET /api/v1/games`."""

STREAMED = "/me/archive"
"""What only an asynchronous server sends; test_erasure.py asks for it."""


bounded = settings(max_examples=15, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))

EXPECTED = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
]
"""What a program may rely on. That what the document allows is accepted too is more than a document can
promise: whether a move is legal, the rules of the game say."""


def hold_for_cases_of(label: str, test: Callable[[schemathesis.Case], None]) -> None:
    """Run a test of cases for an operation. `schema.parametrize` would make the cases of all operations when
    tests are collected, in every worker: some seconds."""
    load_all_checks()
    (operation,) = operations_of(schema.include(name=label))
    feedback = FeedbackSources(constants_value_source=make_constants_value_source(schema))
    build_operation_test(
        config=schema.config, operation=operation, test_func=test, given_kwargs={}, feedback=feedback
    )()


@pytest.mark.parametrize("label", [label for label in LABELS if not label.endswith(STREAMED)])
def test_the_document_is_kept(label: str) -> None:
    hold_for_cases_of(label, answered)


@pytest.mark.parametrize("label", [label for label in LABELS if "{" in label])
def test_the_document_is_kept_where_something_is(label: str) -> None:
    hold_for_cases_of(label, answered_of_something)


@bounded
def answered_of_something(case: schemathesis.Case) -> None:
    known = {"code": CODE, "invitation": INVITATION, "name": "lin", "number": 1}
    known |= {"game": "lin", "size_class": "standard", "pace": "live", "handle": "nobody"}
    known |= {"entrant": 1, "table": CODE}
    if "/puzzles/" in case.path:
        known["name"] = next(iter(all_puzzles()))
    case.path_parameters = {name: known[name] for name in case.path_parameters}
    answered(case)


@bounded
def answered(case: schemathesis.Case) -> None:
    case.headers["Authorization"] = f"Bearer {TOKEN}"
    case.validate_response(case.call(), checks=EXPECTED)


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """Requests leave the test's connection alone, and with it the transaction that it is in."""
    ends = (request_started, request_finished)
    for end in ends:
        end.disconnect(close_old_connections)
    yield
    for end in ends:
        end.connect(close_old_connections)


@pytest.fixture(autouse=True)
def _known_table() -> None:
    guest = Guest.objects.create(token=TOKEN)
    row = services.begin(MatchConfig(catalog.game("rin", size=4)), [Sitter(guest), Sitter()])
    models.Table.objects.filter(pk=row.pk).update(code=CODE)
    row.seats.filter(number=1).update(invitation=INVITATION)
