"""What mutations change, and the tests that should notice them, are where `mutation.rooms` says."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from mutation.rooms import ROOMS

PROJECT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("name", ROOMS)
def test_modules_and_tests_of_a_room_exist(name: str) -> None:
    room = ROOMS[name]
    assert [module for module in room.modules if find_spec(module) is None] == []
    assert [path for path in room.tests if not (PROJECT / path).exists()] == []
