"""The analysis of games, and its output."""

import json
import re
import threading
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from django.utils import translation

import kakomi
from analysis.given_away import BLUNDER, EFFORT, TURNS_ANALYSED
from kakomi.analysis import (
    Analysis,
    Grade,
    Move,
    PositionLimits,
    analyse,
    annotated,
    as_data,
    draw_chances,
    draw_plot,
    page_stylesheet,
    plies,
    summaries,
)
from kakomi.analysis.drawing import LEFT, RIGHT, spread
from kakomi.analysis.move import grade_of, turns_of
from kakomi.analysis.summary import accuracy, limits_in_words
from kakomi.core import Game
from kakomi.records import Record, Resignation, Result, Turn, checked, position_after, read, recorded, write
from kakomi.server.site.language import translate


def numbered(analysis: Analysis, number: str) -> Move:
    return next(move for move in analysis.moves if move.ply.number == number)


def found(analysis: Analysis) -> list[object]:
    """The findings without lines, since the length of a proven one depends on when the search noticed it."""
    return [(move.before.chances, move.after.chances, move.loss, move.grade) for move in analysis.moves]


def test_the_blunder_is_found_and_what_was_better(analysis: Analysis) -> None:
    blunder = numbered(analysis, BLUNDER)
    assert blunder.grade is Grade.BLUNDER and blunder.is_checked and blunder.is_turning_point
    assert blunder.promise - blunder.after.chances[blunder.ply.player] == blunder.loss > 0.2
    assert blunder.best[0] != blunder.ply.action
    instead = blunder.ply.before.play_action(blunder.best[0])
    assert instead.ply == blunder.ply.after.ply


def test_every_action_has_its_positions_chances(analysis: Analysis, record: Record, game: Game) -> None:
    assert len(analysis.moves) == sum(len(record.turns[turn - 1].actions) for turn in TURNS_ANALYSED)
    for earlier, later in zip(analysis.moves, analysis.moves[1:], strict=False):
        assert earlier.after is later.before
    for move in analysis.moves:
        assert sum(move.after.chances) == pytest.approx(1)
    assert analysis.moves[-1].ply.after == position_after(record, game, TURNS_ANALYSED[-1])
    moments = [moment for moment, _ in analysis.reports]
    assert moments == sorted(set(moments)) and (moments[0], moments[-1]) == (10, 15)


def test_the_seed_decides_whatever_the_threads(analysis: Analysis, record: Record, game: Game) -> None:
    again = analyse(record, game, EFFORT, turns=TURNS_ANALYSED, threads=1)
    assert found(again) == found(analysis)
    other = analyse(record, game, replace(EFFORT, seed=4), turns=TURNS_ANALYSED, threads=2)
    assert found(other) != found(analysis)


def test_noise_is_no_mistake(analysis: Analysis) -> None:
    blunder = numbered(analysis, BLUNDER)
    assert replace(blunder, error=blunder.loss / 1.9).grade is None
    assert replace(blunder, is_checked=False).grade is None
    assert all(move.loss > 2 * move.error for move in analysis.moves if move.grade)


def test_an_ended_game_is_exact(record: Record, game: Game) -> None:
    analysis = analyse(record, game, EFFORT, turns=range(record.length, record.length + 1))
    last = analysis.moves[-1]
    assert last.after.is_exact and last.after.chances == (0.0, 1.0) and last.after_error == 0


def test_an_analysis_can_be_stopped(record: Record, game: Game) -> None:
    stop = threading.Event()

    def tell(what: str, done: int, total: int) -> None:
        if done == 5:
            stop.set()

    analysis = analyse(record, game, EFFORT, threads=2, tell=tell, stop=stop)
    assert not analysis.is_complete and len(analysis.moves) < 40
    checked(annotated(record, analysis), game)


