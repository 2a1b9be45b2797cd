"""Runs of the suite: results, resuming, and checks of the results."""

import json
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from kakomi.farm import WorkFailed
from kakomi.research.suite import AgentError, Result, ResultError, faults, find_track, read_result, run, table
from kakomi.research.suite.__main__ import main
from kakomi.research.suite.running import Order
from kakomi.study.matches import GameLogError
from research.suite.tiny import write_agents, write_tracks


def ordered(tracks_file: Path, agent: str, track: str = "tiny-v1", **settings: object) -> Order:
    track_found = find_track(track, tracks_file)
    return Order(track=track_found, agent=agent, tracks_file=tracks_file, **{"seeds": 2, **settings})


def without_clock(result: Result) -> Result:
    return msgspec.structs.replace(result, seconds_an_action=None)


@dataclass(frozen=True)
class Finished:
    """A finished run, and what it was made from."""

    tracks_file: Path
    agents: str
    log: Path
    result: Result


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    folder = tmp_path_factory.mktemp("finished")
    tracks_file, agents, log = write_tracks(folder), f"{write_agents(folder)}:", folder / "a.jsonl"
    return Finished(tracks_file, agents, log, run(ordered(tracks_file, agents + "Chance"), log))


@pytest.fixture
def result(finished: Finished) -> Result:
    return finished.result


def test_a_result_counts_every_game_and_is_sound(result: Result, tracks_file: Path) -> None:
    assert [(cell.task, cell.opponent) for cell in result.cells] == [
        ("rin size=4", "random"),
        ("rin size=4", "uct:simulations=5"),
        ("rings size=2 players=3", "random"),
        ("rings size=2 players=3", "uct:simulations=5"),
    ]
    games = [cell.wins + cell.draws + cell.losses for cell in result.cells]
    assert games == [4, 4, 12, 12]
    assert result.score.low <= result.score.value <= result.score.high
    assert result.score.count == 8 and len(result.by_seed) == 2
    assert sum(result.by_seed) / 2 == pytest.approx(result.score.value)
    assert result.code_hash and result.is_complete
    assert faults(result, tracks_file) == []


