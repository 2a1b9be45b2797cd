"""The kernel: modes, dispatch on record types, announcements, random numbers."""

import contextlib
import importlib
import random
import threading
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from kakomi.kernel import (
    Driver,
    Mode,
    as_records,
    below,
    driver,
    driver_cache,
    mode,
    random_state,
    register,
    use_mode,
    when_compiling,
)
from kakomi.kernel.contract import reset
from kakomi.kernel.pool import put_in, take_out
from kakomi.kernel.random import draw
from kakomi.kernel.sources import fingerprint
from kernel.nim import (
    BOARD,
    NIM,
    OTHER,
    SCRATCH,
    Nim,
    count_bundled,
    element,
    first_action,
    nim_arrays,
    random_game,
    state_type,
)


def test_fields_of_records_are_attributes_when_interpreted() -> None:
    states = np.zeros(2, NIM.STATE)
    state = as_records(states)[1]
    state.nim_heap = 3
    state.stones[0] = 5
    state.nim_heap += 1
    assert (states["nim_heap"].tolist(), states["stones"].ravel().tolist()) == ([0, 4], [0, 5])
    for name in ("heap", "nim_heaps"):
        with pytest.raises(AttributeError, match=f"no field '{name}'"):
            getattr(state, name)
        with pytest.raises(AttributeError, match=f"no field '{name}'"):
            setattr(state, name, 1)
    with pytest.raises(OverflowError):
        state.to_move = 1000


@pytest.mark.parametrize("chosen", Mode)
def test_records_may_come_in_a_named_tuple(chosen: Mode) -> None:
    with use_mode(chosen):
        assert count_bundled(Nim(*nim_arrays())) == 3


def game_of(seed: int) -> tuple[list[int], list[float], int]:
    played, out, rng = np.zeros(7, np.int64), np.zeros(2), random_state(seed)
    plies = random_game(*nim_arrays(), rng, played, out)
    return played[:plies].tolist(), out.tolist(), int(rng[0])


def test_all_modes_play_the_same_games_with_the_default_rules() -> None:
    for seed in range(20):
        games = []
        for chosen in Mode:
            with use_mode(chosen):
                games.append(game_of(seed))
        assert all(game == games[0] for game in games)
        assert sum(action + 1 for action in games[0][0]) == 7


def test_modes_nest_and_end_with_their_block() -> None:
    outside = mode()
    with use_mode("interpreted"):
        with use_mode(Mode.CHECKED):
            assert mode() is Mode.CHECKED
        assert mode() is Mode.INTERPRETED
        with pytest.raises(ZeroDivisionError), use_mode("compiled"):
            raise ZeroDivisionError
        assert mode() is Mode.INTERPRETED
    assert mode() is outside


def test_a_mode_holds_for_its_own_thread_alone() -> None:
    seen: list[Mode] = []
    with use_mode("interpreted"):
        thread = threading.Thread(target=lambda: seen.append(mode()))
        thread.start()
        thread.join()
    assert seen == [mode()]


def test_no_other_modes() -> None:
    with pytest.raises(ValueError, match="quick"), use_mode("quick"):
        pass


@pytest.mark.parametrize("chosen", ["checked", "interpreted"])
def test_an_index_out_of_range_is_caught(chosen: str) -> None:
    with use_mode(chosen):
        assert element(np.arange(3), 2) == 2
        with pytest.raises(IndexError):
            element(np.arange(3), 3)


def test_an_overflow_is_caught_when_interpreted() -> None:
    def doubled(numbers):
        return numbers[0] * np.int8(2)

    with use_mode("interpreted"), pytest.raises(FloatingPointError):
        Driver(doubled)(np.array([100], np.int8))


def test_interpreted_games_change_the_callers_own_arrays() -> None:
    boards, states, scratches = nim_arrays()
    with use_mode("interpreted"):
        random_game(boards, states, scratches, random_state(1), np.zeros(7, np.int64), np.zeros(2))
    assert states["nim_heap"][0] == 0
    assert type(states) is np.ndarray


def test_one_driver_serves_many_games() -> None:
    boards, states, scratches = nim_arrays()
    for chosen in Mode:
        with use_mode(chosen):
            assert first_action(boards, states, scratches) == 0
            assert first_action(boards, np.zeros(1, OTHER.STATE), scratches) == 12


def test_two_games_of_one_record_type_are_refused() -> None:
    register(NIM)  # registering the same rules again is harmless
    twin = SimpleNamespace(**{**vars(NIM), "__name__": "twin"})
    with pytest.raises(ValueError, match=f"twin has the same field names as that of {NIM.__name__}"):
        register(twin)


def test_a_field_that_records_have_an_attribute_for_is_refused() -> None:
    hidden = SimpleNamespace(__name__="hidden", STATE=state_type("sum"), SCRATCH=SCRATCH)
    with pytest.raises(ValueError, match="hidden has a field 'sum'"):
        register(hidden)


def test_an_unregistered_record_fails_clearly_when_compiled() -> None:
    @driver
    def start(boards, states):
        reset(boards[0], states[0])

    with pytest.raises(Exception, match="reset"):
        start(np.zeros(1, BOARD), np.zeros(1, state_type("nobodys_field")))


