"""Games played by workers, even if players and workers fail."""

import multiprocessing
import sys
from pathlib import Path

import pytest

import kakomi
from kakomi.farm import WorkFailed, open_farm
from kakomi.study.matches import (
    GameLog,
    GameLogError,
    Played,
    play,
    play_games,
    record_of,
    save_record,
    schedule,
)
from study.matches.made import pairing, program

RIN = kakomi.game("rin", size=4)
QUICK = ["random", "simulations:20"]


def course(played: Played) -> object:
    """A game without its times."""
    return played.pairing, played.actions, played.winners, played.scores


def test_a_game_ends_by_the_rules_and_depends_on_its_fixture_alone() -> None:
    one, same, other = (play(pairing(number, *QUICK, opening=3)) for number in (5, 5, 6))
    assert course(one) == course(same)
    assert one.actions[: one.opening] == other.actions[: other.opening] and one.actions != other.actions
    end = RIN.start()
    for action in one.actions:
        end = end.play(action)
    assert end.is_over and list(one.scores) == end.scores() and one.reason == "rules"
    assert sum(effort.actions for effort in one.efforts) == one.plies - one.opening


def test_a_game_is_cut_off_and_counted_at_its_limit_of_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    """RULES N12."""
    of = pairing(1, "random", "random")
    monkeypatch.setattr("kakomi.study.matches.playing._most_plies", lambda position: 7)
    cut = play(of)
    assert cut.reason == "counted" and cut.plies == 7
    best = max(cut.scores)
    assert cut.winners == tuple(player for player in (0, 1) if cut.scores[player] == best)
    assert record_of(cut).result


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("exits", "exit code 3"),
        ("hangs", "did not answer genmove within 0.5 s"),
        ("garbage", "no line of the protocol"),
        ("plays 0,0", "illegal action: 0,0"),
        ("refuses", "not today"),
    ],
)
def test_a_program_that_fails_forfeits_with_a_reason(way: str, reason: str) -> None:
    of = pairing(1, program(way), "random")
    lost = play(of, patience=0.5)
    assert lost.reason == "forfeit" and lost.loser == 0 and lost.winners == (1,)
    assert reason in lost.failure
    assert reason in record_of(lost).comment


def test_among_three_the_best_of_the_others_wins_a_forfeit() -> None:
    lost = play(pairing(1, "random", program("exits"), "random", size=2, players=3), patience=5)
    others = {player: lost.scores[player] for player in (0, 2)}
    assert lost.winners == tuple(player for player in others if others[player] == max(others.values()))


def test_a_record_of_every_game_can_be_read_again(tmp_path: Path) -> None:
    game = play(pairing(3, "random", program("exits")), patience=5)
    path = save_record(game, tmp_path / "new" / "folder", "A match")
    record = kakomi.records.load(path, kakomi.game)
    assert path.name == "game-0003.json" and record.event == "A match"
    assert record.result and record.result.reason == "forfeit" and record.result.winners == (0,)
    assert [action for turn in record.turns for action in turn.actions] == list(game.actions)


def test_a_match_goes_on_where_it_stopped_and_plays_the_same_games(tmp_path: Path) -> None:
    pairings = schedule(RIN, QUICK, 6)
    with GameLog(tmp_path / "match.jsonl", {}) as log, open_farm(workers=1) as farm:
        games = play_games(pairings, farm, log=log)
        first = [next(games), next(games)]
        workers = multiprocessing.active_children()
        games.close()
    assert workers and not multiprocessing.active_children()
    with GameLog(tmp_path / "match.jsonl", {}) as log, open_farm(workers=2) as farm:
        later = list(play_games(pairings, farm, log=log))
        assert len(log.played) == 6
    assert later[:2] == first  # including their times: these were not replayed
    assert [course(game) for game in sorted(later, key=lambda game: game.pairing.number)] == [
        course(play(of)) for of in pairings
    ]


def test_another_schedules_games_are_refused(tmp_path: Path) -> None:
    with GameLog(tmp_path / "match.jsonl", {}) as log:
        log.add(play(pairing(1, *QUICK)))
        with pytest.raises(GameLogError, match="game 1 is not the one on the schedule"):
            next(play_games([pairing(1, *QUICK, opening=99)], log=log))


def killer(tmp_path: Path, times: int) -> str:
    """A program that kills its worker a number of times, and afterwards just ends."""
    script, deaths = tmp_path / "killer.py", tmp_path / "deaths"
    script.write_text(
        "import os, pathlib, signal\n"
        f"deaths = pathlib.Path({str(deaths)!r})\n"
        "count = len(deaths.read_text()) if deaths.exists() else 0\n"
        f"if count < {times}:\n"
        "    deaths.write_text('x' * (count + 1))\n"
        "    os.kill(os.getppid(), signal.SIGKILL)\n"
    )
    return f"cmd:{sys.executable} {script}"


def test_a_worker_that_dies_costs_no_game(tmp_path: Path) -> None:
    pairings = [pairing(1, killer(tmp_path, times=1), "random"), pairing(2, *QUICK)]
    with open_farm(workers=1) as farm:
        games = list(play_games(pairings, farm, patience=20))
    assert farm.deaths == 1
    assert [game.pairing.number for game in games] == [1, 2]
    assert games[0].reason == "forfeit"


def test_a_game_that_kills_every_worker_is_left_out_and_named(tmp_path: Path) -> None:
    with open_farm(workers=1) as farm:
        games = play_games([pairing(1, killer(tmp_path, times=9), "random"), pairing(2, *QUICK)], farm)
        assert next(games).pairing.number == 2
        with pytest.raises(WorkFailed, match=r"game 1 \(its worker process died, exit code -9, 3 times\)"):
            next(games)
    assert len((tmp_path / "deaths").read_text()) == 3
