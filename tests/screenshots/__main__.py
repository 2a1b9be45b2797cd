"""`python -m tests.screenshots FOLDER`: photograph a populated site in four windows, light and dark.

It starts a site of its own with a temporary database, players, games and a tournament, and photographs what
each page shows without scrolling. `FOLDER/index.html` shows all pictures, `FOLDER/weights.json` has the bytes
and requests of each page in an empty browser cache. `--lighthouse` prints Lighthouse's scores instead.
"""

import argparse
import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import conftest  # noqa: F401  (where compiled code is kept)
from browser.axe import SCHEMES
from browser.chromium import chromium
from screenshots.lighthouse import CATEGORIES, DEVICES, check_lighthouse, scores
from screenshots.pages import PAGES, Tour
from screenshots.weights import Weight, weigh, write_weights
from server.migrated import file_with_tables
from server.sites import Site, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from screenshots.population import Population

WINDOWS = {"1280x800": (1280, 800), "1366x650": (1366, 650), "390x844": (390, 844), "844x390": (844, 390)}
PHONE: dict[str, Any] = {"is_mobile": True, "has_touch": True, "device_scale_factor": 2}
MOST_SECONDS = 1_500
SETTLING = 400
"""Milliseconds in which a page's fragments arrive after it has loaded."""
_GALLERY = """<!doctype html><meta charset="utf-8"><title>Screenshots</title>
<style>img {{ inline-size: 24%; vertical-align: top; border: 1px solid gray }}</style>
{rows}
"""


def main() -> int:
    chosen = _arguments()
    signal.signal(signal.SIGTERM, _end)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _end)
        signal.alarm(MOST_SECONDS)
    began = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - began:5.0f} s  {text}", flush=True)

    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="kakomi-screenshots-") as place:
        people = populated(Path(place), chosen.seed, report)
        with running(site := Site(Path(place))), chromium() as browser:
            report(f"the site is at http://localhost:{site.port}/")
            show = Photographer(browser, f"http://localhost:{site.port}", people, chosen)
            if chosen.lighthouse:
                show.measure()
                return 0
            with show.company():
                for window in chosen.windows:
                    show.photograph(window)
                    report(f"{window}: {len(chosen.pages) * len(chosen.schemes)} pictures")
                weights = show.weights()
    write_weights(weights, chosen.folder / "weights.json", chosen.before, print)
    _write_gallery(chosen)
    for trouble in show.troubles:
        print(f"WRONG: {trouble}")
    report(f"pictures are in {chosen.folder}; {chosen.folder / 'index.html'} shows all")
    return int(bool(show.troubles))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.screenshots",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="where to put the pictures")
    parser.add_argument(
        "--pages", nargs="+", default=[], metavar="NAME", help=f"only these: {', '.join(PAGES)}"
    )
    parser.add_argument("--windows", nargs="+", choices=WINDOWS, default=list(WINDOWS))
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=list(SCHEMES))
    parser.add_argument(
        "--full", action="store_true", help="photograph the whole page, not what a window shows"
    )
    parser.add_argument("--language", default="en-GB", help="of the browser (default en-GB; German is de)")
    parser.add_argument("--before", type=Path, help="a folder with an earlier weights.json to compare with")
    parser.add_argument(
        "--lighthouse",
        nargs="?",
        const="lighthouse",
        metavar="PROGRAM",
        help="instead, print Lighthouse's scores on a desktop and a phone, medians of three runs",
    )
    parser.add_argument(
        "--slowdown",
        type=float,
        default=4,
        help="how many times slower than this machine a phone is (default 4)",
    )
    parser.add_argument("--seed", type=int, default=1, help="where chance begins (default 1)")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.pages if name not in PAGES]
    if unknown:
        parser.error(f"no pages are called {', '.join(unknown)}; these are known: {', '.join(PAGES)}")
    chosen.pages = chosen.pages or list(PAGES)
    if chosen.lighthouse:
        check_lighthouse(chosen.lighthouse)
    return chosen


def _end(number: int, _: object) -> None:
    """Leave all `with` blocks, which end the processes that they started."""
    raise SystemExit(f"ended by {signal.Signals(number).name} (at most {MOST_SECONDS} s)")


