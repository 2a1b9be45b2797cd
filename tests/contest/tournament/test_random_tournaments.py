"""Random tournaments of all formats with everything that can go wrong, and equal results in any process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contest.tournament.checks import faults_of_round, faults_of_standings
from contest.tournament.played import SEED, field, play
from contest.tournament.simulation import random_tournament
from contest.tournament.tally import tally
from kakomi.contest.tournament import (
    Elimination,
    Entry,
    Pairing,
    Returned,
    Round,
    RoundRobin,
    Swiss,
    Tables,
    Withdrew,
    next_round,
    write_log,
)

TESTS = Path(__file__).parents[2]


@pytest.mark.parametrize("first", range(0, 180, 60))
def test_no_round_is_invalid(first: int) -> None:
    counts = tally(range(first, first + 60))
    assert [key for key in counts if key.startswith("fault")] == []
    assert counts["Swiss rounds"] > 20
    assert sum(count for key, count in counts.items() if key.endswith("Withdrew")) > 20
    assert counts["swiss repeats more"] == counts["swiss steps more"] == 0


CONFIGS = st.sampled_from(
    [
        Swiss(rounds=6),
        Tables(seats=3, rounds=4),
        Tables(seats=5, rounds=3),
        RoundRobin(groups=2, promoted=1, final=Elimination()),
        Elimination(losses=2),
    ]
)


@settings(max_examples=60, deadline=None)
@given(config=CONFIGS, people=st.integers(0, 9), moves=st.lists(st.integers(0, 8), max_size=12))
def test_people_come_and_go_as_they_like(config, people: int, moves: list[int]) -> None:
    """Each number is a person who leaves or returns before the next round."""
    log: list[Entry] = list(field(people))
    away: set[str] = set()
    for move in moves:
        name = f"p{move % people + 1}" if people else ""
        if name:
            log.append(Returned(name) if name in away else Withdrew(name))
            away ^= {name}
        paired = next_round(log, config, SEED)
        if paired is not None:
            assert faults_of_round(log, config, SEED, paired) == []
        play(log, config, rounds=1)
    assert faults_of_standings(log, config, SEED) == []


def test_matchings_are_loaded_when_a_round_is_paired() -> None:
    program = "import sys, kakomi.contest.tournament; print('rustworkx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_checks_see_what_is_wrong() -> None:
    log, config = [*field(5), Withdrew("p5")], Swiss()
    wrong = {
        Round((Pairing(("p1", "p2")),)): "left out",
        Round((Pairing(("p1", "p2")), Pairing(("p1", "p4"))), ("p3",)): "paired twice",
        Round((Pairing(("p1", "p2")), Pairing(("p3", "p4"))), ("p5",)): "who is away",
        Round((Pairing(("p1", "p2", "p3", "p4")),)): "more than two",
        Round((Pairing(("p1", "p2")),), ("p3", "p4")): "2 byes among 4",
    }
    for paired, fault in wrong.items():
        assert any(fault in found for found in faults_of_round(log, config, SEED, paired)), fault
    uneven = Round((Pairing(("p1", "p2", "p3")), Pairing(("p4",))))
    assert "tables of [3, 1]" in faults_of_round(log, Tables(seats=3), SEED, uneven)
    other = Round((Pairing(("p1", "p2")), Pairing(("p3", "p4"))))
    assert faults_of_round(log, config, 10, other) == ["the same log gave another round"]


@pytest.mark.parametrize("number", [30, 61, 92, 63])
def test_any_process_gives_the_same_round(number: int) -> None:
    """String hashes, and so the order of sets, differ between processes."""
    program = (
        "from contest.tournament.simulation import random_tournament\n"
        "from kakomi.contest.tournament import write_log\n"
        f"it = random_tournament({number}); it.play(lambda *_: None)\n"
        "print(write_log(it.log).decode())"
    )
    here = random_tournament(number)
    here.play(lambda *_: None)
    for hashes in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": str(TESTS)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == write_log(here.log).decode()