def test_resigned_players_and_forced_actions_are_not_judged() -> None:
    game = kakomi.game("rings", size=2, players=3)
    turns = recorded(game, ["pass", "pass", "pass"]).turns
    start = Record(game="rings", options=dict(game.options), turns=turns[:2])
    gone = Record(
        game="rings",
        options=dict(game.options),
        turns=turns[:2],
        resignations=(Resignation(player=0, after=0), Resignation(player=2, after=2)),
        result=Result(reason="resignation", winners=(1,)),
    )
    assert [ply.is_forced for ply in plies(start, game)] == [False, False]
    assert [ply.is_forced for ply in plies(checked(gone, game), game)] == [True, False]


def test_grades_and_accuracy() -> None:
    assert [grade_of(loss) for loss in (0.049, 0.05, 0.1, 0.199, 0.2, 1)] == [
        None,
        Grade.INACCURACY,
        Grade.MISTAKE,
        Grade.MISTAKE,
        Grade.BLUNDER,
        Grade.BLUNDER,
    ]
    assert accuracy(-0.1) == accuracy(0) == pytest.approx(100, abs=0.01)
    assert accuracy(0.1) > accuracy(0.2) > accuracy(0.9) == 0


def test_summaries_count_everybodys_actions(analysis: Analysis) -> None:
    everybody = summaries(analysis)
    assert [summary.player for summary in everybody] == [0, 1]
    free = [move for move in analysis.moves if not move.ply.is_forced]
    assert sum(summary.actions for summary in everybody) == len(free)
    assert sum(s.grades[Grade.BLUNDER] for s in everybody) == sum(m.grade is Grade.BLUNDER for m in free) >= 1


def test_an_effort_needs_a_limit() -> None:
    with pytest.raises(ValueError, match="simulations or seconds"):
        PositionLimits()


def test_lines_make_turns(game: Game) -> None:
    position = game.start().play("d3")
    turns = turns_of(position, [game.action("b3"), game.action("c5")])
    assert [(turn.player, turn.actions) for turn in turns] == [(1, ("b3",)), (0, ("c5",))]


# Output


def test_the_annotated_record_tells_and_is_legal(analysis: Analysis, record: Record, game: Game) -> None:
    told = annotated(record, analysis)
    assert read(write(told, game, "json"), kakomi.game) == checked(told, game)
    assert told.turns[9].comment == "" and "Black " in told.turns[10].comment
    assert "Blunder: b3 loses" in told.turns[12].comment
    better = [told.turns[number - 1] for number in told.tree.followers[12][1:]]
    assert any(turn.actions[:2] == record.turns[12].actions[:2] for turn in better)
    assert [turn.actions for turn in told.turns[: told.length]] == [turn.actions for turn in record.turns]


def test_annotating_again_changes_nothing(analysis: Analysis, record: Record) -> None:
    said = record.with_comment("Mine.", 13)
    once = annotated(said, analysis)
    assert once.turns[12].comment.startswith("Mine.\n")
    assert annotated(once, analysis) == once


def test_sgf_holds_an_annotated_record() -> None:
    game = kakomi.game("rin", size=4)
    record = recorded(game, ["0,0", "1,1", "2,2"])
    told = annotated(record, analyse(record, game, PositionLimits(simulations=20)))
    assert read(write(told, game, "sgf"), kakomi.game) == checked(told, game)


def test_variations_stay_and_are_not_analysed(record: Record, game: Game) -> None:
    varied = record.with_turn(Turn(player=0, actions=("a1",)), after=0)
    analysis = analyse(varied, game, EFFORT, turns=range(1, 2))
    assert len(analysis.moves) == 1
    assert ("a1",) in [turn.actions for turn in annotated(varied, analysis).turns[record.length :]]


def test_data_is_what_json_holds(analysis: Analysis) -> None:
    data = as_data(analysis)
    assert json.loads(json.dumps(data)) == data
    blunder = next(entry for entry in data if entry["turning_point"] and entry["turn"] == 13)
    assert (blunder["player"], blunder["action"], blunder["place"]) == (0, "b3", 3)
    assert blunder["grade"] == "blunder" and blunder["best_chance"] > blunder["after"][0]


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_the_picture_is_readable_xml_that_tells_itself(analysis: Analysis, theme: str) -> None:
    root = ET.fromstring(draw_chances(analysis, "Rive & <more>", ("Ann", "Bo"), theme))
    names = {"svg": "http://www.w3.org/2000/svg"}
    assert "Rive & <more>" in (root.findtext("svg:title", namespaces=names) or "")
    assert "Turning point: move 13.3 Black b3??" in (root.findtext("svg:desc", namespaces=names) or "")
    written = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Ann", "Bo", "turn", "100 %", "13.3", "Black’s win chance"} <= set(written)


