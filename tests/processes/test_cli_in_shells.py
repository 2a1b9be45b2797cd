"""The program in shells: pipes, unusable folders, compiled code and undecodable words."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kakomi
from cli.hostile_lines import NINES, prepare
from cli.test_hostile_lines import SECONDS, fault_of
from cli.test_main import program_in_shell, without_announcements
from kakomi import records
from kakomi.kernel.cache import cache_folder
from recorded_games import random_record


def test_an_unusable_cache_folder_only_costs_time(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")
    folder = str(occupied / "kernels")
    done = program_in_shell("echo 0,0 | kakomi play rin --size 4 --human", KAKOMI_CACHE_DIR=folder)
    assert done.returncode == 0
    assert "Black plays 0,0." in done.stdout
    told = [line for line in done.stderr.splitlines() if line != "Compiling the rules of Rin (once) …"]
    assert len(told) == 1 and told[0].startswith(f"Compiled code can't be kept ({folder}: Not a directory)")


def test_the_cache_is_filled_used_described_and_cleared(tmp_path: Path) -> None:
    commands = (
        "kakomi warm rin",
        "kakomi warm rin",
        "(echo 0,0 | kakomi play rin --size 4 --bot 1 | tail -1)",
        "kakomi cache info --json",
        "kakomi cache clear",
        "kakomi cache info",
    )
    folders = {"KAKOMI_CACHE_DIR": str(tmp_path / "kernels"), "XDG_STATE_HOME": str(tmp_path)}
    assert program_in_shell("kakomi warm rin").returncode == 0
    quick_to_compile = shutil.ignore_patterns("begin-*", "count_scores-*", "list_legal-*")
    shutil.copytree(cache_folder(), tmp_path / "kernels", ignore=quick_to_compile)
    done = program_in_shell(" && ".join(commands), **folders)
    assert done.stderr == "", "nothing was left to compile after warming"
    first, second, _, told, cleared, left = done.stdout.splitlines()
    assert re.fullmatch(r"Rin compiled \d+ functions in [\d.]+ s", first)
    assert second == "Rin was ready"
    data = json.loads(told)
    assert data["folder"] == str(tmp_path / "kernels")
    assert data["files"] > 3
    assert f"deleted {data['files']} compiled functions" in cleared
    assert left.endswith("0 compiled functions, 0.0 MB")


def test_a_closed_pipe_is_quiet() -> None:
    done = program_in_shell("kakomi games --json | true; echo ${PIPESTATUS[0]}")
    assert (done.stdout, done.stderr) == ("141\n", "")
    watching = "kakomi play rin --size 4 --seat 0=bot:random --seat 1=bot:random"
    done = program_in_shell(f"{watching} | head -2; echo ${{PIPESTATUS[0]}}")
    assert done.stdout == "\nRin · size 4\n141\n"
    assert without_announcements(done.stderr) == ""


def prepared(folder: Path) -> dict[str, str]:
    """Write unreadable files, and return their paths by name."""
    folder.mkdir()
    game = kakomi.game("rin", size=4)
    return prepare(folder, records.write(random_record(game, 1), game, "json"))


def reading(places: dict[str, str]) -> Iterator[tuple[list[str], str, str]]:
    """Command lines for separate processes: the words, the encoding, and the input."""
    yield ["show", "\udcff"], "utf-8", ""
    yield ["convert", places["binary"], "\udcff.json"], "ascii", ""
    yield ["rules", "\u202e" * 200], "ascii", ""
    yield ["perft", "rin", NINES], "utf-8", ""
    yield ["play", "--load", places["deep"]], "utf-8", "\x00\x1b[2J\n" * 100
    yield ["play", "rin", "--size", "4", "--human"], "utf-8", "\udcff\n" * 3 + "quit\n"
    yield ["backup", places["subfolder"]], "utf-8", ""
    yield ["backup", places["record"] + "/below"], "utf-8", ""
    yield ["restore", "--yes", places["backup"]], "utf-8", ""
    yield ["restore", "--yes", places["deep.gz"]], "utf-8", ""
    yield ["serve", "--host", "256.256.256.256", "--no-browser"], "utf-8", ""


def test_a_process_ends_with_one_clear_line_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a shell: undecodable words, a terminal with another encoding, commands on a missing site."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    places = prepared(tmp_path / "files")
    faults = []
    for line, encoding, told in reading(places):
        done = subprocess.run(
            [sys.executable, "-m", "kakomi", *line],
            input=told.encode(errors="surrogateescape"),
            env={**os.environ, "PYTHONIOENCODING": encoding, "KAKOMI_DATA_DIR": places["folder"] + "/site"},
            capture_output=True,
            timeout=SECONDS,
        )
        if fault := fault_of(done.returncode, done.stderr.decode(encoding, "backslashreplace")):
            faults.append(f"{[word[:60] for word in line]}: {fault}: {done.stderr[-500:]!r}")
    assert not faults, "\n".join(faults)
