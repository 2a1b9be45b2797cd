"""The code for mutations and the tests that should detect them exist where `mutation.targets` says."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from mutation.targets import TARGETS

PROJECT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("name", TARGETS)
def test_modules_and_tests_of_a_room_exist(name: str) -> None:
    target = TARGETS[name]
    assert [module for module in target.modules if find_spec(module) is None] == []
    assert [path for path in target.tests if not (PROJECT / path).exists()] == []
