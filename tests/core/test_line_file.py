"""Line files: only one process appends, and a crash doesn't lose appended lines."""

import errno
import os
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


@pytest.mark.parametrize("written", [0, 2])
def test_a_disk_that_fills_up_leaves_whole_lines_and_is_named(
    written: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, is_full = os.write, [True]

    def write_until_full(handle: int, data: memoryview) -> int:
        if is_full and (not written or len(data) == written):
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data[:written] if is_full else data)

    with LineFile(path) as file:
        file.add(b"1")
        monkeypatch.setattr(os, "write", write_until_full)
        with pytest.raises(OSError, match="No space left on device") as raised:
            file.add(b"[2]")
        assert raised.value.filename == str(path)
        assert path.read_bytes() == b"1\n"
        is_full.clear()
        file.add(b"[2]")
    assert path.read_bytes() == b"1\n[2]\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device here")
def test_a_device_that_can_be_read_for_ever_is_refused() -> None:
    with pytest.raises(OSError, match="this isn't a file that lines can be saved in") as raised:
        LineFile("/dev/full")
    assert raised.value.filename == "/dev/full"


def test_reading_makes_no_file(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(whole_lines(path))
    assert not path.exists()
