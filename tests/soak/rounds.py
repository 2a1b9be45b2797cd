"""The rounds of a soak. Each is a function of a random number generator alone."""

import pickle
import random
from collections.abc import Callable
from typing import Any

from hypothesis import given, seed, settings
from hypothesis import strategies as st

import kakomi
from damage import check_read_or_refused
from games.comparing import compare_from
from hostile_records import CORPUS, json_files, sgf_files
from kakomi import Game, IllegalAction, Position, records
from kakomi.catalog import describe
from kakomi.kernel import Mode, use_mode
from kakomi.search import Search
from reference import GAMES, make
from soak.lines import converse_in_gtp, converse_with_engine

LARGEST_BOARD = 130
"""Points of the largest board in rounds, since the references are slow."""


def random_options(name: str, chance: random.Random) -> dict[str, int]:
    """Random options with a board that isn't too large."""
    while True:
        chosen: dict[str, int] = {}
        for option in describe(name).options:
            chosen[option.name] = chance.choice(option.allowed_given(chosen))
        if kakomi.game(name, **chosen).geometry.points <= LARGEST_BOARD:
            return chosen


def random_game(chance: random.Random, names: list[str]) -> Game:
    name = chance.choice(names)
    return kakomi.game(name, **random_options(name, chance))


def some_position(game: Game, chance: random.Random, most_plies: int = 150) -> Position:
    """A position of a random game that isn't over."""
    position = game.start()
    for _ in range(chance.randrange(most_plies)):
        following = position.play_action(chance.choice(position.legal_actions()))
        if following.is_over:
            break
        position = following
    return position


def compare_with_reference(chance: random.Random) -> None:
    """Compare every action of a random game with the slow reference, in a random mode."""
    game = random_game(chance, sorted(GAMES))
    modes = [*([Mode.COMPILED] * 8), Mode.CHECKED, Mode.INTERPRETED]
    with use_mode(chance.choice(modes)):
        compare_from(game.start(), make(game.name, **game.options), chance, most_plies=600)


def compare_searches(chance: random.Random) -> None:
    """Check that a search gives the same visits in two modes."""
    game = random_game(chance, kakomi.names())
    position = some_position(game, chance)
    search_seed, simulations = chance.getrandbits(64), chance.randrange(1, 40)
    reports = []
    for mode in (Mode.COMPILED, Mode.CHECKED):
        with use_mode(mode):
            search = Search(game, seed=search_seed, memory_mb=chance_of_memory(search_seed))
            reports.append(search.run(position, simulations=simulations))
    assert reports[0].lines == reports[1].lines
    assert reports[0].action in position.legal_actions()


def chance_of_memory(seed: int) -> float:
    """A search's memory, now and then too small for the tree."""
    return 0.05 if seed % 4 == 0 else 4.0


def play_nonsense(chance: random.Random) -> None:
    """Check that any text or number gives the next position or a one-line IllegalAction."""
    position = some_position(random_game(chance, kakomi.names()), chance)
    for _ in range(50):
        for play, tried in (
            (position.play, nonsense(position, chance)),
            (position.play_action, number(chance)),
        ):
            try:
                following = play(tried)  # type: ignore[operator]
            except IllegalAction as error:
                assert "\n" not in str(error)
                assert len(str(error)) < 1000
            else:
                assert following.ply > position.ply


def nonsense(position: Position, chance: random.Random) -> str:
    texts = position.game.action_texts
    letters = [*"".join(chance.choices(texts, k=2)), *"0aAxX, ()[]-9\n\0é²"]
    if chance.random() < 0.3:
        return " ".join(chance.choices(texts, k=chance.randrange(1, 5)))
    return "".join(chance.choices(letters, k=chance.randrange(0, 9)))


def number(chance: random.Random) -> int:
    return chance.choice([-1, 1]) * chance.getrandbits(chance.randrange(1, 80))


def choose_nonsense_options(chance: random.Random) -> None:
    """Check that any option values give a game or a one-line ValueError."""
    name = chance.choice([*kakomi.names(), "go", ""])
    values: list[Any] = [
        None,
        "",
        "9",
        "-0",
        "1e3",
        1.5,
        float("nan"),
        True,
        10**40,
        -1,
        0,
        3,
        5,
        8,
        b"8",
        [8],
    ]
    options = {
        key: chance.choice(values) for key in ("size", "players", "komi", "line") if chance.random() < 0.5
    }
    try:
        kakomi.game(name, **options)
    except ValueError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 1000


def keep_and_damage_records(chance: random.Random) -> None:
    """Check that a record is read as written, and that damaged ones are read or refused."""
    game = random_game(chance, kakomi.names())
    position = some_position(game, chance, 60)
    record = records.recorded(game, position.actions_since(game.start()) or [])
    written = records.write(record, game, "json")
    assert records.read(written, kakomi.game) == record
    if game.geometry.kind == "square" and game.players == 2 and chance.random() < 0.5:
        written = records.write(record, game, "sgf")
        assert records.read(written, kakomi.game).turns == record.turns
    for _ in range(20):
        check_read_or_refused(cut_and_pasted(written, chance))


def read_hostile_records(chance: random.Random) -> None:
    """Check that well-formed files with senseless values and the corpus are read or refused."""

    @seed(chance.getrandbits(64))
    @settings(max_examples=100, database=None, deadline=None)
    @given(st.one_of(sgf_files(), json_files(), st.sampled_from(CORPUS)), st.sampled_from(kakomi.names()))
    def check(data: bytes, name: str) -> None:
        check_read_or_refused(data, name)

    check()


def cut_and_pasted(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randrange(1, 4)):
        start, end = sorted(chance.choices(range(len(data) + 1), k=2))
        match chance.randrange(4):
            case 0:
                data = data[:start] + data[start + chance.randrange(8) :]
            case 1:
                data = data[:start] + data[start:end][:40] + data[start:]
            case 2:
                data = data[:start] + chance.randbytes(chance.randrange(4)) + data[start:]
            case _:
                data = (
                    data[:start]
                    + chance.choice([b"{", b"[", b"}", b'"', b"-1", b"1e999"])
                    + data[start + 1 :]
                )
    return data


def copy_positions(chance: random.Random) -> None:
    """Check that a pickled position is equal and continues equally."""
    position = some_position(random_game(chance, kakomi.names()), chance)
    twin = pickle.loads(pickle.dumps(position))
    while not position.is_over and position.ply < 300:
        assert twin == position
        assert hash(twin) == hash(position)
        assert twin.legal_actions() == position.legal_actions()
        action = chance.choice(position.legal_actions())
        position, twin = position.play_action(action), twin.play_action(action)


ROUNDS: list[Callable[[random.Random], None]] = [
    compare_with_reference,
    compare_with_reference,
    compare_with_reference,
    compare_searches,
    play_nonsense,
    choose_nonsense_options,
    keep_and_damage_records,
    read_hostile_records,
    copy_positions,
    converse_with_engine,
    converse_in_gtp,
]