def populated(folder: Path, seed: int, report: Any) -> "Population":
    """Fill the database of a new site in this process."""
    file_with_tables(folder / "site.sqlite3")
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "kakomi.server.settings",
        "KAKOMI_DATABASE_URL": "",
        "KAKOMI_REDIS_URL": "",
        "KAKOMI_DATA_DIR": str(folder),
    }
    import django
    from django.db import connections

    django.setup()
    from screenshots.population import Populating

    made = Populating(seed, report).populate()
    connections.close_all()
    return made


class Photographer:
    """Visits the pages of a site, as the people who play there."""

    def __init__(
        self, browser: "Browser", home: str, people: "Population", chosen: argparse.Namespace
    ) -> None:
        self._browser, self._home, self._people, self._chosen = browser, home, people, chosen
        self.troubles: list[str] = []

    @contextlib.contextmanager
    def company(self) -> Iterator[None]:
        """Let the opponents of live games and somebody in the lobby have their pages open."""
        tours = []
        for code, _, opponent in self._people.live.values():
            tours.append(tour := self._tour(opponent))
            tour.page.goto(f"/table/{code}")
        for name in ("tove", "noor"):
            tours.append(tour := self._tour(name))
            tour.page.goto("/lobby/")
        yield
        for tour in tours:
            tour.context.close()

    def photograph(self, window: str) -> None:
        """Photograph all pages in a window."""
        width, height = WINDOWS[window]
        device = {"viewport": {"width": width, "height": height}} | (
            PHONE if min(width, height) < 600 else {}
        )
        tours: dict[str, Tour] = {}
        for name in self._chosen.pages:
            who = PAGES[name].who(self._people)
            tour = tours[who] = tours.get(who) or self._tour(who, **device)
            try:
                PAGES[name].show(tour)
                for scheme in self._chosen.schemes:
                    tour.page.emulate_media(color_scheme=scheme)
                    tour.page.wait_for_timeout(SETTLING)
                    path = self._chosen.folder / f"{name}-{window}-{scheme}.png"
                    tour.page.screenshot(path=path, full_page=self._chosen.full, animations="disabled")
            except Exception as error:  # the other pages can be photographed
                self.troubles.append(f"{name} in {window}: {type(error).__name__}: {error}")
        for tour in tours.values():
            self.troubles += [f"{window}: {trouble}" for trouble in tour.troubles]
            tour.context.close()

    def weights(self) -> dict[str, Weight]:
        """The weight of each page, opened in a browser that knows nothing but who is signed in."""
        found = {}
        for name in self._chosen.pages:
            tour = self._tour(PAGES[name].who(self._people))
            with contextlib.suppress(Exception):  # reported when it was photographed
                PAGES[name].show(tour)
                address = tour.page.url
                tour.page.goto("about:blank")
                found[name] = weigh(tour, address, SETTLING)
            tour.context.close()
        return found

    def measure(self) -> None:
        """Print Lighthouse's scores of each page."""
        print(f"{'page':24} {'device':8}" + "".join(f"{name:>15}" for name in (*CATEGORIES, "machine")))
        for name in self._chosen.pages:
            tour = self._tour(who := PAGES[name].who(self._people))
            PAGES[name].show(tour)
            address, cookie = tour.page.url, self._people.cookies.get(who, "")
            tour.context.close()
            for device in DEVICES:
                found = scores(self._chosen.lighthouse, address, cookie, device, self._chosen.slowdown)
                print(f"{name:24} {device:8}" + "".join(f"{score:15.0f}" for score in found), flush=True)

    def _tour(self, who: str, **device: Any) -> Tour:
        tour = Tour(self._browser, self._home, self._people, locale=self._chosen.language, **device)
        if who:
            cookie = self._people.cookies[who]
            tour.context.add_cookies([{"name": "sessionid", "value": cookie, "url": self._home}])
        return tour


def _write_gallery(chosen: argparse.Namespace) -> None:
    rows = []
    for name in chosen.pages:
        files = [
            f"{name}-{window}-{scheme}.png" for window, scheme in product(chosen.windows, chosen.schemes)
        ]
        pictures = _pictures([file for file in files if (chosen.folder / file).exists()])
        rows.append(f"<h2>{name}</h2>\n{pictures}")
    (chosen.folder / "index.html").write_text(_GALLERY.format(rows="\n".join(rows)))


def _pictures(files: Sequence[str]) -> str:
    return "\n".join(f'<a href="{file}"><img src="{file}" alt="{file}" title="{file}"></a>' for file in files)


if __name__ == "__main__":
    sys.exit(main())
