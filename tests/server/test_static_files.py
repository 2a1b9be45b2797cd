"""Styles and scripts as a browser asks for them."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from kakomi import server

SCRIPT = "/static/controls.js"


@pytest.fixture
def script() -> bytes:
    path = finders.find("controls.js")
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
