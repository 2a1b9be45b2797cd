"""Studies: storing, resuming, refusing and finding trials."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import kakomi
from kakomi import catalog
from kakomi.core.line_file import LineFile
from kakomi.farm import Piece
from kakomi.study.report.content import Section
from kakomi.study.results_file import ResultsFileError
from kakomi.study.trials import Study, kept_studies
from study.inline_farm import InlineFarm

RIN = catalog.game("rin", size=4)


class Powers(Study[int]):
    """Powers of a base, a study whose trials take no time."""

    name, noun, kind = "powers", "power", int

    def __init__(self, game: kakomi.Game, count: int = 5, seed: int = 1, *, base: int = 2) -> None:
        super().__init__(game, count, seed)
        self.base, self.largest = base, 10**9

    @property
    def terms(self) -> Mapping[str, Any]:
        return {"base": self.base}

    @property
    def bots(self) -> Sequence[str]:
        return ()

    def piece(self, number: int) -> Piece[int]:
        return Piece(f"power {number}", pow, (self.base, number))

    def is_enough(self) -> bool:
        return max(self.results, default=0) >= self.largest

    def chapter(self) -> Section:
        return Section("powers", "Powers", "studies", f"{sum(self.results)} in all", "", "")


class Stopped(InlineFarm):
    """A farm that receives Ctrl-C after some tasks."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def run(self, pieces: Any) -> Any:
        for number, done in enumerate(super().run(pieces)):
            if number == self.after:
                raise KeyboardInterrupt
            yield done


def test_a_study_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    study = Powers(RIN, 6)
    with pytest.raises(KeyboardInterrupt):
        study.run(Stopped(4), tmp_path)
    assert study.results == [1, 2, 4, 8], "what is there is told"
    told: list[int] = []
    farm = InlineFarm()
    again = Powers(RIN, 6).run(farm, tmp_path, told.append)
    assert farm.done == ["power 4", "power 5"] and told == [5, 6]
    assert again.results == [1, 2, 4, 8, 16, 32]
    assert Powers(RIN, 6).run(farm, tmp_path).results == again.results and len(farm.done) == 2


def test_a_longer_one_begins_with_a_shorter_ones_trials_and_a_shorter_one_leaves_the_rest(
    tmp_path: Path,
) -> None:
    Powers(RIN, 3).run(InlineFarm(), tmp_path)
    (file,) = tmp_path.iterdir()
    before = file.read_bytes()
    Powers(RIN, 5).run(InlineFarm(), tmp_path)
    assert file.read_bytes().startswith(before)
    assert Powers(RIN, 2).run(InlineFarm(), tmp_path).results == [1, 2]


def test_the_file_has_a_line_of_terms_and_a_line_for_each_trial(tmp_path: Path) -> None:
    study = Powers(RIN, 2).run(InlineFarm(), tmp_path)
    header, *lines = map(json.loads, (tmp_path / study.file_name).read_bytes().splitlines())
    assert header == {
        "kakomi_study": 1,
        "study": "powers",
        "game": "rin",
        "options": {"size": 4},
        "seed": 1,
        "kakomi": kakomi.__version__,
        "base": 2,
    }
    assert lines == [{"number": 0, "result": 1}, {"number": 1, "result": 2}]


def test_half_a_line_of_a_killed_process_is_dropped(tmp_path: Path) -> None:
    study = Powers(RIN, 3).run(InlineFarm(), tmp_path)
    file = tmp_path / study.file_name
    whole = file.read_bytes()
    file.write_bytes(whole[:-5])
    assert Powers(RIN, 3).run(InlineFarm(), tmp_path).results == [1, 2, 4]
    assert file.read_bytes() == whole


def test_each_study_has_a_file_of_its_own() -> None:
    names = {
        Powers(RIN).file_name,
        Powers(RIN, base=3).file_name,
        Powers(RIN, seed=2).file_name,
        Powers(catalog.game("rin", size=6)).file_name,
    }
    assert len(names) == 4 and Powers(RIN, 99).file_name in names


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ('{"a": 1}', "it is no file of a study"),
        ("nonsense", "it is no file of a study"),
        (json.dumps({"kakomi_study": 1, **Powers(RIN, seed=2).header}), "seed 2, not 1"),
        (json.dumps({"kakomi_study": 1, **Powers(RIN, base=3).header}), "base 3, not 2"),
        (json.dumps({"kakomi_study": 2, **Powers(RIN).header}), "kakomi_study 2, not 1"),
    ],
)
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, header: str, told: str) -> None:
    file = tmp_path / Powers(RIN).file_name
    file.write_text(header + "\n")
    with pytest.raises(ResultsFileError, match=told):
        Powers(RIN).run(InlineFarm(), tmp_path)
    assert file.read_text() == header + "\n"


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    study = Powers(RIN, 3).run(InlineFarm(), tmp_path)
    file = tmp_path / study.file_name
    file.write_bytes(file.read_bytes().replace(b'"result":2', b'"result":"two"'))
    with pytest.raises(ResultsFileError, match="line 3 is damaged"):
        Powers(RIN, 3).run(InlineFarm(), tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="files are not locked there")
def test_one_process_at_a_time_adds_to_a_file(tmp_path: Path) -> None:
    study = Powers(RIN, 3).run(InlineFarm(), tmp_path)
    with LineFile(tmp_path / study.file_name), pytest.raises(ResultsFileError, match="another study"):
        Powers(RIN, 3).run(InlineFarm(), tmp_path)


def test_a_study_may_find_that_it_has_enough(tmp_path: Path) -> None:
    study, farm = Powers(RIN, 50), InlineFarm()
    study.largest = 8
    assert study.run(farm, tmp_path).results == [1, 2, 4, 8] and len(farm.done) == 4
    study.run(farm, tmp_path)
    assert len(farm.done) == 4


def test_what_is_kept_of_a_game_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Powers(RIN, 3).run(InlineFarm(), tmp_path)
    Powers(RIN, 4, base=3).run(InlineFarm(), tmp_path)
    Powers(catalog.game("rin", size=6), 2).run(InlineFarm(), tmp_path)
    for name, text in {"empty": "", "other": '{"kakomi_match": 1}\n', "old": '{"kakomi_study": 0}\n'}.items():
        (tmp_path / f"{name}.jsonl").write_text(text)
    damaged = tmp_path / Powers(RIN, base=5).run(InlineFarm(), tmp_path).file_name
    damaged.write_bytes(damaged.read_bytes().replace(b'"result":5', b'"result":"five"'))
    found = {study.terms["base"]: study for study in kept_studies(tmp_path, RIN, [Powers])}
    assert found.keys() == {2, 3}
    assert (found[2].count, found[2].results, found[3].results) == (3, [1, 2, 4], [1, 3, 9, 27])
    assert list(kept_studies(tmp_path, RIN, [])) == []
    monkeypatch.setattr("kakomi.__version__", "another")
    assert list(kept_studies(tmp_path, RIN, [Powers])) == []
