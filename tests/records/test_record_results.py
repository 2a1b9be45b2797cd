"""Negotiations and results in records."""

import pytest

import kakomi
from kakomi.records import (
    Match,
    Negotiation,
    Record,
    Resignation,
    Result,
    Seat,
    Turn,
    checked,
)
from records.small_records import FIRST, RIN, finished, refused, rin, turn

BLACK_RESIGNS = {
    "resignations": (Resignation(player=0, after=1),),
    "result": Result(reason="resignation", winners=(1,)),
}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"seats": (Seat(),)}, "seats: 1, but there are 2 players"),
        ({"options": {"size": 8}}, "options.size: kakomi.game('rin', size=4) doesn't have 8"),
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
            "negotiation.chosen_by: one player names, the other chooses",
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
            "result.winners: a player who lost can't win",
        ),
        ({"result": Result(reason="time", winners=(2,))}, "result.winners: 2, but players are 0 to 1"),
        (
            {"result": Result(reason="time", winners=(1,), scores=(5, 0))},
            "result.scores: at the end they are 1, 0",
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
    """RULES G8: the turns of a resigned player are passes, and the last remaining player wins."""
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
    assert refused(wins, THREE) == "result.winners: a player who lost can't win"