def test_the_plot_for_pages_has_no_style_of_its_own_and_leads_to_turns(analysis: Analysis) -> None:
    first, *others = sorted({move.ply.turn for move in analysis.moves})
    drawn = draw_plot(analysis, "chances", lambda turn: f"?node={turn}" if turn > first else "")
    root = ET.fromstring(drawn)
    assert "style" not in drawn and root.get("id") == "chances"
    assert all(name.startswith("chances") for element in root.iter() if (name := element.get("id")))
    doors = [element.get("href") for element in root.iter("{http://www.w3.org/2000/svg}a")]
    assert doors == [f"?node={turn}" for turn in others]
    classes = {name for element in root.iter() for name in (element.get("class") or "").split()}
    styled = {name.strip(".{") for name in re.findall(r"\.[\w-]+{", page_stylesheet())}
    assert {name for name in classes if name.startswith(("words-", "from-"))} <= styled
    assert {"area", "boundary", "ring", "door"} <= classes & styled


def test_a_plot_is_written_in_the_viewers_language(analysis: Analysis) -> None:
    with translation.override("de"):
        root = ET.fromstring(draw_plot(analysis, "chances", lambda turn: "", translate=translate))
    written = " ".join([root.get("aria-label") or "", *(element.text or "" for element in root.iter())])
    assert "Gewinnchance von Schwarz" in written and "Wendepunkt: Zug 13.3 Schwarz b3??" in written
    assert not re.search(r"turn|better|chance of|Black|White", written, re.IGNORECASE)


@pytest.mark.parametrize("wanted", [[70.0] * 5, [836.0] * 5, [100, 101, 300, 835, 836], [400.0, 410.0], []])
def test_labels_of_turning_points_never_overlap(wanted: list[float]) -> None:
    widths = [50.0 + 10 * label for label in range(len(wanted))]
    places = spread(wanted, widths)
    edges = [
        edge for at, width in zip(places, widths, strict=True) for edge in (at - width / 2, at + width / 2)
    ]
    assert edges == sorted(edges) and all(LEFT <= edge <= RIGHT for edge in edges)


def test_at_most_five_turning_points_are_highlighted(analysis: Analysis) -> None:
    shown, graded = analysis.highlights, sorted(move.loss for move in analysis.moves if move.grade)
    assert 0 < len(shown) <= 5 and list(shown) == sorted(shown, key=lambda move: move.ply.moment)
    assert sorted(move.loss for move in shown) == graded[-len(shown) :], "the costliest ones"


def test_pictures_carry_their_style_once(analysis: Analysis) -> None:
    root = ET.fromstring(draw_chances(analysis, "Rive"))
    [style] = [element for element in root.iter() if element.tag.endswith("style")]
    assert "<" not in (style.text or "") and ".boundary{" in (style.text or "")


def test_pictures_of_nothing_and_in_no_theme_are_refused(analysis: Analysis) -> None:
    with pytest.raises(ValueError, match="no actions"):
        draw_chances(replace(analysis, moves=()), "Rive")
    with pytest.raises(ValueError, match="no theme"):
        draw_chances(analysis, "Rive", theme="pink")


def test_without_actions_there_is_nothing_to_draw(analysis: Analysis) -> None:
    with pytest.raises(ValueError, match="nothing to draw: the analysis has no actions"):
        draw_plot(replace(analysis, moves=()), "chances", lambda turn: "")


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (PositionLimits(simulations=5000), "5,000 simulations"),
        (PositionLimits(simulations=None, seconds=2.5), "2.5 s"),
        (PositionLimits(simulations=5000, seconds=2.5), "5,000 simulations or 2.5 s"),
    ],
)
def test_limits_are_told_in_words(limits: PositionLimits, said: str) -> None:
    assert limits_in_words(limits) == said
