"""The progress page of a learning run."""

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

import kakomi
from kakomi.cli.learning_progress import LevelMatch, StrengthTester, next_level, progress_page
from kakomi.core.level_config import LEVELS, LevelConfig
from kakomi.core.line_file import rows_in
from kakomi.learn.plan import Plan
from kakomi.learn.round_log import Round, RoundLog

GAME = kakomi.game("rive", size=3)
PLAN = Plan("rive", ({"size": 3},), seed=7)
ROUNDS = [
    Round(f"{number:04}", 2_000 + 384 * number, 40_000, 2_500, {"policy": 3 - 0.1 * number}, 0.5 * number)
    for number in range(3)
]
WON = LevelMatch("0001", 2, 20, 1.0, 0.84, 1.0)


def page(rounds: list[Round], matches: list[LevelMatch]) -> tuple[str, ET.Element]:
    """The page as text, and parsed by a strict parser."""
    told = progress_page(PLAN, [GAME], rounds, matches)
    closed = told.replace('charset="utf-8">', 'charset="utf-8"/>').replace("<!DOCTYPE html>", "")
    closed = closed.replace(" data-chart>", ">")
    for name in ("viewport", "color-scheme", "generator"):
        begin, _, rest = closed.partition(f'<meta name="{name}"')
        content, _, rest = rest.partition(">")
        closed = f'{begin}<meta name="{name}"{content}/>{rest}'
    return told, ET.fromstring(closed)


def test_a_run_that_has_just_begun_says_so() -> None:
    told, root = page([], [])
    assert "No round has ended yet." in told and "Size 3".casefold() in told and "seed 7" in told
    assert not list(root.iter("svg")) and not list(root.iter("table"))


def test_rounds_and_matches_are_shown() -> None:
    _, root = page(ROUNDS, [WON])
    strength, losses = root.iter("svg")
    dots = [title.text for title in strength.iter("title")][1:]
    assert dots == [f"{WON}, after 0.5 hours"] and "Elo +∞ (+288 to +∞)" in str(WON)
    assert "inf" not in "".join(path.get("d", "") for path in strength.iter("path"))
    assert [text.text for text in strength.iter("text") if "level" in (text.text or "")] == [
        "level 2",
        "level 3",
    ]
    assert len(list(losses.iter("circle"))) == 3
    rows = [[cell.text or "" for cell in row.iter("td")] for row in root.iter("tr")][1:]
    assert [row[1:3] for row in rows] == [["0.00", "2,000"], ["0.50", "2,384"], ["1.00", "2,768"]]
    assert [row[-1] for row in rows] == ["", "level 2: 100 % (84–100) of 20", ""]


def test_who_begins_with_a_network_meets_the_strongest_level_first(tmp_path: Path) -> None:
    assert StrengthTester(tmp_path, GAME, PLAN).first_level == 1
    assert StrengthTester(tmp_path, GAME, replace(PLAN, origin="network.npz")).first_level == LEVELS


def test_losses_in_nats_and_in_points_have_a_chart_each() -> None:
    rounds = [replace(ended, losses={"policy": 2.5, "leads": 7.0, "value": 0.6}) for ended in ROUNDS]
    _, root = page(rounds, [])
    told = [[title.text for title in chart.iter("title")][1:] for chart in root.iter("svg")]
    assert [len(texts) for texts in told] == [6, 3]
    assert told[0][0] == "policy 2.500 nats after 2,000 games" and told[1][0].startswith("leads 7.000 points")
    texts = [[text.text for text in chart.iter("text")] for chart in root.iter("svg")]
    assert "nats" in texts[0] and "leads, in points" in texts[1]


def test_a_match_of_a_round_that_is_not_known_is_left_out() -> None:
    _, root = page(ROUNDS[:1], [WON])
    assert not list(root.iter("svg"))


def test_rounds_are_kept_and_hours_add_up(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    for ended in ROUNDS:
        log = RoundLog(path)
        assert log.hours() >= (log.rounds[-1].hours if log.rounds else 0.0)
        log.add(ended)
    with path.open("a") as file:
        file.write('{"checkpoint": "0003", "ga')  # cut off by a kill
    assert rows_in(path, Round) == ROUNDS
    RoundLog(path).add(ROUNDS[0])
    assert rows_in(path, Round) == [*ROUNDS, ROUNDS[0]]


def test_hours_of_a_round_that_was_stopped_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, now = tmp_path / "rounds.jsonl", [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    log = RoundLog(path)
    log.add(ROUNDS[1])
    now[0] = 3_600.0
    log.keep_hours()
    assert RoundLog(path).hours() == 1.0 > ROUNDS[1].hours
    (tmp_path / "hours.json").write_text("{cut o")
    assert RoundLog(path).hours() == ROUNDS[1].hours


def test_matches_are_found_again(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    path.write_text(json.dumps(WON.__dict__) + "\n" + '{"network": "00')
    assert StrengthTester(tmp_path, GAME, PLAN).matches == [WON]


def match(level: int, score: float) -> LevelMatch:
    return LevelMatch("0001", level, 20, score, max(0.0, score - 0.2), min(1.0, score + 0.2))


def test_the_next_opponent_is_about_as_strong() -> None:
    elos = (0, 100, 400, 600, 640, 1_000)
    levels = [LevelConfig(simulations, elo=elo) for simulations, elo in enumerate(elos, 1)]
    assert next_level(match(1, 1.0), levels) == 5, "40 to 0 halves would be 636 points"
    assert next_level(match(5, 0.5), levels) == 5
    assert next_level(match(5, 0.0), levels) == 1
    assert next_level(match(6, 1.0), levels) == 6
    unknown = [LevelConfig(simulations) for simulations in range(1, 7)]
    assert [next_level(match(3, score), unknown) for score in (0.3, 0.5, 0.7)] == [2, 3, 4]
    assert next_level(match(1, 0.0), unknown) == 1 and next_level(match(6, 1.0), unknown) == 6
