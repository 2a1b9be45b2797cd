"""The engine in this process: every command, progress reports, and how it ends."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kakomi
from kakomi import records
from kakomi.protocol import serving
from kakomi.protocol.engine import MOST_BOTS, Engine, Settings
from kakomi.protocol.messages import COMMANDS, read_request
from kakomi.protocol.serving import serve
from kakomi.search.playout import ownership
from protocol.engine_lines import answers, asked
from recorded_games import random_record

GAMES = kakomi.names()


def test_hello() -> None:
    hello = asked("hello")
    assert hello["protocol"] == 1 and hello["version"] == kakomi.__version__
    assert hello["games"] == GAMES and hello["commands"] == list(COMMANDS)


def test_games() -> None:
    games = {game["name"]: game for game in asked("games")["games"]}
    assert list(games) == GAMES
    for name, game in games.items():
        made = kakomi.game(name)
        assert {option["name"]: option["default"] for option in game["options"]} == made.options
        assert all(option["default"] in option["allowed"] for option in game["options"])
    assert games["lin"]["komi_option"] == "komi"


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_told_as_it_is(name: str) -> None:
    position = kakomi.game(name, **kakomi.catalog.describe(name).quick).start()
    asks: list[dict[str, Any]] = [
        {"id": 0, "command": "setup", "game": name, "options": position.game.options},
    ]
    path = [position]
    while not position.is_over and position.ply < 60:
        text = position.legal()[position.ply * 7 % len(position.legal())]
        position = position.play(text)
        path.append(position)
        asks.append({"id": position.ply, "command": "play", "actions": [text]})
    for answer, told in zip(answers(*asks), path, strict=True):
        result = answer["result"]
        assert result["ply"] == told.ply and result["is_over"] == told.is_over
        assert result["scores"] == told.scores()
        assert result["to_move"] == (None if told.is_over else told.to_move)
        assert result["turn"] == [told.game.action_texts[action] for action in told.turn]
        assert result["returns"] == (told.returns() if told.is_over else None)


def test_show() -> None:
    position = kakomi.game("rin", size=4).start().play("1,1")
    fields = {"game": "rin", "options": {"size": 4}, "actions": ["1,1"]}
    shown = asked("show", drawing="text", overlays=["immune"], **fields)
    assert shown["drawing"] == position.text(overlays=["immune"])
    assert shown["legal"] == position.legal() and shown["stones"] == {"1,1": 0}
    assert asked("show", drawing="svg", theme="dark", **fields)["drawing"] == position.svg(theme="dark")
    assert "drawing" not in asked("show", **fields)


@pytest.mark.parametrize("form", ["object", "json", "sgf"])
def test_a_record_is_set_up(form: str) -> None:
    game = kakomi.game("ren", size=4)
    record = random_record(game, seed=5, most_turns=30)
    text = records.write(record, game, "sgf" if form == "sgf" else "json").decode()
    told = asked("setup", record=json.loads(text) if form == "object" else text)
    end = records.position_after(record, game)
    assert (told["game"], told["options"], told["ply"]) == (game.name, game.options, end.ply)
    assert asked("setup", record=text, turn=1)["ply"] == records.position_after(record, game, 1).ply
    assert asked("setup", record=text, turn=9999)["code"] == "bad-record"


def test_a_record_that_begins_at_a_position_is_set_up_there() -> None:
    game = kakomi.game("rin", size=4)
    record = records.recorded(game, ["0,1"], position="4/1b2/4/4 w left_in_turn=2")
    text = records.write(record, game, "json").decode()
    set_up, shown = answers({"id": 1, "command": "setup", "record": text}, {"id": 2, "command": "show"})
    assert "result" in set_up
    assert shown["result"]["position"] == str(records.position_after(record, game))


@pytest.mark.parametrize("command", ["setup", "show", "genmove", "wants_swap"])
def test_a_game_without_a_name_is_refused(command: str) -> None:
    assert asked(command, game="")["code"] == "bad-game"


@pytest.mark.parametrize("name", GAMES)
def test_a_position_is_set_up_from_its_text(name: str) -> None:
    game = kakomi.game(name, **kakomi.catalog.describe(name).quick)
    position = game.start()
    for _ in range(6):
        position = position.play(position.legal()[len(position.legal()) // 2])
    following = position.legal()[0]
    fields = {"game": name, "options": game.options, "position": str(position)}
    set_up, _, shown, undone, refused = (
        answer.get("result", answer.get("error"))
        for answer in answers(
            {"id": 1, "command": "setup", **fields},
            {"id": 2, "command": "play", "actions": [following]},
            {"id": 3, "command": "show"},
            {"id": 4, "command": "undo"},
            {"id": 5, "command": "undo"},
        )
    )
    assert (set_up["ply"], set_up["to_move"], set_up["scores"]) == (0, position.to_move, position.scores())
    assert shown["actions"] == [following]
    assert game.position(shown["position"]) == position.play(following)
    assert undone["ply"] == 0 and refused["code"] == "nothing-to-undo"
    brought = asked("show", actions=[following], **fields)
    assert brought["position"] == shown["position"]
    assert asked("genmove", **fields)["action"] in position.legal()


@pytest.mark.parametrize("text", ["", "4/4", "4/1b2/4/4 x", "é", "9" * 5000, "4/4/4/4 b left_in_turn=99"])
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    refused = asked("setup", game="rin", options={"size": 4}, position=text)
    assert refused["code"] == "bad-position" and len(refused["message"]) < 300
    assert asked("show", position="4/4/4/4 b")["code"] == "bad-field"


def test_a_request_s_own_position_leaves_the_set_up_one_alone() -> None:
    *_, last = answers(
        {"id": 1, "command": "setup", "game": "rin", "options": {"size": 4}, "actions": ["1,1"]},
        {"id": 2, "command": "show", "game": "lin", "options": {"size": 5}, "actions": ["c3"]},
        {"id": 3, "command": "show", "game": "lin", "options": {"size": 5}, "actions": ["c3", "d3"]},
        {"id": 4, "command": "show"},
    )
    assert (last["result"]["game"], last["result"]["actions"]) == ("rin", ["1,1"])


def test_play_plays_all_or_nothing() -> None:
    _, refused, shown = answers(
        {"id": 1, "command": "setup", "game": "rin", "options": {"size": 4}},
        {"id": 2, "command": "play", "actions": ["1,1", "1,2", "1,1"]},
        {"id": 3, "command": "show"},
    )
    assert refused["error"]["code"] == "illegal-action" and "actions[2]" in refused["error"]["message"]
    assert shown["result"]["actions"] == []


def test_an_illegal_action_is_counted_from_the_start_even_after_a_shared_beginning() -> None:
    rin = {"command": "setup", "game": "rin", "options": {"size": 4}}
    *_, last = answers(
        {"id": 1, **rin, "actions": ["1,1", "1,2"]},
        {"id": 2, **rin, "actions": ["1,1", "1,2", "1,1"]},
    )
    assert "actions[2]" in last["error"]["message"]


def test_the_seed_decides_and_a_new_one_begins_anew() -> None:
    def chosen(*seeds: int) -> list[str]:
        asks = []
        for number, seed in enumerate(seeds):
            asks.append({"id": number, "command": "setup", "game": "rin", "seed": seed})
            asks += [{"id": 100 * number + n, "command": "genmove"} for n in range(1, 4)]
        told = answers(*asks)
        return [answer["result"]["action"] for answer in told if "action" in answer["result"]]

    assert chosen(1)[:3] == chosen(2, 1)[3:] != chosen(2)
    assert len(set(chosen(1, 1))) > 3  # setting the same seed again doesn't restart it


@pytest.mark.parametrize("limits", [{"simulations": 40}, {"bot": "simulations:40"}, {"seconds": 0.01}, {}])
def test_genmove_chooses_what_is_legal(limits: dict[str, Any]) -> None:
    fields = {"game": "rin", "options": {"size": 4}, "actions": ["1,1"]}
    chosen = asked("genmove", **fields, **limits)
    assert chosen["to_move"] == 1
    kakomi.game("rin", size=4).start().play("1,1").play(chosen["action"])


def test_an_analysis_counts_what_it_promises() -> None:
    fields = {"game": "rings", "options": {"size": 2, "players": 3}}
    found = asked("analyse", simulations=300, lines=3, **fields)
    assert found["simulations"] == 300 and len(found["lines"]) == 3
    assert sum(found["chances"]) == pytest.approx(1, abs=1e-3)
    assert sum(found["returns"]) == pytest.approx(0, abs=1e-3)
    for value, chance in zip(found["returns"], found["chances"], strict=True):
        assert chance == pytest.approx((1 + 2 * value) / 3, abs=1e-3)
    assert found["action"] == found["lines"][0]["action"] == found["principal"][0]
    position = kakomi.game("rings", size=2, players=3).start()
    for text in found["principal"]:
        position = position.play(text)


def test_an_analysis_tells_likely_owners_and_leads_if_it_is_asked_for_them() -> None:
    place = {"game": "rive", "options": {"size": 2}, "actions": ["b2"]}
    limits = {"simulations": 2000, "every_ms": 10, "playouts": 50, "seed": 3}
    *reports, last = answers({"id": 1, "command": "analyse", **place, **limits})
    found = ownership(kakomi.game("rive", size=2).start().play("b2"), 50, seed=3)
    for told in (*(one["report"] for one in reports), last["result"]):
        assert {name: told[name] for name in ("owner", "lead", "spread", "playouts")} == found.to_json()
    assert len(last["result"]["owner"]) == 7 and last["result"]["action"]
    assert "owner" not in asked("analyse", **place, simulations=10)


def test_a_proof_tells_what_actions_come_to() -> None:
    place = {"game": "rive", "options": {"size": 2}}
    told = answers({"id": 1, "command": "prove", **place, "positions": 10**6, "every_ms": 10})
    proof = told[-1]["result"]
    assert proof["result"] == 1 and proof["margin"] == 1 and len(proof["line"]) == 7
    assert proof["results"]["b2"] == 1 and set(proof["results"].values()) == {1, -1}
    assert len(proof["results"]) == proof["legal"] == 7
    assert all(one["report"].keys() == proof.keys() for one in told[:-1])


def test_a_proof_ends_at_its_limit_or_when_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.solve.solver.SLICE", 500)
    place = {"game": "ren", "options": {"size": 6}}
    assert asked("prove", **place, positions=100)["result"] is None
    stopped, *_ = answers({"id": 1, "command": "prove", **place}, {"id": 2, "command": "stop", "target": 1})[
        ::-1
    ]
    assert stopped["id"] == 1 and stopped["result"]["results"] == {}


def test_a_proof_is_among_two() -> None:
    request = {"id": 1, "command": "prove", "game": "rings", "options": {"size": 2, "players": 3}}
    (answer,) = answers(request)
    assert answer["error"] == {
        "code": "bad-game",
        "message": "results are proved between two players, and this game has 3",
    }


def test_threads_and_memory_are_for_analyses() -> None:
    request = {"id": 1, "command": "analyse", "game": "rin", "simulations": 20_000}
    (answer,) = answers(request, settings=Settings(threads=2, memory_mb=2.0))
    assert answer["result"]["simulations"] == 20_000 and answer["result"]["is_full"]


def test_reports_come_before_the_result() -> None:
    told = answers(
        {"id": 1, "command": "analyse", "game": "rin", "seconds": 0.3, "every_ms": 30},
        {"id": 2, "command": "hello"},
    )
    *reports, result, hello = told
    assert hello["id"] == 2 and "result" in result
    assert len(reports) >= 2
    made = [report["report"]["simulations"] for report in reports]
    assert made == sorted(made) and made[-1] <= result["result"]["simulations"]
    assert all(report["report"].keys() == result["result"].keys() for report in reports)


def test_a_stop_ends_what_comes_before_it() -> None:
    endless = {"command": "analyse", "game": "rin", "options": {"size": 4}}
    told = answers(
        {"id": "a", **endless},
        {"id": "b", **endless},
        {"id": "stop b", "command": "stop", "target": "b"},
        {"id": "stop", "command": "stop"},
        {"id": "stop nothing", "command": "stop", "target": "a"},
    )
    results = {answer["id"]: answer["result"] for answer in told}
    assert results["stop b"] == {"stopped": ["b"]}
    assert results["stop"] == {"stopped": ["a"]}
    assert results["stop nothing"] == {"stopped": []}
    assert all(results[name]["simulations"] >= 1 for name in "ab")


def test_a_stop_while_it_thinks() -> None:
    begun = threading.Event()

    def lines() -> Iterator[bytes]:
        yield b'{"id": 1, "command": "analyse", "game": "rin", "every_ms": 10}'
        assert begun.wait(120)
        yield b'{"id": 2, "command": "stop"}'

    written: list[dict[str, Any]] = []

    def write(line: bytes) -> None:
        written.append(json.loads(line))
        begun.set()

    serve(Engine(Settings()), lines(), write)
    assert [answer["id"] for answer in written if "result" in answer] == [2, 1]


def test_the_end_of_input_ends_what_would_never_end() -> None:
    told = answers({"id": 1, "command": "analyse", "game": "rin"}, {"id": 2, "command": "hello"})
    assert [answer["id"] for answer in told] == [1, 2]


def test_quit_cancels_what_waits() -> None:
    first = threading.Event()

    def lines() -> Iterator[bytes]:
        yield b'{"id": 1, "command": "analyse", "game": "rin", "every_ms": 10}'
        assert first.wait(120)
        yield b'{"id": 2, "command": "hello"}'
        yield b'{"id": 3, "command": "quit"}'
        raise AssertionError("nothing is read after quit")

    written: list[dict[str, Any]] = []

    def write(line: bytes) -> None:
        written.append(json.loads(line))
        first.set()

    serve(Engine(Settings()), lines(), write)
    one, two, three = (answer for answer in written if "report" not in answer)
    assert one["result"]["simulations"] > 0
    assert two["error"]["code"] == "cancelled"
    assert three == {"id": 3, "result": {}}


def test_what_can_t_be_written_ends_the_service() -> None:
    def write(line: bytes) -> None:
        raise BrokenPipeError

    for line in (b'{"id": 1, "command": "hello"}', b'{"id": 1, "command": "stop"}'):
        with pytest.raises(BrokenPipeError):
            serve(Engine(Settings()), [line], write)


def test_a_fault_of_ours_is_told_and_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("kakomi.catalog.describe", fail)
    failed, hello = answers({"id": 1, "command": "games"}, {"id": 2, "command": "hello"})
    assert failed["error"] == {"code": "internal", "message": "RuntimeError: two lines"}
    assert "result" in hello


def test_a_fault_of_ours_in_reading_a_line_is_told_and_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail_once(line: bytes) -> object:
        monkeypatch.setattr(serving, "read_request", read_request)
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(serving, "read_request", fail_once)
    failed, hello = answers({"id": 1, "command": "hello"}, {"id": 2, "command": "hello"})
    assert failed["error"] == {"code": "internal", "message": "RuntimeError: two lines"}
    assert hello["id"] == 2 and "result" in hello


def test_few_bots_are_kept() -> None:
    fields = {"command": "genmove", "game": "rin", "options": {"size": 4}}
    bots = [f"simulations:{n + 1}" for n in range(2 * MOST_BOTS)]
    told = answers(*({"id": n, "bot": bot, **fields} for n, bot in enumerate([*bots, *bots])))
    assert all("result" in answer for answer in told)


def test_a_bot_that_is_kept_is_asked_again_for_another_game() -> None:
    rin: dict[str, Any] = {"command": "genmove", "bot": "12", "game": "rin"}
    rive: dict[str, Any] = {"command": "genmove", "bot": "12", "game": "rive", "options": {"size": 2}}
    told = answers(*({"id": n, **fields} for n, fields in enumerate((rin, rive, rin))))
    assert [("result" in answer) for answer in told] == [False, True, False]
    assert told[2]["error"]["message"].startswith("rin has no level 12; it has levels 1 to")


def test_a_seed_makes_an_answer_independent_of_what_came_before() -> None:
    fields = {"command": "genmove", "game": "rin", "options": {"size": 4}, "bot": "simulations:60", "seed": 3}
    other = {"id": 2, "command": "analyse", "game": "rin", "options": {"size": 4}, "simulations": 50}
    first, _, again = answers({"id": 1, **fields}, other, {"id": 3, **fields})
    begun_anew = answers(
        {"id": 1, **{k: v for k, v in fields.items() if k != "seed"}}, settings=Settings(seed=3)
    )
    assert first["result"] == again["result"] == begun_anew[0]["result"]


def test_a_bot_tells_how_far_it_has_come() -> None:
    fields = {"game": "rin", "options": {"size": 8}, "actions": ["3,3"], "bot": "simulations:60000"}
    *reports, last = answers({"id": 1, "command": "genmove", "every_ms": 10, **fields})
    told = [report["report"] for report in reports]
    assert told and [each["progress"] for each in told] == sorted(each["progress"] for each in told)
    assert all(0 <= each["progress"] <= 1 and each["to_move"] == 1 for each in told)
    assert all(sum(each["chances"]) == pytest.approx(1, abs=1e-3) and each["principal"] for each in told)
    assert "action" in last["result"]


def test_a_bot_may_take_over_the_other_side() -> None:
    fields = {"game": "lin", "options": {"size": 5, "komi": 0}, "actions": ["c3"], "bot": "simulations:300"}
    assert asked("genmove", may_swap=True, **fields) == {"swap": True, "to_move": 1}
    assert "action" in asked("genmove", **fields)
    refused = asked("genmove", may_swap=True, game="rings", options={"size": 2, "players": 3})
    assert refused["code"] == "bad-game"


def test_a_bot_says_whether_the_other_side_is_better() -> None:
    fields = {"game": "lin", "options": {"size": 5, "komi": 0}, "actions": ["c3"]}
    assert asked("wants_swap", bot="simulations:300", **fields) == {"swap": True}
    assert asked("wants_swap", simulations=300, **fields) == {"swap": True}
    assert asked("wants_swap", bot="random", **fields) == {"swap": False}


def test_what_is_for_bots_does_not_go_with_limits() -> None:
    for field in ({"may_swap": True}, {"every_ms": 50}):
        refused = asked("genmove", game="rin", simulations=10, **field)
        assert refused["code"] == "bad-field" and "are for bots" in refused["message"]


FRESH = """
import threading
from kakomi import catalog
from kakomi.bots.levels import levels_of
from kakomi.protocol import messages
from kakomi.protocol.engine import Engine
from kakomi.protocol.engine import Settings
from kakomi.search import search

search.INTERPRETED_SECONDS = 0
engine, stop = Engine(Settings()), threading.Event()
for name in catalog.names():
    described = catalog.describe(name)
    engine.answer(messages.Setup(id=1, game=name, options=described.quick), stop, print)
    for level in levels_of(described):
        assert engine.answer(messages.Genmove(id=1, bot=str(level)), stop, print)["action"]
    for request in (
        messages.WantsSwap(id=1), messages.Analyse(id=1, simulations=9), messages.Prove(id=1, positions=1)
    ):
        engine.answer(request, stop, print)
    if described.komi_option:
        engine.answer(messages.NameKomi(id=1, bot="random"), stop, print)
        engine.answer(messages.ChoosePlayer(id=1, bot="10", komi=0), stop, print)
"""


def test_a_fresh_engine_answers_at_every_level_without_compiling(tmp_path: Path) -> None:
    environment = {**os.environ, "KAKOMI_KERNEL": "adaptive", "KAKOMI_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", FRESH], env=environment, check=True)
    assert not list(tmp_path.iterdir())
