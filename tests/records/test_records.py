"""Records: their tree, their JSON, what the rules say to them, and files."""

import errno
import json
import os
import pickle
import random
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import kakomi
from damage import check_read_or_refused, damaged, few_examples
from kakomi.core import Game
from kakomi.core.system import replace_file
from kakomi.records import (
    Match,
    Negotiation,
    Record,
    RecordError,
    Resignation,
    Result,
    Seat,
    Turn,
    checked,
    load,
    position_after,
    positions,
    read,
    read_json,
    recorded,
    save,
    start_of,
    tidy,
    tidy_line,
    write,
    write_json,
)
from kakomi.records.files import MOST_BYTES
from kakomi.records.json_form import schema
from kakomi.records.record import Reason
from recorded_games import AWKWARD, quick_games, random_record

DOCS = Path(__file__).resolve().parents[2] / "docs"
GOLDEN = Path(__file__).resolve().parent / "golden"

by_game = pytest.mark.parametrize("game", quick_games(), ids=lambda game: game.name)


def turn(player: int, *actions: str, after: int | None = None, **fields: object) -> Turn:
    return Turn(player=player, actions=actions, after=after, **fields)


def rin(*turns: Turn, **fields: object) -> Record:
    return Record(game="rin", options={"size": 4}, turns=turns, **fields)


RIN = kakomi.game("rin", size=4)


# The tree


def test_turns_are_listed_in_one_order_whatever_order_they_came_in() -> None:
    one = rin(turn(0, "a"), turn(1, "b"), turn(0, "c"), turn(1, "x", after=1), turn(0, "y"))
    other = rin(
        turn(0, "a"), turn(1, "b"), turn(1, "x", after=1), turn(0, "y", after=3), turn(0, "c", after=2)
    )
    assert one == other
    assert [t.actions[0] for t in other.turns] == ["a", "b", "c", "x", "y"]
    assert [t.after for t in other.turns] == [None, None, None, 1, None]


def test_the_first_to_follow_is_the_game_and_the_others_are_variations() -> None:
    record = rin(turn(0, "a"), turn(1, "b"), turn(0, "z", after=0), turn(1, "x", after=1))
    assert record.length == 2
    assert record.tree.main_line == [1, 2]
    assert [record.turns[number - 1].actions[0] for number in (3, 4)] == ["x", "z"]
    assert record.tree.line_to(3) == [1, 3] and record.tree.line_to(0) == []


@pytest.mark.parametrize("after", [1, 2, 99])
def test_a_turn_follows_an_earlier_one(after: int) -> None:
    with pytest.raises(RecordError, match=rf"turns\[0\].after: {after} is not the number of an earlier turn"):
        rin(turn(0, "a", after=after))


def test_with_turn_adds_to_the_game_or_starts_a_variation() -> None:
    record = rin().with_turn(turn(0, "a")).with_turn(turn(1, "x")).with_turn(turn(1, "y"), after=1)
    record = record.with_turn(turn(0, "b"))
    assert [t.actions[0] for t in record.turns] == ["a", "x", "b", "y"]
    assert record.length == 3


def test_with_comment_replaces_a_comment() -> None:
    record = rin(turn(0, "a", comment="old")).with_comment("new", 1).with_comment("before", 0)
    assert record.turns[0].comment == "new" and record.comment == "before"


def test_a_record_of_thousands_of_turns_within_each_other_needs_no_recursion() -> None:
    line = [turn(number % 2, "a") for number in range(5000)]
    nested = [turn(0, "b", after=number) for number in range(0, 5000, 2)]
    record = Record(game="long", turns=(*line, *nested))
    assert record.length == 5000
    assert pickle.loads(pickle.dumps(record)) == record
    assert read_json(write_json(record)) == record


def test_times_are_kept_to_the_millisecond() -> None:
    assert turn(0, "a", clock=1.23456, seconds=2.0004).clock == 1.235


@pytest.mark.parametrize("text", [*AWKWARD, "a\tb\r\nc\rd\x1b[2J\x00\ud800\x9b"])
def test_tidied_text_may_stand_in_a_record(text: str) -> None:
    record = rin(comment=tidy(text), event=tidy_line(text))
    assert read_json(write_json(record)) == record
    assert tidy("a\r\nb\tc") == "a\nb c"


# The rules


def refused(record: Record, game: Game = RIN) -> str:
    with pytest.raises(RecordError) as error:
        checked(record, game)
    return str(error.value)


