"""Styles and scripts as a browser asks for them."""

import gzip
import math
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from kakomi import server

SCRIPT = "/static/site.js"


@pytest.fixture
def script() -> bytes:
    path = finders.find("site.js")
    assert path is not None
    with open(path, "rb") as file:
        return file.read()


def test_a_file_comes_whole_and_not_in_a_stream(client: Client, script: bytes) -> None:
    answer = client.get(SCRIPT)
    assert not answer.streaming
    assert answer.content == script
    assert answer["Content-Type"].startswith("text/javascript")
    assert int(answer["Content-Length"]) == len(script)


def test_a_part_of_a_file_comes_alone(client: Client, script: bytes) -> None:
    answer = client.get(SCRIPT, headers={"range": "bytes=3-9"})
    assert (answer.status_code, answer.content) == (206, script[3:10])
    assert answer["Content-Range"] == f"bytes 3-9/{len(script)}"


def test_what_a_browser_has_is_not_sent_again(client: Client) -> None:
    since = client.get(SCRIPT)["Last-Modified"]
    answer = client.get(SCRIPT, headers={"if-modified-since": since})
    assert (answer.status_code, answer.content) == (304, b"")
    assert "Content-Type" not in answer


def test_files_and_pages_are_compressed(client: Client, script: bytes) -> None:
    """A browser asks again for a compressed file by a weak validator."""
    asked = {"accept-encoding": "gzip"}
    answer = client.get(SCRIPT, headers=asked)
    assert gzip.decompress(answer.content) == script and len(answer.content) < len(script)
    assert client.get(SCRIPT, headers={**asked, "if-none-match": answer["ETag"]}).status_code == 304
    part = client.get(SCRIPT, headers={**asked, "range": f"bytes=0-{len(script) - 2}"})
    assert part.content == script[:-1]
    page = client.get("/about", headers=asked)
    assert b"Kakomi</title>" in gzip.decompress(page.content)


def test_a_head_says_how_long_a_file_is(client: Client, script: bytes) -> None:
    answer = client.head(SCRIPT)
    assert answer.content == b""
    assert int(answer["Content-Length"]) == len(script)


@pytest.mark.parametrize(("path", "begins"), [("/robots.txt", b"# "), ("/favicon.ico", b"\x00\x00\x01\x00")])
def test_programs_find_files_where_they_look(client: Client, path: str, begins: bytes) -> None:
    answer = client.get(path)
    assert answer.status_code == 200 and answer.content.startswith(begins)


def test_no_style_depends_on_the_language() -> None:
    """So tests in a browser look at the contrast of colours in one language alone."""
    styles = list(Path(server.__file__).parent.rglob("*.css"))
    assert styles
    assert not [path.name for path in styles if re.search(r":lang|\[(xml:)?lang", path.read_text())]


RESULTS = ("win", "loss", "unclear")
GROUNDS = ("ground", "surface", "raised", "sunken")
"""What text may be on."""
COLOUR_VISION = {
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""What remains of linear red, green and blue without one kind of cone (Machado, Oliveira, Fernandes 2009)."""
APART = 0.1
"""The least distance of two results in linear red, green and blue, of which white and black are 1.7 apart."""

Colour = tuple[float, ...]


def colours(number: int) -> dict[str, Colour]:
    """The site's colours, light (0) or dark (1), as linear red, green and blue."""
    path = finders.find("site.css")
    assert isinstance(path, str)
    found = re.findall(r"--([a-z-]+): light-dark\((#\w+), (#\w+)\);", Path(path).read_text())
    return {name: linear(pair[number]) for name, *pair in found}


def linear(text: str) -> Colour:
    digits = text[1:] if len(text) == 7 else "".join(digit * 2 for digit in text[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def contrast(one: Colour, other: Colour) -> float:
    weights = (0.2126, 0.7152, 0.0722)
    low, high = sorted(sum(map(float.__mul__, weights, colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("number", [0, 1], ids=["light", "dark"])
def test_results_can_be_read_on_everything(number: int) -> None:
    known = colours(number)
    for name in RESULTS:
        grounds = [*GROUNDS, f"{name}-wash"]
        assert not [ground for ground in grounds if contrast(known[name], known[ground]) < 4.5]


@pytest.mark.parametrize("number", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("kind", COLOUR_VISION)
def test_nobody_mistakes_a_win_for_a_loss_by_its_colour(number: int, kind: str) -> None:
    known = colours(number)
    seen = {
        name: [sum(map(float.__mul__, row, known[name])) for row in COLOUR_VISION[kind]] for name in RESULTS
    }
    for one, other in (("win", "loss"), ("win", "unclear"), ("loss", "unclear")):
        assert math.dist(seen[one], seen[other]) > APART, (one, other)


def test_the_typeface_is_small_and_has_its_licence(client: Client) -> None:
    answer = client.get("/static/fonts/figtree.woff2")
    assert answer["Content-Type"] == "font/woff2" and len(answer.content) < 60_000
    assert b"SIL Open Font License" in client.get("/static/fonts/OFL.txt").content
    page = client.get("/about").content.decode()
    assert '<link rel="preload" href="/static/fonts/figtree.woff2" as="font"' in page
