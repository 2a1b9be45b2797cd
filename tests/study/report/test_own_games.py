"""Reports of existing games."""

from pathlib import Path

import pytest

import kakomi
from kakomi import records
from kakomi.records import Resignation, Result
from kakomi.study.matches import GameLog, play, record_of, schedule
from kakomi.study.report.games import NoGames, study_of_folder
from kakomi.study.report.page.html import page, record_text
from kakomi.study.report.study import Study
from study.report.conftest import report_of

RIN = kakomi.game("rin", size=4)


def study_of(folder: Path, game: kakomi.Game | None = None) -> Study:
    return study_of_folder(folder, game, 1, lambda done, of: None)


@pytest.fixture(scope="module")
def games() -> list:
    return [play(pairing) for pairing in schedule(RIN, ["random", "1"], 4)]


def save(game: kakomi.Game, path: Path, actions: str, **fields: object) -> None:
    records.save(records.recorded(game, actions.split(), **fields), game, path)


def test_records_and_matches_are_read_from_folders_in_folders(games: list, tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    records.save(record_of(games[0]), RIN, tmp_path / "one.json")
    records.save(record_of(games[1]), RIN, tmp_path / "deeper" / "two.sgf")
    with GameLog(tmp_path / "match.jsonl", {}) as log:
        for game in games:
            log.add(game)
    log_file = tmp_path / "match.jsonl"
    log_file.write_bytes(b"\xef\xbb\xbf" + log_file.read_bytes().replace(b"\n", b"\r\n\r\n"))
    study = study_of(tmp_path)
    assert study.game == RIN and len(study.games) == 6
    assert len(study.trace_by_id) == 6
    text = page(report_of(study))
    assert "these games" in text and "as recorded" in text


def test_time_and_resignation_are_endings(tmp_path: Path) -> None:
    resigned = {"resignations": (Resignation(player=0, after=2),)}
    for name, reason, more in (("a", "time", {}), ("b", "resignation", resigned)):
        save(RIN, tmp_path / f"{name}.json", "0,0 1,1", result=Result(reason=reason, winners=(1,)), **more)
    study = study_of(tmp_path)
    assert [trace.ending for trace in study.games] == ["time", "resignation"]
    assert all(trace.shares == (0.0, 1.0) for trace in study.games)
    saved = [records.read(record_text(RIN, trace).encode(), kakomi.game) for trace in study.games]
    assert [bool(record.result) for record in saved] == [
        True,
        False,
    ]  # the records don't say who resigned when


def test_games_that_are_not_finished_are_left_out(games: list, tmp_path: Path) -> None:
    save(RIN, tmp_path / "open.json", "0,0 1,1")
    with pytest.raises(NoGames, match="none of its 1 games is finished"):
        study_of(tmp_path)
    records.save(record_of(games[0]), RIN, tmp_path / "one.json")
    assert len(study_of(tmp_path).games) == 1


def test_several_games_are_named_with_their_options(games: list, tmp_path: Path) -> None:
    records.save(record_of(games[0]), RIN, tmp_path / "one.json")
    larger = kakomi.game("rin", size=6)
    save(larger, tmp_path / "two.json", "0,0", result=Result(reason="time", winners=(0,)))
    with pytest.raises(NoGames, match=r"rin --size 4 \(1\); rin --size 6 \(1\)"):
        study_of(tmp_path)
    assert study_of(tmp_path, larger).games[0].plies == 1
    with pytest.raises(NoGames, match="none of its 2 games is lin"):
        study_of(tmp_path, kakomi.game("lin", size=5))


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.json", "{", "a.json"),
        ("a.jsonl", '{"x": 1}\n', "no file of a match"),
        ("a.jsonl", "", "no file of a match"),
        ("a.jsonl", "[" * 100_000 + "\n", "a.jsonl: it is no file of a match"),
        ("a.jsonl", '{"kakomi_match": 1}\n\n{}\n', r"a.jsonl: line 3 is damaged \(Object missing"),
        ("a.jsonl", '{"kakomi_match": 1}\n' + "[" * 100_000 + "\n", "a.jsonl: line 2 is damaged"),
    ],
)
def test_what_is_no_game_is_named(tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(NoGames, match=told):
        study_of(tmp_path)


def test_a_folder_without_games_is_told_what_games_are(tmp_path: Path) -> None:
    with pytest.raises(NoGames, match=r"\.json, \.sgf or \.jsonl"):
        study_of(tmp_path)