def test_removals_may_be_listed_in_any_order() -> None:
    """RULES V5: a capture is read if some order of its removals is legal, and printed in a legal one."""
    path = GOLDEN / "rive.json"
    listed = load(path, kakomi.game)
    game = kakomi.game(listed.game, **listed.options)
    captured = b'"b3", "xa3", "xa1", "xa2", "xb4", "a1"'
    assert captured in path.read_bytes()
    shuffled = path.read_bytes().replace(captured, b'"b3", "xb4", "xa2", "xa1", "xa3", "a1"')
    record = read(shuffled, kakomi.game)
    assert checked(record, game) == record
    assert dict(positions(record, game)) == dict(positions(listed, game))


def test_games_of_thousands_of_actions_are_checked_in_one_go() -> None:
    game = kakomi.game("rive", size=7)
    record = finished(game)
    assert sum(len(turn.actions) for turn in record.turns) > 1000
    assert read(write(record, game, "json"), kakomi.game) == record


FIRST = turn(0, "0,0")


def test_an_illegal_turn_is_refused_with_its_number_and_the_reason() -> None:
    assert refused(rin(FIRST, turn(1, "1,1", "0,0"))).startswith(
        "turn 2 (White): 0,0 can't be played: there is a"
    )
    assert refused(rin(FIRST, turn(1, "1,1", "9,9"))).startswith("turn 2 (White): '9,9' is no action of Rin")


def test_an_illegal_variation_is_refused_with_its_place() -> None:
    record = rin(FIRST, turn(1, "1,1", "2,2"), turn(1, "0,0", "1,1", after=1))
    assert refused(record).startswith("turn 2 (White) of a variation, turns[2]: 0,0 can't be played")


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ([turn(1, "0,0")], "turn 1 (White): it is Black's turn"),
        ([turn(7, "0,0")], "turn 1 (player 7): it is Black's turn"),
        ([turn(0, "0,0", "1,1")], "turn 1 (Black): 0,0 1,1 is more than one turn"),
        (
            [FIRST, turn(1, "1,1"), turn(0, "2,2", "3,3")],
            "turn 3 (Black): the turn before it, 1,1, isn't finished",
        ),
    ],
)
def test_turns_are_whole(turns: list[Turn], message: str) -> None:
    assert refused(rin(*turns)) == message


def test_nothing_follows_the_end_of_a_game() -> None:
    full = finished(RIN)
    assert "the game was over before it" in refused(full.with_turn(turn(0, "0,0")))


def test_the_last_turn_may_be_unfinished() -> None:
    record = checked(rin(FIRST, turn(1, "1,1")), RIN)
    assert position_after(record, RIN).turn


def test_checked_spells_everything_as_it_is_printed() -> None:
    record = checked(Record(game="rin", turns=(turn(0, "(0,0)"),)), kakomi.game("rin"))
    assert record.turns[0].actions == ("0,0",)
    assert record.options == {"size": 16}


def finished(game: Game, seed: int = 1) -> Record:
    rng = random.Random(seed)
    position = game.start()
    while not position.is_over:
        position = position.play_action(rng.choice(position.legal_actions()))
    return recorded(game, position.actions_since(game.start()) or [])


@by_game
def test_recorded_games_end_as_they_did(game: Game) -> None:
    record = finished(game)
    assert checked(record, game) == record
    end = position_after(record, game)
    assert end.is_over and record.result
    assert record.result.returns(game.players) == end.returns()
    assert list(record.result.scores) == end.scores()


def test_recorded_refuses_what_the_rules_forbid() -> None:
    with pytest.raises(kakomi.IllegalAction):
        recorded(RIN, ["0,0", "0,0"])


def test_recorded_takes_one_action_at_a_time() -> None:
    with pytest.raises(kakomi.IllegalAction, match="is no action of Rin"):
        recorded(RIN, ["0,0 1,1"])


def test_positions_come_in_the_order_of_the_turns() -> None:
    record = rin(FIRST, turn(1, "1,1", "2,2"), turn(1, "3,3", "2,2", after=1))
    reached = dict(positions(record, RIN))
    assert list(reached) == [0, 1, 2, 3]
    assert reached[2].stones() == {"0,0": 0, "1,1": 1, "2,2": 1}
    assert reached[3].stones() == {"0,0": 0, "3,3": 1, "2,2": 1}
    with pytest.raises(ValueError, match="turns 0 to 3"):
        position_after(record, RIN, 4)


