"""A site's start without a database, and its shutdown while pages are open."""

import contextlib
import http.client
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.sites import PATIENCE, Site, running
from server.visitors import Visitor


def test_a_site_ends_orderly_while_pages_are_open(tmp_path: Path) -> None:
    site = Site(tmp_path)
    with running(site):
        code = Visitor().begin(site.port, "rin", opponent="beside", side=0)
        page = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
        with contextlib.closing(page):
            page.request("GET", f"/table/{code}/events")
            stream = page.getresponse()
            assert stream.readline()
            site.stop()
            stream.read()  # raises unless the stream has ended properly
        assert site.errors == ""


def test_a_database_that_is_away_is_waited_for(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    environment = {
        **os.environ,
        "KAKOMI_DATA_DIR": str(tmp_path),
        "KAKOMI_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing",
    }
    command = [sys.executable, "-m", "kakomi", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        process.kill()
    assert said.startswith("The database doesn't answer: ") and said.endswith("Trying again every 5 s\n")
