"""Record files."""

import errno
import os
import stat
from pathlib import Path

import pytest
from msgspec import structs

import kakomi
from kakomi.core.system import replace_file
from kakomi.records import (
    Record,
    RecordError,
    Result,
    checked,
    load,
    position_after,
    read,
    recorded,
    save,
    start_of,
    write,
)
from kakomi.records.record import Reason
from records.small_records import FIRST, RIN, rin, turn


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", no_space)


RECORD = checked(rin(FIRST), RIN)


@pytest.mark.parametrize("name", ["game.json", "game.sgf", "GAME.SGF"])
def test_what_is_saved_is_loaded(tmp_path: Path, name: str) -> None:
    save(RECORD, RIN, tmp_path / name)
    assert load(tmp_path / name, kakomi.game) == RECORD
    assert os.listdir(tmp_path) == [name]


def test_a_file_name_tells_the_format(tmp_path: Path) -> None:
    for name in ("game", "game.txt"):
        with pytest.raises(RecordError, match="json"):
            save(RECORD, RIN, tmp_path / name)
    assert not os.listdir(tmp_path)


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(b"precious")
    with pytest.raises(OSError, match="No space left") as error:
        save(RECORD, RIN, path)
    assert error.value.filename == str(path)
    assert path.read_bytes() == b"precious"
    assert os.listdir(tmp_path) == ["game.json"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_device_is_named() -> None:
    with pytest.raises(OSError, match="No space left") as error:
        replace_file("/dev/full", b"x")
    assert error.value.filename == "/dev/full"


def test_an_illegal_record_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(RecordError):
        save(rin(turn(1, "0,0")), RIN, tmp_path / "game.json")
    assert not os.listdir(tmp_path)


def test_saving_keeps_permissions_and_links(tmp_path: Path) -> None:
    path, link = tmp_path / "game.json", tmp_path / "link.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    save(RECORD, RIN, link)
    assert link.is_symlink() and load(path, kakomi.game) == RECORD
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    save(RECORD, RIN, tmp_path / "game.json")
    assert (tmp_path / "game.json").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_an_endless_file_is_refused() -> None:
    with pytest.raises(RecordError, match="the file is too large: at most 16 MiB"):
        load("/dev/zero", kakomi.game)


START = "4/1b2/4/4 w left_in_turn=2"


def test_a_record_may_begin_at_a_position() -> None:
    game = kakomi.game("rin", size=4)
    record = recorded(game, ["0,0", "3,3", "1,2"], position=START)
    assert [turn.player for turn in record.turns] == [1, 0]
    assert start_of(record, game) == game.position(START)
    assert position_after(record, game).stones()["1,1"] == 0
    assert read(write(record, game, "json"), kakomi.game) == record
    spelled = structs.replace(record, position=f"  {START.upper()} ")
    assert checked(spelled, game).position == START
    assert recorded(game, []).position == "" and start_of(recorded(game, []), game) == game.start()


def test_a_start_that_is_no_position_is_refused_and_sgf_has_no_form_for_one() -> None:
    game = kakomi.game("rin", size=4)
    with pytest.raises(RecordError, match=r"^position: .*rows of points"):
        checked(Record(game="rin", options={"size": 4}, position="4/4 b"), game)
    with pytest.raises(RecordError, match="starts from its own position can't be saved as SGF: use JSON"):
        write(recorded(game, ["0,0"], position=START), game, "sgf")


@pytest.mark.parametrize(
    ("reason", "winners", "words"),
    [
        ("rules", (1,), "White wins"),
        ("resignation", (0,), "Black wins by resignation"),
        ("time", (0, 2), "Black and Red share the win on time"),
        ("forfeit", (2,), "Red wins by forfeit"),
        ("agreement", (0, 1, 2), "A draw by agreement"),
        ("counted", (1,), "White wins on points when the game was stopped"),
    ],
)
def test_a_result_in_words(reason: Reason, winners: tuple[int, ...], words: str) -> None:
    assert Result(reason=reason, winners=winners).in_words(("Black", "White", "Red")) == words