def test_a_record_of_endless_variations_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.records.replay.MOST_ACTIONS", 1000)
    checked(rin(*(turn(0, "0,0", after=0) for _ in range(1000))), RIN)
    assert "more than 1,000 actions" in refused(rin(*(turn(0, "0,0", after=0) for _ in range(1001))))


# What was agreed, and the result


BLACK_RESIGNS = {
    "resignations": (Resignation(player=0, after=1),),
    "result": Result(reason="resignation", winners=(1,)),
}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"seats": (Seat(),)}, "seats: there are 1 for 2 players"),
        ({"options": {"size": 8}}, "options.size: 8 isn't what kakomi.game('rin', size=4) has"),
        ({"game": "lin"}, "game: the record is of lin, not of rin"),
        (
            {"negotiation": Negotiation(option="komi", value=4, named_by=0, chosen_by=1)},
            "negotiation.option: rin has no option 'komi'",
        ),
        (
            {"negotiation": Negotiation(option="size", value=6, named_by=0, chosen_by=1)},
            "negotiation.value: size is 4 in this game",
        ),
        (
            {"negotiation": Negotiation(option="size", value=4, named_by=1, chosen_by=1)},
            "negotiation.chosen_by: one names, the other chooses",
        ),
        ({"match": Match(game=3, games=2, points=(0, 0))}, "match.game: the match has 2 games"),
        ({"match": Match(game=1, games=2, points=(0,))}, "match.points: there are 2 players"),
        ({"swapped_after": 2}, "swapped_after: the game has fewer turns"),
        (
            {**BLACK_RESIGNS, "resignations": (Resignation(player=5, after=1),)},
            "resignations[0].player: 5, but players are 0 to 1",
        ),
        (
            {**BLACK_RESIGNS, "resignations": (Resignation(player=0, after=2),)},
            "resignations[0].after: it should be 0 to 1",
        ),
        (
            {**BLACK_RESIGNS, "resignations": (Resignation(player=0, after=0),)},
            "resignations: the game was over after turn 0",
        ),
        ({**BLACK_RESIGNS, "result": None}, "result: missing, though the game was resigned"),
        (
            {**BLACK_RESIGNS, "result": Result(reason="resignation", winners=(0,))},
            "result.winners: the rules give White",
        ),
        (
            {**BLACK_RESIGNS, "result": Result(reason="time", winners=(1,))},
            "result.reason: 'time', but the game is resigned",
        ),
        (
            {"result": Result(reason="resignation", winners=(1,))},
            "result.reason: 'resignation', but the game isn't resigned",
        ),
        (
            {"result": Result(reason="rules", winners=(0,))},
            "result.reason: 'rules', but the game isn't over by the rules",
        ),
        ({"result": Result(reason="counted", winners=(1,))}, "result.winners: the rules give Black"),
        ({"result": Result(reason="agreement", winners=(1,))}, "result.winners: the rules give Black, White"),
        (
            {"result": Result(reason="time", winners=(0, 1))},
            "result.winners: somebody lost, and no loser wins",
        ),
        ({"result": Result(reason="time", winners=(2,))}, "result.winners: 2, but players are 0 to 1"),
        (
            {"result": Result(reason="time", winners=(1,), scores=(5, 0))},
            "result.scores: in the end they are 1, 0",
        ),
    ],
)
def test_what_was_agreed_and_the_result_agree_with_the_rules(fields: dict, message: str) -> None:
    record = Record(**{"game": "rin", "options": {"size": 4}, "turns": (FIRST,), **fields})
    assert refused(record) == message


def test_a_finished_game_has_the_result_that_the_rules_give() -> None:
    turns, by_rules = finished(RIN).turns, finished(RIN).result
    assert by_rules and by_rules.winners == (0, 1)
    assert refused(rin(*turns, result=Result(reason="rules", winners=(0,)))) == (
        "result.winners: the rules give Black, White"
    )
    assert refused(rin(*turns, result=Result(reason="time", winners=(0,)))) == (
        "result.reason: 'time', but the game is over by the rules"
    )


def test_the_scores_come_with_the_result() -> None:
    record = checked(rin(FIRST, **BLACK_RESIGNS), RIN)
    assert record.result and record.result.scores == (1, 0)
    assert record.result.returns(2) == [-1, 1]


THREE = kakomi.game("rings", size=2, players=3)


def of_three(*turns: Turn, **fields: object) -> Record:
    return Record(game="rings", options=dict(THREE.options), turns=turns, **fields)


