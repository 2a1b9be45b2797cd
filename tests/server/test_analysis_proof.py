"""The solver's proofs, shown beside the engine's lines."""

from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest
from django.utils import translation

from kakomi import catalog, records
from kakomi.search import Report
from kakomi.server.analysis import async_views, services
from kakomi.server.analysis.live_analysis import AnalysisUpdate, PositionQuery
from kakomi.server.analysis.position_presenters import (
    MOST_POSITIONS,
    QUICK_POSITIONS,
    ProofView,
    proof_positions,
)
from kakomi.solve import Proof
from server.table_client import Person
from server.test_analysis_live_analysis import streamed

RIVE = catalog.game("rive", size=2)
REPORT = Report(0, 1, 0.0, (0.0, 0.0), ())


START = Proof(0, {**dict.fromkeys(range(7), -1), 3: 1}, 7, 1, 1, (3, 0, 1, 2, 4, 5, 6), positions=95)
"""The proof for Rive with 7 points, as the solver finds it (`tests/processes/server/test_proofs.py`)."""
AFTER_B2 = Proof(1, dict.fromkeys((0, 1, 2, 4, 5, 6), -1), 6, -1, -1, (0, 1, 2, 4, 5, 6), positions=36)


@pytest.mark.django_db
def test_all_that_is_known_of_a_small_board() -> None:
    found = ProofView(RIVE.start(), START)
    assert found.verdict == "Black wins by 1 point with best play."
    assert not found.is_from_solved_board and not found.may_go_further and not found.left
    wins, loses = found.groups
    assert (wins.words, wins.actions, loses.words) == ("wins", ("b2",), "loses")
    html = found.html(can_play=True)
    assert 'data-play="b2"' in html and "disabled" not in html and "Best play: " in html
    assert "disabled" in found.html(can_play=False)


def test_who_is_to_act_may_lose() -> None:
    position = RIVE.start().play("b2")
    found = ProofView(position, AFTER_B2)
    assert found.verdict == "Black wins by 1 point with best play."
    assert [group.words for group in found.groups] == ["loses"]


def test_a_draw_is_one() -> None:
    draw = Proof(0, dict.fromkeys(range(16), 0), 16, 0, 0, tuple(range(16)))
    found = ProofView(catalog.game("rin", size=4).start(), draw)
    assert found.verdict == "A draw with best play."


def test_of_a_win_the_margin_may_be_unknown() -> None:
    proof = Proof(1, {3: 1}, 7, 1, positions=1000)
    found = ProofView(RIVE.start().play("b2"), proof)
    assert found.verdict == "White wins with best play." and found.may_go_further
    assert found.left == "6 more moves aren’t proven." and found.effort == "1,000 positions analysed"


@pytest.mark.django_db
def test_where_nothing_is_proved_a_solved_board_is_told() -> None:
    large = catalog.game("rive", size=3)
    found = ProofView(large.start(), Proof(0, {}, 19))
    assert found.verdict == "Black wins by 13 points with best play." and found.is_from_solved_board
    assert "This board is solved." in found.html(True)
    later = ProofView(large.start().play("c3"), Proof(1, {}, 12))
    assert not later.verdict and "The winner isn’t proven yet." in later.html(True)
    assert later.may_go_further and later.left == "No move is proven."


def test_it_speaks_german() -> None:
    with translation.override("de"):
        assert ProofView(RIVE.start(), START).verdict == "Schwarz gewinnt bei bestem Spiel mit 1 Punkt."


def test_only_games_of_two_are_proved() -> None:
    assert proof_positions(RIVE) == QUICK_POSITIONS and proof_positions(RIVE, is_far=True) == MOST_POSITIONS
    assert not proof_positions(catalog.game("rings", size=2, players=3))


@pytest.mark.django_db
def test_the_page_asks_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[PositionQuery] = []

    async def watch(client: object, query: PositionQuery) -> AsyncIterator[AnalysisUpdate]:
        asked.append(query)
        yield AnalysisUpdate(proof=START)
        yield AnalysisUpdate(REPORT, "done", proof=Proof(0, {}, 7))

    monkeypatch.setattr(async_views, "shared_live_analysis", lambda: SimpleNamespace(watch=watch))
    ann = Person("Ann")
    study = services.create(ann.guest, records.recorded(RIVE, ["b2"]))
    address = f"/analysis/study/{study.code}/engine?node=0"
    (first, told), (last, ended) = streamed(ann, address)
    assert (first, last) == ("found", "end") and "lines" not in told
    assert "Black wins by 1 point" in told["proof"] and "may_prove_further" not in told, "it is at work"
    assert ended["may_prove_further"]
    assert "The winner isn’t proven yet." not in ended["proof"], "the board is solved"
    streamed(ann, f"{address}&proof=far")
    assert [query.proof_positions for query in asked] == [QUICK_POSITIONS, MOST_POSITIONS]
