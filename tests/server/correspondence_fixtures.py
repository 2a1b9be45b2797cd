"""Fixtures for tests of play by mail: a postman, two players, and their table."""

from collections.abc import Iterator

import pytest

from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models
from kakomi.server.tables.services import Sitter
from server.correspondence import Postman, begun, correspondent, taking_mail


@pytest.fixture
def postman() -> Iterator[Postman]:
    with taking_mail(), Postman().at_work() as postman:
        yield postman


@pytest.fixture
def people() -> list[Guest]:
    return [correspondent(name) for name in ("ada", "bob")]


@pytest.fixture
def row(people: list[Guest]) -> models.Table:
    return begun(*map(Sitter, people), game="rin", options={"size": 4})