def test_an_interrupted_run_goes_on_to_the_same_result(finished: Finished, tmp_path: Path) -> None:
    order = ordered(finished.tracks_file, finished.agents + "Chance")

    def stop(done: int, of: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    log = tmp_path / "b.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(order, log, tell=stop)
    kept = log.read_bytes()
    assert kept.count(b"\n") >= 6
    told = []
    again = run(order, log, tell=lambda done, of: told.append((done, of)))
    assert log.read_bytes().startswith(kept)
    assert told[-1] == (32, 32)
    assert without_clock(again) == without_clock(finished.result)


def test_a_log_of_another_agent_is_refused(finished: Finished) -> None:
    with pytest.raises(GameLogError, match="was begun on other terms"):
        run(ordered(finished.tracks_file, "random"), finished.log)


def test_illegal_actions_forfeit_and_exceptions_end_the_run(
    tracks_file: Path, agents: str, tmp_path: Path, capfd: pytest.CaptureFixture
) -> None:
    found = run(ordered(tracks_file, agents + "illegal", tasks=["rin"]), tmp_path / "a.jsonl")
    assert [cell.forfeits for cell in found.cells] == [4, 4]
    assert found.score.value == 0 and not found.is_complete
    with pytest.raises((WorkFailed, RuntimeError)):
        run(ordered(tracks_file, agents + "broken"), tmp_path / "b.jsonl")


def test_who_takes_too_much_processor_time_forfeits(tracks_file: Path, agents: str, tmp_path: Path) -> None:
    text = tracks_file.read_text(encoding="utf-8").replace("cpu = 0.01", "cpu = 0.0001")
    tracks_file.write_text(text, encoding="utf-8")
    order = ordered(tracks_file, agents + "Slow", "tiny-cpu-v1", seeds=1)
    assert run(order, tmp_path / "a.jsonl").cells[0].forfeits == 2


def test_weights_are_named_for_each_seed(tracks_file: Path, tmp_path: Path) -> None:
    for seed in (1, 2):
        (tmp_path / f"run{seed}.pt").write_bytes(b"w" * seed)
    order = ordered(tracks_file, "random", tasks=["rin"], weights=[tmp_path / "run{seed}.pt"])
    found = run(order, tmp_path / "a.jsonl").weights
    assert [Path(name).name for name in found] == ["run1.pt", "run2.pt"] and len(set(found.values())) == 2
    (tmp_path / "run2.pt").write_bytes(b"others")
    with pytest.raises(GameLogError, match="weights"):
        run(order, tmp_path / "a.jsonl")


def test_an_agent_may_have_learned_each_game_by_itself(
    tracks_file: Path, tmp_path: Path, agents: str
) -> None:
    """`{game}` is replaced by the task's game; an error names a game without an agent."""
    code = Path(agents.removesuffix(":")).read_text(encoding="utf-8")
    for game in ("rin", "rings"):
        (tmp_path / f"{game}.py").write_text(code, encoding="utf-8")
    agent, weights = f"{tmp_path}/{{game}}.py:Chance", [tmp_path / "{game}.py"]
    found = run(ordered(tracks_file, agent, weights=weights), tmp_path / "a.jsonl")
    assert found.is_complete and set(found.specs) == {agent}
    assert {Path(name).name for name in found.weights} == {"rin.py", "rings.py"}
    with pytest.raises(AgentError, match=r"there is no file .*nobody-rin\.py"):
        run(ordered(tracks_file, f"{tmp_path}/nobody-{{game}}.py:Chance"), tmp_path / "b.jsonl")


def test_more_learning_than_allowed_is_refused(tracks_file: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="training actions are 1,001; tiny-v1 allows 0 to 1,000"):
        run(ordered(tracks_file, "random", training_actions=1001), tmp_path / "a.jsonl")
    with pytest.raises(ValueError, match="seeds is 0; it must be from 1 to 1,000"):
        run(ordered(tracks_file, "random", seeds=0), tmp_path / "a.jsonl")


def changed(result: Result, **fields: object) -> Result:
    return msgspec.structs.replace(result, **fields)


def test_a_check_finds_what_was_changed(result: Result, tracks_file: Path) -> None:
    first, *others = result.cells
    better = changed(first, score=changed(first.score, value=0.99))
    more = changed(first, wins=first.wins + 1)
    unlike = changed(first, wins=first.wins - 1, losses=first.losses + 1)
    shorter = changed(first, blocks=first.blocks[:1])
    cases = {
        "there is no track 'x'": {"track": "x"},
        "the definition of kakomi-suite/tiny-v1 was another one": {"track_hash": "0"},
        "the rules of rin size=4 were other ones": {"rules": {**result.rules, "rin size=4": "0"}},
        "the opponents played otherwise": {"opponents_hash": "0"},
        "is_complete doesn't say": {"is_complete": False},
        "there are 1 agents for 2 seeds": {"specs": result.specs[:1]},
        "tiny-v1 allows 1,000": {"training_actions": 5000},
        "one cell for each task and opponent": {"cells": tuple(others)},
        "rin size=4 against random: the score is 0.9900": {"cells": (better, *others)},
        "rin size=4 against random: 5 games, where there must be 4": {"cells": (more, *others)},
        "rin size=4 against random: wins and draws don't go with the blocks": {"cells": (unlike, *others)},
        "1 blocks for each of 2 seeds": {"cells": (shorter, *others)},
        "the score is 0.1234": {"score": changed(result.score, value=0.1234)},
        "the scores by seed don't follow": {"by_seed": (0.0, 0.0)},
        "the format is 2; this version reads 1": {"kakomi_suite_result": 2},
        "has no task x": {"tasks": ("x",)},
    }
    for words, fields in cases.items():
        found = faults(changed(result, **fields), tracks_file)
        assert any(words in sentence for sentence in found), (words, found)


def test_a_table_puts_the_best_first_and_refuses_what_cannot_be_compared(result: Result) -> None:
    worse = changed(result, name="worse", score=changed(result.score, value=0.01))
    part = changed(result, name="part", is_complete=False, tasks=result.tasks[:1], cells=result.cells[:2])
    lines = table([part, worse, changed(result, name="best")]).splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| `best`", "| `worse`", "| `part`"]
    assert "1 task only" in lines[4] and lines[4].count("–") >= 2
    for fields in (
        {"track": "x"},
        {"track_hash": "x"},
        {"opponents_hash": "x"},
        {"rules": {"rin size=4": "x"}},
    ):
        with pytest.raises(ValueError, match=r"are of different|met different|by different rules"):
            table([result, changed(result, **fields)])
    with pytest.raises(ValueError, match="at least one result"):
        table([])


def test_the_commands(tracks_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    own, out = ["--tracks", str(tracks_file)], tmp_path / "out" / "random.json"
    command = [
        "run",
        "tiny-v1",
        *own,
        "--agent",
        "random",
        "--seeds",
        "1",
        "--tasks",
        "rin",
        "--out",
        str(out),
    ]
    assert main(command) == 0
    assert "random on kakomi-suite/tiny-v1: score" in capsys.readouterr().out
    assert read_result(out).tasks == ("rin size=4",)
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agent"] == "random"
    assert main(["check", *own, str(out)]) == 0
    assert capsys.readouterr().out == f"{out}: ok\n"
    assert main(["table", str(out)]) == 0
    assert "| `random` | 1 task only |" in capsys.readouterr().out
    out.write_text(out.read_text().replace('"opponents_hash": "', '"opponents_hash": "0'))
    assert main(["check", *own, str(out)]) == 1
    assert "the opponents played otherwise" in capsys.readouterr().out


def test_lists_and_definitions(tracks_file: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["list"]) == 0
    assert "mini-v1 " in capsys.readouterr().out
    assert main(["show", "tiny-v1", "--tracks", str(tracks_file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hash"] == find_track("tiny-v1", tracks_file).hash
    assert main(["show", "transfer-v1"]) == 0
    assert "learned on" in capsys.readouterr().out
    assert main(["cards", "tiny-v1", "--tracks", str(tracks_file)]) == 0
    cards = capsys.readouterr().out
    assert "| players | 3 |" in cards and "| exact value | Black +0 by `kakomi solve rin --size 4` |" in cards


def test_wrong_usage_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = str(tmp_path / "a.json")
    for arguments, words in (
        (["run", "mini", "--agent", "random", "--out", out], "there is no track 'mini'"),
        (["run", "mini-v1", "--agent", "best", "--out", out], "there is no agent 'best'"),
        (["run", "mini-v1", "--agent", "random", "--out", out, "--jobs", "0"], "jobs is 0"),
        (["run", "mini-v1", "--agent", "random", "--out", out + "l"], "must not end in .jsonl"),
        (["check", out], "No such file"),
    ):
        assert main(arguments) == 2
        assert words in capsys.readouterr().err
    Path(out).write_text("{}")
    with pytest.raises(ResultError, match="holds no result"):
        read_result(Path(out))
