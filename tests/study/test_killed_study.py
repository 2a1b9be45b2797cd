"""Killing the process of a study by the real program with a farm of processes."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path


def test_a_killed_process_loses_no_finished_trial(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kakomi", "study", "openings", "rin", "--size", "4", "--bot", "random"]
    whole = [*command, "--count", "100000", "--jobs", "1", "--keep", str(tmp_path)]
    running = subprocess.Popen(whole, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while sum(path.stat().st_size for path in tmp_path.glob("*.jsonl")) < 2_000:
        assert running.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    (file,) = tmp_path.glob("*.jsonl")
    before = file.read_bytes().splitlines()[:10]
    again = subprocess.run(
        [*command, "--count", "10", "--jobs", "1", "--keep", str(tmp_path), "--json"],
        capture_output=True,
        check=True,
        timeout=120,
    )
    assert json.loads(again.stdout)["trials"] == 10 and file.read_bytes().splitlines()[:10] == before
