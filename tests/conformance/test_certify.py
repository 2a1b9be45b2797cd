"""Certification finds no faults in any game, compiled and interpreted."""

from conformance.cases import Case, compiled_cases
from kakomi.research import certify


@compiled_cases
def test_nothing_is_found(case: Case) -> None:
    report = certify(case.game, games=1)
    report.raise_faults()
