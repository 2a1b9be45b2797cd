"""The file of a match survives crashes, and other files are refused."""

from pathlib import Path

import pytest

import kakomi
from kakomi.study.matches import GameLog, GameLogError, play_games, schedule
from study.matches.made import pairing, played

EARLIER = Path(__file__).parent / "match-of-version-1.jsonl"
TERMS = {"game": "rin", "options": {"size": 4}, "entrants": ["A", "B"], "seed": 1}
GAMES = [played(pairing(number, "A", "B"), number % 2) for number in (1, 2, 3)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the games of a match."""
    path = tmp_path / "match.jsonl"
    with GameLog(path, TERMS) as log:
        for game in GAMES:
            log.add(game)
    return path


def test_what_was_added_is_there_again(path: Path) -> None:
    with GameLog(path, TERMS) as log:
        assert log.played == {game.pairing.number: game for game in GAMES}
    assert path.read_text().count("\n") == 4


def test_a_game_is_on_disk_once_it_is_added(tmp_path: Path) -> None:
    with GameLog(tmp_path / "match.jsonl", TERMS) as log:
        log.add(GAMES[0])
        assert (tmp_path / "match.jsonl").read_text().count("\n") == 2


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_a_torn_last_line_is_dropped_and_the_file_goes_on(path: Path, cut: int) -> None:
    path.write_bytes(path.read_bytes()[:-cut])
    with GameLog(path, TERMS) as log:
        assert sorted(log.played) == [1, 2]
        log.add(GAMES[2])
    with GameLog(path, TERMS) as log:
        assert sorted(log.played) == [1, 2, 3]


@pytest.mark.parametrize("length", [0, 1, 30])
def test_a_torn_line_of_terms_begins_anew(path: Path, length: int) -> None:
    path.write_bytes(path.read_bytes()[:length])
    with GameLog(path, TERMS) as log:
        assert not log.played
    assert path.read_text().count("\n") == 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seed": 2}, "seed 1, not 2"),
        ({"entrants": ["A", "C"]}, "entrants A, B, not A, C"),
        ({"options": {"size": 6}}, "options size=4, not size=6"),
        ({"patience": 3.0}, "patience none, not 3.0"),
    ],
)
def test_other_terms_are_refused(path: Path, change: dict[str, object], told: str) -> None:
    before = path.read_bytes()
    with pytest.raises(GameLogError, match=told):
        GameLog(path, TERMS | change)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"my notes", b"my notes\n", b"{}\n", b"[1]\nmore", b"\xff\x00\n"])
def test_another_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(GameLogError, match="no file of a match"):
        GameLog(path, TERMS)
    assert path.read_bytes() == content


def test_a_damaged_line_is_named(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"{}\n", *lines[3:]]))
    with pytest.raises(GameLogError, match="line 3 is damaged"):
        GameLog(path, TERMS)


def test_two_matches_dont_share_a_file(path: Path) -> None:
    with GameLog(path, TERMS), pytest.raises(GameLogError, match="another match"):
        GameLog(path, TERMS)


def test_a_file_of_an_earlier_version_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(EARLIER.read_bytes())
    terms = {"game": "rin", "options": {"size": 4}, "entrants": ["random", "beginner"], "opening_plies": 4}
    pairings = schedule(kakomi.game("rin", size=4), ["random", "beginner"], 4)
    with GameLog(path, {**terms, "seed": 1, "patience": 60.0}) as log:
        games = list(play_games(pairings, log=log))
    assert [game.pairing for game in games] == pairings
    assert path.read_bytes() == EARLIER.read_bytes()
