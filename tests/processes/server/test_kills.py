"""Servers are killed while people play: no accepted action is lost, and none is played twice.

`make soak` does the same two hundred times.
"""

import random
from pathlib import Path

import pytest

from server.kills import kill_and_check
from server.kinds_of_sites import KINDS, Kind


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_killed_servers_lose_nothing(kind: Kind, tmp_path: Path) -> None:
    kind.require_services()
    with kind.running(tmp_path) as (sites, ledger):
        toll = kill_and_check(sites, ledger, 1, random.Random(1))
    assert (toll.kills, toll.inside) == (1, 1)
    assert toll.accepted > 0
