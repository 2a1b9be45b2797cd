"""`python -m tests.mutation rin clock`: try the mutations of some targets, or all, and count the outcomes."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
KEPT = PROJECT / ".cache" / "mutants"
sys.path[:0] = [str(PROJECT / "tests")]

from mutation.targets import TARGETS  # noqa: E402


def main() -> int:
    arguments = argparse.ArgumentParser(prog="mutation", description=__doc__)
    arguments.add_argument("targets", nargs="*", help=f"of: {', '.join(TARGETS)} (default: all)")
    arguments.add_argument("--every", type=int, default=1, help="try only each so manieth mutation")
    arguments.add_argument(
        "--jobs", type=int, default=os.cpu_count(), help="how many at once (default: cores)"
    )
    arguments.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    targets = chosen.targets or list(TARGETS)
    for name in targets:
        if name not in TARGETS:
            arguments.error(f"there is no target {name}")
    if chosen.here:
        return try_target(targets[0], chosen.every, chosen.jobs)
    for name in targets:  # each in a separate process, since some need interpreted rules
        environment = os.environ | ({"KAKOMI_KERNEL": "interpreted"} if TARGETS[name].interpreted else {})
        options = ["--here", "--every", str(chosen.every), "--jobs", str(chosen.jobs)]
        command = [sys.executable, "-m", "tests.mutation", name, *options]
        if subprocess.run(command, env=environment, cwd=PROJECT).returncode:
            return 1
    return 0


def try_target(name: str, every: int, jobs: int) -> int:
    """Try a target's mutations, and return 1 if that fails."""
    import pytest

    from mutation.campaign import Campaign

    target = TARGETS[name]
    leave_out = ["-k", f"not ({target.leave_out})"] if target.leave_out else []
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / f"{name}.jsonl").open("w") as log:
        campaign = Campaign(target.modules, log, not target.interpreted, every, jobs)
        pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *leave_out, *target.tests], [campaign])
    if campaign.failed or not campaign.outcomes:
        print(campaign.failed or "no test ran")
        return 1
    counts = ", ".join(f"{times} {outcome}" for outcome, times in campaign.outcomes.most_common())
    print(f"{name}: {campaign.outcomes.total()} mutations: {counts}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
