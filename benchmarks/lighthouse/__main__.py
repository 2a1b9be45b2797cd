"""What Lighthouse says of the site's pages: performance, accessibility, best practices, SEO, 0 to 100 each.

    npm ci --prefix benchmarks/lighthouse
    python -m benchmarks.lighthouse [--pages home table] [--json] [--save] [--write]

A site of its own is started, and a first game begun there by a guest. Lighthouse comes to each page as this
guest: on a desktop, and on a phone with a slow network and a processor four times as slow, simulated.
Below the table stands what costs points.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks import chromium, results
from benchmarks.load.site import SETUPS, served
from benchmarks.pages import replace_part

PROGRAM = Path(__file__).with_name("node_modules") / ".bin" / "lighthouse"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "speed.md"
FORMS = {"desktop": ("--preset=desktop",), "phone": ()}
PAGES = ("home", "rules", "begin", "table", "study")
SECONDS = 180.0
"""For one page; it takes about ten."""

Scores = dict[str, float]


def visited(page: Page, home: str) -> dict[str, str]:
    """The addresses of all pages, after a guest has opened a game and a study."""
    page.goto(home)
    page.locator(".game-play button").first.click()
    page.wait_for_url("**/table/*")
    table = page.url
    page.locator("#table:not([aria-busy]) #board .target[data-action]").first.click()
    page.locator("#analyse").click()
    page.wait_for_url("**/analysis/study/*")
    return {
        "home": home,
        "rules": f"{home}/rules/rive",
        "begin": f"{home}/play/rive",
        "table": table,
        "study": page.url,
    }


def audited(address: str, form: str, cookies: str) -> dict[str, Any]:
    """Lighthouse's report on a page."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            *(str(PROGRAM), address, "--quiet", "--output=json", f"--output-path={report}", *FORMS[form]),
            f"--only-categories={','.join(CATEGORIES)}",
            f"--extra-headers={json.dumps({'Cookie': cookies})}",
            "--chrome-flags=--headless=new --no-sandbox",
        ]
        environment = {**os.environ, "CHROME_PATH": chromium.executable()}
        subprocess.run(command, env=environment, check=True, timeout=SECONDS, stdout=subprocess.DEVNULL)
        found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return found


def scores(report: Mapping[str, Any]) -> Scores:
    """0 to 100 by category."""
    return {name: round(100 * report["categories"][name]["score"]) for name in CATEGORIES}


def complaints(report: Mapping[str, Any]) -> list[str]:
    """What costs points, a line each."""
    audits = report["audits"]
    return [
        f"{category}: {audits[ref['id']]['title']} {audits[ref['id']].get('displayValue', '')}".strip()
        for category in CATEGORIES
        for ref in report["categories"][category]["auditRefs"]
        if ref["weight"] and (audits[ref["id"]]["score"] or 0) < 0.9
        if audits[ref["id"]]["scoreDisplayMode"] not in ("notApplicable", "manual", "informative")
    ]


def measure(pages: list[str]) -> dict[str, tuple[Scores, list[str]]]:
    """Scores and complaints by page and form."""
    found = {}
    with served(SETUPS["sqlite"]) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=["--no-sandbox"])
        context = browser.new_context()
        addresses = visited(context.new_page(), f"http://localhost:{site.ports[0]}")
        cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in context.cookies())
        browser.close()
        for page in pages:
            for form in FORMS:
                report = audited(addresses[page], form, cookies)
                found[f"{page}, {form}"] = scores(report), complaints(report)
    return found


def table(found: Mapping[str, tuple[Scores, list[str]]]) -> str:
    """All scores as Markdown."""
    lines = ["page", *CATEGORIES], ["---", *["---:"] * len(CATEGORIES)]
    rows = [[page, *(f"{score:.0f}" for score in all_.values())] for page, (all_, _) in found.items()]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (*lines, *rows))


def main() -> None:
    """Print a line for each page and form."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.lighthouse", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--pages", nargs="+", choices=PAGES, default=PAGES)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--save", action="store_true", help="keep the scores in benchmarks/results")
    parser.add_argument("--write", action="store_true", help=f"put the table into docs/{PAGE.name}")
    chosen = parser.parse_args()
    if not PROGRAM.exists():
        parser.error("Lighthouse isn't installed: npm ci --prefix benchmarks/lighthouse")
    found = measure(list(chosen.pages))
    if chosen.save:
        named = {
            f"{page}: {name}": score for page, (all_, _) in found.items() for name, score in all_.items()
        }
        print(results.save("lighthouse", named), file=sys.stderr)
    if chosen.write:
        replace_part(PAGE, "lighthouse", table(found))
    if chosen.json:
        print(json.dumps({page: {**all_, "complaints": said} for page, (all_, said) in found.items()}))
        return
    print(f"{'':<16}" + "".join(f"{name:>16}" for name in CATEGORIES))
    for page, (all_, _) in found.items():
        print(f"{page:<16}" + "".join(f"{all_[name]:>16.0f}" for name in CATEGORIES))
    for page, (_, said) in found.items():
        for line in said:
            print(f"{page}: {line}")


if __name__ == "__main__":
    main()
