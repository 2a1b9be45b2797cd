"""Files of lines: one process adds, and a crash costs no line that was added."""

import subprocess
import sys
from pathlib import Path

import pytest

from kakomi.core.line_file import FileInUseError, LineFile, whole_lines


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.jsonl"


def test_what_was_added_is_there(path: Path) -> None:
    with LineFile(path) as file:
        file.add(b"1")
        file.add(b"[2]")
        assert path.read_bytes() == b"1\n[2]\n"
    with LineFile(path) as file:
        assert list(file.lines()) == [b"1", b"[2]"] and not file.rest
        file.add(b"3")
    assert list(whole_lines(path)) == [b"1", b"[2]", b"3"]


@pytest.mark.parametrize("whole", [b"", b"1\n[2]\n"])
def test_half_a_line_goes_when_the_next_one_comes(path: Path, whole: bytes) -> None:
    path.write_bytes(whole + b'{"ga')
    with LineFile(path) as file:
        assert b"".join(line + b"\n" for line in file.lines()) == whole and file.rest == b'{"ga'
        assert path.read_bytes() == whole + b'{"ga', "it may be something else"
        file.add(b"3")
        file.add(b"4")
    assert path.read_bytes() == whole + b"3\n4\n"


def test_one_process_at_a_time_has_it(path: Path) -> None:
    opening = f"from kakomi.core.line_file import LineFile; LineFile({str(path)!r}).add(b'1')"
    command = [sys.executable, "-c", opening]
    with LineFile(path):
        with pytest.raises(FileInUseError, match=f"{path}: it is being written by another process"):
            LineFile(path)
        refused = subprocess.run(command, capture_output=True, text=True)
        assert "FileInUseError" in refused.stderr and not path.read_bytes()
    subprocess.run(command, check=True)
    assert path.read_bytes() == b"1\n"


def test_reading_makes_no_file(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(whole_lines(path))
    assert not path.exists()
