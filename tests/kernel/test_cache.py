"""Compiled code on disk is never stale, and is used if nothing changed."""

import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import kakomi
from kakomi.kernel import compiler  # noqa: F401  (registers the rules' types with Numba)
from kakomi.kernel.driver_cache import modules_among
from kernel.workshop import EDITS, UNEDITED, Workshop, package
from sampling import sample


@pytest.mark.parametrize("what", sample(EDITS, 1, "edits"))
def test_an_edit_is_not_missed(what: str, tmp_path: Path) -> None:
    """`tests/processes/test_edited_rules.py` has all edits."""
    workshop = Workshop(tmp_path, [what])
    file, old, new, score = EDITS[what]
    assert workshop.play(what) == {what: (UNEDITED, "outcome")}
    workshop.edit(f"{package(what)}/{file}", old, new)
    assert workshop.play(what) == {what: (score, "outcome")}


PROFILED = """
import cProfile, inspect
import kakomi
from kakomi.core import steps
from kakomi.kernel.sources import fingerprint

game, before = kakomi.game("rin"), fingerprint(steps.__name__)
with cProfile.Profile():
    game.start()
flags = steps.begin.function.__code__.co_flags
print(bool(flags & inspect.CO_OPTIMIZED), fingerprint(steps.__name__) == before)
"""


def test_a_profiled_call_changes_no_fingerprint() -> None:
    """Numba removes a flag from the code objects of functions that it calls for a profiler."""
    run = subprocess.run([sys.executable, "-c", PROFILED], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"], "if the first is True, there is nothing to test any more"


@pytest.mark.parametrize("name", kakomi.names())
def test_a_signature_names_the_rules_of_its_states(name: str) -> None:
    """This is the only way in which the rules get into the keys of drivers that aren't specific to a game."""
    description = kakomi.game(name).description
    rules = description.rules
    signature = (numba.typeof(np.zeros(1, rules.STATE)), numba.typeof(np.zeros(1, rules.SCRATCH)))
    solving = None if hasattr(description.solving, "STATE") else description.solving
    companions = [module for module in (description.policy, description.observation, solving) if module]
    assert modules_among(signature) == [rules, *companions]
    assert modules_among([numba.types.UniTuple(signature[0], 1)]) == [rules, *companions]
