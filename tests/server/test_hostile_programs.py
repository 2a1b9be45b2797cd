"""Whatever a program sends to the JSON API, it is answered as the API's document says, and never fails."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, settings

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.api_v1 import api
from kakomi.server.puzzles.collection import all_puzzles
from kakomi.server.tables import models, services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig
from sampling import sample

pytestmark = pytest.mark.django_db

CODE, INVITATION, TOKEN = "knowntable", "known-invitation", "known-token"


@cache
def schema() -> Any:
    """The document, asked in this thread, and so within the test's transaction. The first test makes it: what
    stands here, every worker does."""
    import schemathesis

    found = schemathesis.openapi.from_dict(
        json.loads(json.dumps(api.get_openapi_schema(path_prefix="/api/v1/")))
    )
    found.app = get_wsgi_application()
    return found


def operations_of(document: Any) -> Iterator[Any]:
    from schemathesis.core.result import Ok

    for found in document.get_all_operations():
        assert isinstance(found, Ok), f"the document is wrong: {found.err()}"
        yield found.ok()


def labels() -> list[str]:
    """The operations, such as `GET /api/v1/games`."""
    return [each.label for each in operations_of(schema()) if not each.label.endswith(STREAMED)]


def labels_of_something() -> list[str]:
    """Those of something that is there, such as a table."""
    return [label for label in labels() if "{" in label]


STREAMED = "/me/archive"
"""What only an asynchronous server sends; test_erasure.py asks for it."""


bounded = settings(max_examples=15, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


def hold_for_cases_of(label: str, test: Callable[[Any], None]) -> None:
    """Run a test of cases for an operation. `schema.parametrize` would make the cases of all operations when
    tests are collected, in every worker: some seconds."""
    from schemathesis.checks import load_all_checks
    from schemathesis.generation.feedback import FeedbackSources
    from schemathesis.pytest._test_builder import build_operation_test
    from schemathesis.python._constants.orchestrator import make_constants_value_source

    load_all_checks()
    (operation,) = operations_of(schema().include(name=label))
    feedback = FeedbackSources(constants_value_source=make_constants_value_source(schema()))
    build_operation_test(
        config=schema().config, operation=operation, test_func=test, given_kwargs={}, feedback=feedback
    )()


@pytest.mark.parametrize("number", range(10))
def test_the_document_is_kept(number: int) -> None:
    """By some operations; `tests/long` asks for all."""
    hold_for_cases_of(sample(labels(), 10, "programs")[number], answered)


@pytest.mark.parametrize("number", range(8))
def test_the_document_is_kept_where_something_is(number: int) -> None:
    hold_for_cases_of(sample(labels_of_something(), 8, "programs")[number], answered_of_something)


@bounded
def answered_of_something(case: Any) -> None:
    known = {"code": CODE, "invitation": INVITATION, "name": "lin", "number": 1}
    known |= {"game": "lin", "size_class": "standard", "pace": "live", "handle": "nobody"}
    known |= {"entrant": 1, "table": CODE}
    if "/puzzles/" in case.path:
        known["name"] = next(iter(all_puzzles()))
    case.path_parameters = {name: known[name] for name in case.path_parameters}
    answered(case)


@bounded
def answered(case: Any) -> None:
    """What a program may rely on. That what the document allows is accepted too is more than a document can
    promise: whether a move is legal, the rules of the game say."""
    from schemathesis import checks

    expected = [
        checks.not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    case.headers.update({"Authorization": f"Bearer {TOKEN}", "Accept-Encoding": "identity"})
    case.validate_response(case.call(), checks=expected)


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
    make_known()


def make_known() -> None:
    guest = Guest.objects.create(token=TOKEN)
    row = services.begin(MatchConfig(catalog.game("rin", size=4)), [Sitter(guest), Sitter()])
    models.Table.objects.filter(pk=row.pk).update(code=CODE)
    row.seats.filter(number=1).update(invitation=INVITATION)