@contextlib.contextmanager
def noting(log: list[str], name: str) -> Iterator[None]:
    log.append(f"{name} begins")
    try:
        yield
    finally:
        log.append(f"{name} ends")


def test_listeners_hear_of_every_compilation_and_of_nothing_else(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAKOMI_CACHE_DIR", str(tmp_path))

    def plus_one(numbers):
        return numbers[0] + 1

    log: list[str] = []
    with when_compiling(lambda name: noting(log, name)):
        first = Driver(plus_one)
        with use_mode("interpreted"):
            first(np.arange(3))
        assert log == []
        first(np.arange(3))
        assert log == ["plus_one begins", "plus_one ends"]
        first(np.arange(3))
        assert len(log) == 2, "compiled already"
        Driver(plus_one)(np.arange(3))
        assert len(log) == 2, "on disk already"
        first(np.arange(3.0))
        assert len(log) == 4, "another type, another compilation"
    Driver(plus_one)(np.zeros(3, np.int8))
    assert len(log) == 4, "no listener any more"


def test_listeners_are_told_when_a_compilation_fails(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAKOMI_CACHE_DIR", str(tmp_path))

    def validate_state(numbers):
        return numbers.no_such_thing

    log: list[str] = []
    with when_compiling(lambda name: noting(log, name)):
        with pytest.raises(Exception, match="no_such_thing"):
            Driver(validate_state)(np.arange(3))
        assert log in ([], ["validate_state begins", "validate_state ends"])


def test_warming_compiles_without_running(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAKOMI_CACHE_DIR", str(tmp_path))

    def fill(numbers):
        numbers[0] = 7

    numbers = np.zeros(1)
    assert Driver(fill).warm(numbers)
    assert not Driver(fill).warm(numbers)
    assert numbers[0] == 0


def test_the_adaptive_mode_compiles_nothing(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAKOMI_CACHE_DIR", str(tmp_path))
    compiled: list[str] = []

    def wrap(numbers):
        numbers[0] += np.int8(100)  # overflows its type: an error when interpreted

    first, later = Driver(wrap), Driver(wrap)
    with use_mode(Mode.ADAPTIVE), when_compiling(lambda name: noting(compiled, name)):
        with pytest.raises(FloatingPointError):
            first(np.full(1, 100, np.int8))
        assert not first.warm(np.zeros(1, np.int8)) and not compiled
    Driver(wrap).warm(np.zeros(1, np.int8))
    with use_mode(Mode.ADAPTIVE), when_compiling(lambda name: noting(compiled, name)):
        for driver in (first, later):
            driver(np.full(1, 100, np.int8))
        with pytest.raises(FloatingPointError):
            later(np.full(1, 32_700, np.int16))  # argument types without compiled code
        assert not compiled


def test_looking_for_compiled_code_again_reads_no_sources(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAKOMI_CACHE_DIR", str(tmp_path))
    read: list[tuple[str, ...]] = []

    def noted(*modules: str) -> str:
        read.append(modules)
        return fingerprint(*modules)

    importlib.import_module(
        "kakomi.kernel.compiler"
    )  # compiled code is only looked up once a compiler is loaded
    monkeypatch.setattr(driver_cache, "fingerprint", noted)
    counting, numbers = Driver(lambda numbers: numbers[0]), np.zeros(1)
    with use_mode(Mode.ADAPTIVE):
        for _ in range(3):
            assert counting(numbers) == 0
    assert len(read) == 1


def test_drivers_let_other_threads_run() -> None:
    def shuffle_long(rng):
        for _ in range(200_000_000):
            draw(rng)

    shuffling, rng = Driver(shuffle_long), random_state(1)
    shuffling.warm(rng)
    ticks: list[int] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    shuffling(rng)
    during = len(ticks) - before
    done.set()
    thread.join()
    assert during > 3


def test_the_users_random_numbers_are_left_alone() -> None:
    np.random.seed(5)
    expected = np.random.random(3).tolist()
    np.random.seed(5)
    for chosen in Mode:
        with use_mode(chosen):
            game_of(1)
    assert np.random.random(3).tolist() == expected


def test_equal_seeds_equal_streams() -> None:
    assert game_of(3) == game_of(3)
    streams = {tuple(int(draw(rng)) for _ in range(4)) for rng in map(random_state, range(-50, 50))}
    assert len(streams) == 100


@pytest.mark.parametrize("seed", [0, -1, 2**64, 2**64 - 1, 10**30])
def test_any_integer_is_a_seed(seed: int) -> None:
    assert random_state(seed)[0] != 0


def test_draws_below_a_limit_are_uniform() -> None:
    rng = random_state(11)
    counts = Counter(below(rng, 10) for _ in range(20000))
    assert set(counts) == set(range(10))
    chi_square = sum((count - 2000) ** 2 / 2000 for count in counts.values())
    assert chi_square < 40  # 9 degrees of freedom: exceeded once in a hundred thousand


def test_a_pool_holds_what_was_put_in_and_not_taken_out() -> None:
    choose = random.Random(3)
    members, places, count = np.zeros(50, np.uint16), np.zeros(50, np.uint16), 0
    held: set[int] = set()
    for _ in range(500):
        item = choose.randrange(50)
        count = (take_out if item in held else put_in)(members, places, count, item)
        held ^= {item}
        assert set(members[:count].tolist()) == held
        assert count == len(held)
