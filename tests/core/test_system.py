"""Operating system services: atomic replacement of files, and the number of cores."""

import os
import stat
from pathlib import Path

import pytest

from kakomi.core.system import cores, replace_file, replacing


def test_a_file_is_replaced_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new" and os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("failure", [ValueError("wrong"), OSError("no number"), KeyboardInterrupt()])
def test_a_block_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, failure: BaseException
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def write() -> None:
        with replacing(path) as file:
            file.write(b"new")
            raise failure

    with pytest.raises(type(failure)):
        write()
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["file"]


@pytest.mark.skipif(os.name == "nt", reason="permissions are those of POSIX")
@pytest.mark.parametrize("exists", [True, False])
def test_a_private_file_is_private_from_its_first_byte(tmp_path: Path, exists: bool) -> None:
    path = tmp_path / "file"
    if exists:
        path.write_bytes(b"old")
        path.chmod(0o644)
    with replacing(path, mode=0o600) as file:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        replace_file(tmp_path / "missing" / "file", b"")
    assert error.value.filename == str(tmp_path / "missing" / "file")


def test_there_is_a_core() -> None:
    assert cores() >= 1
