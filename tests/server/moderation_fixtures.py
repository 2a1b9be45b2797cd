"""The people in tests of moderation: a staff member, and a person who is reported."""

import pytest

from kakomi.server.accounts.models import Guest, User
from server.people import make_user
from server.staff import make_staff


@pytest.fixture
def staff() -> User:
    return make_staff("staff", "moderate", "erase")


@pytest.fixture
def bob() -> Guest:
    return make_user("bob").guest
