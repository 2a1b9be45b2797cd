"""Lighthouse's scores of a page. It isn't in `.venv`: `npm install lighthouse` in any folder installs it."""

import json
import os
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from browser.chromium import SHOWS_NOTIFICATIONS, executable

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
DEVICES = ("desktop", "mobile")
RUNS = 3
"""The performance depends on what else the machine does, so it is measured so often, for the median."""


def check_lighthouse(program: str) -> None:
    """Exit with a sentence if Lighthouse can't be started."""
    if not shutil.which(program):
        raise SystemExit(
            f"there is no {program}: run `npm install lighthouse` in some folder, then name its program by "
            "--lighthouse FOLDER/node_modules/.bin/lighthouse"
        )


def scores(program: str, address: str, cookie: str, device: str, slowdown: float) -> list[float]:
    """The median scores in all categories, and that of Lighthouse's benchmark of this machine.

    `slowdown` says how many times slower than this machine the processor of a simulated phone is.
    """
    with tempfile.TemporaryDirectory(prefix="kakomi-lighthouse-") as folder:
        path = Path(folder) / "report.json"
        command = [program, address, "--quiet", "--output=json", f"--output-path={path}"]
        command += ["--chrome-flags=--headless=new --no-sandbox", f"--only-categories={','.join(CATEGORIES)}"]
        if cookie:
            command.append(f"--extra-headers={json.dumps({'Cookie': f'sessionid={cookie}'})}")
        if device == "desktop":
            command.append("--preset=desktop")
        else:
            command.append(f"--throttling.cpuSlowdownMultiplier={slowdown:g}")
        environment = {**os.environ, "CHROME_PATH": executable(SHOWS_NOTIFICATIONS) or ""}
        found = []
        for _ in range(RUNS):
            if subprocess.run(command, env=environment).returncode:  # it loses a trace now and then
                subprocess.run(command, env=environment, check=True)
            report = json.loads(path.read_text())
            values = [100 * (report["categories"][name]["score"] or 0) for name in CATEGORIES]
            found.append([*values, report["environment"]["benchmarkIndex"]])
    return [statistics.median(column) for column in zip(*found, strict=True)]
