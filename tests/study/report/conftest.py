"""A small report of real games, played once."""

import pytest

import kakomi
from kakomi.study.matches import play
from kakomi.study.report.plan import Sample
from kakomi.study.report.report import Origin, Report
from kakomi.study.report.study import Study
from kakomi.study.report.trace import trace_of

SAMPLES = (
    *(Sample("random", 0, 12), Sample("self", 1, 8), Sample("ladder", 1, 6), Sample("self", 2, 8)),
    Sample("mirror", 2, 4),
)


def played_study(game: kakomi.Game, seed: int = 1) -> Study:
    found = {}
    for sample in SAMPLES:
        if sample.kind == "mirror" and game.players > 2:
            continue
        pairings = sample.pairings(game, seed)
        found[sample] = [trace_of(play(one, 60.0, True), game, sample.key) for one in pairings]
    return Study(game, seed, found)


def report_of(study: Study) -> Report:
    return Report(study, Origin("kakomi report rin --size 4", study.seed, "10s", 38))


@pytest.fixture(scope="session")
def played() -> Study:
    return played_study(kakomi.game("rin", size=4))


@pytest.fixture(scope="session")
def played_by_three() -> Study:
    return played_study(kakomi.game("rings", size=2, players=3))


@pytest.fixture(scope="session")
def report(played: Study) -> Report:
    return report_of(played)