def three_turns() -> list[Turn]:
    texts = THREE.action_texts
    return [turn(0, texts[0]), turn(1, texts[1]), turn(2, texts[2])]


def test_a_game_of_three_goes_on_after_a_resignation() -> None:
    """RULES G8: the turns of one who resigned are passes, and the last one left wins."""
    gone = Resignation(player=1, after=2)
    goes_on = [*three_turns(), turn(0, THREE.action_texts[3]), turn(1, "pass")]
    assert checked(of_three(*goes_on, resignations=(gone,)), THREE).resignations == (gone,)
    both = (gone, Resignation(player=0, after=5))
    ended = of_three(*goes_on, resignations=both, result=Result(reason="resignation", winners=(2,)))
    assert checked(ended, THREE).result.returns(3) == [-0.5, -0.5, 1]


def test_who_resigned_only_passes_and_cannot_win() -> None:
    gone = (Resignation(player=1, after=2),)
    plays_on = [*three_turns(), turn(0, THREE.action_texts[3]), turn(1, THREE.action_texts[4])]
    assert "a player who has resigned can't play" in refused(of_three(*plays_on, resignations=gone), THREE)
    wins = of_three(*three_turns(), resignations=gone, result=Result(reason="time", winners=(1,)))
    assert refused(wins, THREE) == "result.winners: somebody lost, and no loser wins"


# JSON


@by_game
@pytest.mark.parametrize("seed", range(8))
def test_json_holds_all_of_a_random_record(game: Game, seed: int) -> None:
    record = random_record(game, seed)
    assert read(write(record, game, "json"), kakomi.game) == record
    assert write_json(read_json(write_json(record))) == write_json(record)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_golden_files_are_read_and_written_as_ever(path: Path) -> None:
    record = load(path, kakomi.game)
    game = kakomi.game(record.game, **record.options)
    assert write(record, game, "json") == path.read_bytes()
    assert list(json.loads(path.read_bytes()))[:2] == ["kakomi_record", "game"]


GOOD = b"""\
{"kakomi_record": 1, "game": "rin", "options": {"size": 4}, "turns": [{"player": 0, "actions": ["0,0"]}]}"""


def read_error(data: bytes) -> str:
    with pytest.raises(RecordError) as error:
        read(data, kakomi.game)
    message = str(error.value)
    assert message.isprintable() and len(message) < 500
    return message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"0,0"', b"7", "turns[0].actions[0]: expected str, got int"),
        (b'"0,0"', b'"0 0"', "turns[0].actions[0]: expected a word, without spaces"),
        (b'["0,0"]', b"[]", "turns[0].actions: expected array of length >= 1"),
        (b'"player": 0', b'"player": -1', "turns[0].player: expected int >= 0"),
        (b'"player": 0', b'"player": true', "turns[0].player: expected int, got bool"),
        (b'"player": 0', b'"clock": 1e999', "turns[0].clock"),
        (b'"player": 0', b'"clock": NaN', "broken JSON: invalid character"),
        (
            b'"player": 0',
            b'"after": 5, "player": 0',
            "turns[0].after: 5 is not the number of an earlier turn",
        ),
        (b'"player": 0, ', b"", "turns[0]: object missing required field player"),
        (b'"player"', b'"plyer"', "turns[0]: object contains unknown field plyer"),
        (b'"turns"', b'"trns"', "not a game record: object contains unknown field trns"),
        (b'"game": "rin", ', b"", "not a game record: object missing required field game"),
        (b'"kakomi_record": 1, ', b"", "not a game record: object missing required field kakomi_record"),
        (
            b'"kakomi_record": 1',
            b'"kakomi_record": 2',
            "kakomi_record: version 2 of the format isn't known here",
        ),
        (b'"rin"', b'"go"', "there is no game 'go'"),
        (b'"rin"', b'"r\\u001b[2Jn"', "game: expected a word, without spaces"),
        (b'"size"', b'"siz"', "rin has no option 'siz'"),
        (b"4}", b"5}", "size 5 isn't possible in rin"),
        (b"4}", b"1" + b"0" * 6000 + b"}", "integer value out of range"),
        (b"]}]}", b"]}", "truncated"),
        (b"]}]}", b"]}]} x", "broken JSON: trailing characters"),
        (b"rin", b"r\xffn", "broken JSON: some of it isn't UTF-8"),
        (b"rin", b"r\\ud800n", "broken JSON"),
        (b'{"k', b"[", "not a game record"),
        (b'{"k', b"\x00\x01", "not a game record: JSON begins with { and SGF with ("),
        (GOOD, b"", "the file is empty"),
        (GOOD, b"null", "not a game record"),
    ],
)
def test_bad_json_is_refused_with_the_place(old: bytes, new: bytes, message: str) -> None:
    assert old in GOOD
    assert message in read_error(GOOD.replace(old, new))


