"""The solver proves the results that the tests of its pages use."""

from dataclasses import replace

from kakomi.solve import prove
from server.test_analysis_proof import AFTER_B2, RIVE, START


def test_a_small_board_is_solved() -> None:
    for position, known in ((RIVE.start(), START), (RIVE.start().play("b2"), AFTER_B2)):
        assert replace(prove(position, 10**6), seconds=0.0) == known
