"""Bots that drive external programs: they play, and any failure soon gives an error with a reason."""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import kakomi
from kakomi.protocol import EngineBot, EngineError

STUB = str(Path(__file__).with_name("stub_engine.py"))
START = kakomi.game("rin", size=4).start()

Engine = Callable[..., EngineBot]


@pytest.fixture
def engine() -> Iterator[Engine]:
    """Starts stub engines, and ends them after the test."""
    bots: list[EngineBot] = []

    def drive(*words: str, patience: float = 20.0, **limits: float) -> EngineBot:
        bots.append(EngineBot([sys.executable, STUB, *words], patience=patience, **limits))  # type: ignore[arg-type]
        return bots[-1]

    yield drive
    for bot in bots:
        bot.close()


def program_of(bot: EngineBot) -> int:
    process = bot._process
    assert process
    return process.pid


def is_there(pid: int) -> bool:
    """Whether a process is running, or a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_plays_a_game(engine: Engine) -> None:
    bot, position = engine("plays", "0,0", "(1, 1)", "2,2"), START
    for expected in ("0,0", "1,1", "2,2"):
        action = bot.choose(position)
        assert position.game.action_texts[action] == expected
        position = position.play_action(action)


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        (
            "exits",
            r"it ended with exit code 3 instead of answering genmove; its last words: out of luck  \[31m",
        ),
        ("killed", r"it was ended by signal 9 instead of answering genmove.*"),
        ("garbage", r"it wrote 'I think   d4 is nice', which is no line of the protocol"),
        ("binary", r"it wrote '.*', which is no line of the protocol"),
        ("nested", r"it wrote '\[{197}\.\.\.', which is no line of the protocol"),
        ("endless", r"it wrote a line of more than a mebibyte"),
        ("other", r"it answered a request that was not made: .*who\?.*"),
        ("null", r"it wrote '{\"id\": 3, \"result\": null}', which has no result, no error and no report"),
        ("empty", r"it wrote '{\"id\": 3}', which has no result, no error and no report"),
        ("refuses", r"it refused genmove: not today"),
        ("untyped", r"its answer to genmove is wrong: .*action.*"),
        ("lacking", r"it refused genmove: no genmove"),
        ("newer", r"it speaks version 2 of the protocol, not 1"),
    ],
)
def test_what_goes_wrong_has_a_reason(way: str, reason: str, engine: Engine) -> None:
    with pytest.raises(EngineError, match=f"^(?:{reason})$") as failed:
        engine(way).choose(START)
    assert str(failed.value) == failed.value.reason


@pytest.mark.parametrize("way", ["hangs", "chatty", "wrapped"])
def test_no_answer_within_the_patience(way: str, engine: Engine) -> None:
    with pytest.raises(EngineError, match=r"^it did not answer genmove within 1 s$"):
        engine(way, patience=1.0).choose(START)


def test_output_closed_by_a_program_that_goes_on(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.protocol.engine_client.TERMINATE_SECONDS", 0.2)
    with pytest.raises(EngineError, match=r"^it closed its output instead of answering genmove$"):
        engine("closes").choose(START)


@pytest.mark.parametrize(
    ("action", "told"),
    [("0,0", "0,0 can't be played"), ("9,9", "isn't an action in Rin"), ("pass", "isn't an action")],
)
def test_an_illegal_action(action: str, told: str, engine: Engine) -> None:
    with pytest.raises(EngineError, match=f"^it played an illegal action: .*{told}"):
        engine("plays", action).choose(START.play("0,0"))


def test_a_failure_ends_the_program_and_the_next_call_starts_it_anew(engine: Engine) -> None:
    bot = engine("plays", "9,9", "0,0")
    for _ in range(2):
        with pytest.raises(EngineError):
            bot.choose(START)
        assert bot._process is None


def test_a_program_that_won_t_go_is_killed(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.protocol.engine_client.TERMINATE_SECONDS", 0.2)
    bot = engine("stubborn", patience=1.0)
    bot._set_up(START)
    pid = program_of(bot)
    with pytest.raises(EngineError):
        bot.choose(START)
    assert not is_there(pid)


def test_a_with_block_ends_the_program(engine: Engine) -> None:
    with engine("plays", "0,0") as bot:
        bot.choose(START)
        pid = program_of(bot)
        assert is_there(pid)
    assert not is_there(pid)
    bot.close()


def test_it_is_told_to_stop(engine: Engine) -> None:
    stop = threading.Event()
    bot = engine("until stopped", "1,2", seconds=30.0)
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    for _ in range(2):  # the answer to `stop` itself isn't mistaken for the next answer
        assert START.game.action_texts[bot.choose(START, stop=stop)] == "1,2"
    timer.join()


def test_negotiation(engine: Engine) -> None:
    lin = kakomi.game("lin", size=5)
    bot = engine("negotiates", "6", "1")
    assert bot.name_komi(lin) == 6
    assert bot.choose_player(lin, 6) == 1
    assert bot.wants_swap(START.play("0,0"))


def test_negotiation_that_can_t_be(engine: Engine) -> None:
    lin = kakomi.game("lin", size=5)
    with pytest.raises(EngineError, match="it named a komi that can't be: 7"):
        engine("negotiates", "7", "1").name_komi(lin)
    with pytest.raises(EngineError, match="it chose to be player 2"):
        engine("negotiates", "6", "2").choose_player(lin, 6)


def test_who_does_not_negotiate_has_our_bots_do_it(engine: Engine) -> None:
    bot = engine("plays", "0,0")
    lin = kakomi.game("lin", size=5)
    assert bot.name_komi(lin) in range(0, 25, 2)
    assert bot.choose_player(lin, 24) == 1
    assert not bot.wants_swap(START.play("0,0"))


@pytest.mark.parametrize("command", [["/no/such/program"], ["/"], ["nul\0"]])
def test_a_program_that_can_t_be_started(command: list[str]) -> None:
    with pytest.raises(EngineError, match=r"^it can't be started: "):
        EngineBot(command).choose(START)


def test_what_is_no_command() -> None:
    for command in ("kakomi engine", []):
        with pytest.raises(ValueError, match="list of words"):
            EngineBot(command)


def test_positions_that_can_t_be_told(engine: Engine) -> None:
    bot = engine("plays", "0,0")
    with pytest.raises(ValueError, match="played from the start"):
        bot.choose(START.game.arranged({"0,0": 0}))
    position = START
    while not position.is_over:
        position = position.play(position.legal()[0])
    with pytest.raises(ValueError, match="the game is over"):
        bot.choose(position)