def test_a_byte_order_mark_and_spaces_before_a_record_do_no_harm() -> None:
    assert read(b"\xef\xbb\xbf \n" + GOOD, kakomi.game) == read(GOOD, kakomi.game)


@pytest.mark.parametrize(
    "bomb",
    [
        b"[" * 1_000_000,
        b'{"a":' * 1_000_000,
        b'{"kakomi_record":1,"turns":' + b"[" * 1_000_000,
        b'{"kakomi_record":' + b"9" * 1_000_000 + b"}",
        b'{"kakomi_record":1,"game":"rin","result":{"reason":"' + b"x" * 1_000_000 + b'"}}',
        b'{"kakomi_record":1,"game":"rin","\\u001b' + b"x" * 1_000_000 + b'":1}',
        b'{"kakomi_record":1,"game":"rin","turns":[' + b"{}," * 1_000_000 + b"{}]}",
        b"\x00" * 1_000_000,
        b" " * (MOST_BYTES + 1),
    ],
    ids=["brackets", "objects", "turns", "digits", "reason", "field", "empty turns", "zeros", "long"],
)
def test_bombs_get_one_clear_line(bomb: bytes) -> None:
    read_error(bomb)


@pytest.mark.parametrize(("name", "options"), [("lin", {}), ("rin", {"size": 8})])
def test_a_record_of_another_game_than_was_asked_for_is_refused(name: str, options: dict) -> None:
    with pytest.raises(RecordError, match="the record "):
        read(GOOD, kakomi.game, name, **options)
    assert read(GOOD, kakomi.game, "rin", size="4") == read(GOOD, kakomi.game)


@pytest.mark.parametrize(
    "fields",
    [
        {"comment": "a\x1b[2J"},
        {"event": "two\nlines"},
        {"comment": "\ud800"},
        {"turns": (turn(0, "a", clock=float("nan")),)},
        {"turns": (turn(0, "a", clock=-1.0),)},
        {"turns": (turn(0, ""),)},
        {"turns": (Turn(player=0, actions=()),)},
        {"options": {"size": "4"}},
    ],
)
def test_what_could_not_be_read_again_is_not_written(fields: dict) -> None:
    with pytest.raises(RecordError):
        write_json(Record(**{"game": "rin", **fields}))


def test_the_example_in_the_docs_is_a_record() -> None:
    example = (DOCS / "records.md").read_text(encoding="utf-8").split("```json\n")[1].split("```")[0].encode()
    assert write_json(read(example, kakomi.game)) == example


def test_the_schema_in_the_docs_is_that_of_the_code() -> None:
    assert json.loads((DOCS / "record.schema.json").read_text(encoding="utf-8")) == json.loads(
        json.dumps(schema())
    )


@few_examples
@given(
    st.one_of(
        st.binary(max_size=200), st.binary(max_size=200).map(lambda b: b"{" + b), st.text().map(str.encode)
    )
)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    check_read_or_refused(data)


@few_examples
@given(damaged(write_json(random_record(RIN, 3))))
def test_a_damaged_json_record_is_read_or_refused(data: bytes) -> None:
    check_read_or_refused(data)


# Files


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
    with pytest.raises(RecordError, match="no game record is longer than 16 MiB"):
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
    with pytest.raises(RecordError, match="no SGF form"):
        write(recorded(game, ["0,0"], position=START), game, "sgf")


@pytest.mark.parametrize(
    ("reason", "winners", "words"),
    [
        ("rules", (1,), "White wins"),
        ("resignation", (0,), "Black wins by resignation"),
        ("time", (0, 2), "Black and Red share the win on time"),
        ("forfeit", (2,), "Red wins by forfeit"),
        ("agreement", (0, 1, 2), "A draw by agreement"),
        ("counted", (1,), "White wins by the score, as the game was cut off"),
    ],
)
def test_a_result_in_words(reason: Reason, winners: tuple[int, ...], words: str) -> None:
    assert Result(reason=reason, winners=winners).in_words(("Black", "White", "Red")) == words
