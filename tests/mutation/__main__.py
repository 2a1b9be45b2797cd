"""`python -m tests.mutation rin clock`: tries the mutations of some rooms, or all, and counts what became of
them."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
KEPT = PROJECT / ".cache" / "mutants"
sys.path[:0] = [str(PROJECT / "tests")]

from mutation.rooms import ROOMS  # noqa: E402


def main() -> int:
    arguments = argparse.ArgumentParser(prog="mutation", description=__doc__)
    arguments.add_argument("rooms", nargs="*", help=f"of: {', '.join(ROOMS)} (default: all)")
    arguments.add_argument("--every", type=int, default=1, help="try only each so manieth mutation")
    arguments.add_argument(
        "--jobs", type=int, default=os.cpu_count(), help="how many at once (default: cores)"
    )
    arguments.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    rooms = chosen.rooms or list(ROOMS)
    for name in rooms:
        if name not in ROOMS:
            arguments.error(f"there is no room {name}")
    if chosen.here:
        return try_room(rooms[0], chosen.every, chosen.jobs)
    for name in rooms:  # each in a process of its own, as rules are compiled or not
        environment = os.environ | ({"KAKOMI_KERNEL": "interpreted"} if ROOMS[name].interpreted else {})
        options = ["--here", "--every", str(chosen.every), "--jobs", str(chosen.jobs)]
        command = [sys.executable, "-m", "tests.mutation", name, *options]
        if subprocess.run(command, env=environment, cwd=PROJECT).returncode:
            return 1
    return 0


def try_room(name: str, every: int, jobs: int) -> int:
    """Try a room's mutations; 1 if that can't be done."""
    import pytest

    from mutation.campaign import Campaign

    room = ROOMS[name]
    leave_out = ["-k", f"not ({room.leave_out})"] if room.leave_out else []
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / f"{name}.jsonl").open("w") as log:
        campaign = Campaign(room.modules, log, not room.interpreted, every, jobs)
        pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *leave_out, *room.tests], [campaign])
    if campaign.failed or not campaign.outcomes:
        print(campaign.failed or "no test ran")
        return 1
    counts = ", ".join(f"{times} {outcome}" for outcome, times in campaign.outcomes.most_common())
    print(f"{name}: {campaign.outcomes.total()} mutations: {counts}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
