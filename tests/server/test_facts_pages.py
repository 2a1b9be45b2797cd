"""The page of facts about a game."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from kakomi import catalog
from kakomi.core.known_results import (
    Figure,
    LevelFigure,
    LevelOpenings,
    TurnFigure,
    read_blunders,
    read_openings,
    read_report,
)
from kakomi.server.accounts.models import Guest
from kakomi.server.explorer import jobs
from kakomi.server.explorer.known_results import LevelChart, first_moves
from kakomi.server.explorer.presenters import OpeningPresenter
from kakomi.server.tables import services
from kakomi.server.tables.models import Table
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig
from server.sql.test_game_search import played
from server.test_notices import act

pytestmark = pytest.mark.django_db


def text(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@pytest.mark.parametrize("game", catalog.names())
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_game_has_its_page(client: Client, game: str, language: str) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    title = {"en": "{} facts", "de": "{} in Zahlen"}[language].format(catalog.describe(game).title)
    assert title in text(client, f"/games/{game}")


def test_figures_are_told_with_their_intervals(client: Client) -> None:
    report = catalog.describe("rive").report
    assert report is not None
    one = report.figures["seats"]
    assert one.low is not None and one.high is not None
    shown = text(client, "/games/rive")
    assert f"{100 * one.value:.0f} % ({100 * one.low:.0f}–{100 * one.high:.0f})" in shown
    assert f"From {report.games} games of level {report.level} against itself" in shown
    assert report.command in shown


def test_exact_results_are_told_in_words(client: Client) -> None:
    shown = text(client, "/games/lin")
    for board in ("5 × 5 · a line of 3 keeps a domain alive Black wins by 1 point", "White wins by 5 points"):
        assert board in shown
    assert "a draw" in text(client, "/games/rin")
    assert "White, alone against all others: −7" in text(client, "/games/rings")


def test_the_fair_komi_is_told_of_every_board(client: Client) -> None:
    shown = text(client, "/games/lin")
    for one in catalog.describe("lin").fair_komis.curve:
        assert f"{one.fair:.1f} ({one.low:.1f}–{one.high:.1f})" in shown
    assert "Fair komi" not in text(client, "/games/rin")


def test_a_game_of_which_nothing_is_known_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    description = type(catalog.describe("ren"))
    for name in ("report", "blunders", "openings"):
        monkeypatch.setattr(description, name, property(lambda _: None))
    shown = text(client, "/games/ren")
    assert "No measurements of Ren yet. kakomi report ren" in shown
    assert "Blunders" not in shown and "advantage" not in shown


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", catalog.names())
def test_a_map_shows_where_levels_begin(client: Client, game: str, language: str) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    openings = catalog.describe(game).openings
    assert openings is not None
    shown = text(client, f"/games/{game}")
    page = client.get(f"/games/{game}").content.decode()
    for one in openings.levels:
        title, asked = {
            "en": (f"How level {one.level} opens", f"chose a first move {one.searches} times"),
            "de": (f"So eröffnet Stufe {one.level}", f"hat {one.searches}-mal"),
        }[language]
        assert title in shown and asked in shown and one.command in shown
        first = one.turns[0]
        assert first.low is not None and first.high is not None
        assert f"{first.turn} {100 * first.value:.0f} % ({100 * first.low:.0f}–" in shown
        board = re.search(rf'<svg[^>]*id="map-{one.level}".*?</svg>', page, re.DOTALL)
        assert board and 'role="img"' in board[0] and title in board[0]
        assert board[0].count('class="heat"') >= len(one.turns) - 1  # a pass isn't on the board
        assert "<style" not in board[0], "the page's own style knows light and dark"


def test_what_comes_more_often_is_named_and_chance_is_called_so(client: Client) -> None:
    game = catalog.game("lin", size=5)

    def openings(differs: int) -> OpeningPresenter:
        one = TurnFigure(value=1.0, low=0.9, high=1.0, games=40, turn="c3", differs=differs)
        return OpeningPresenter(
            game, LevelOpenings(level=3, searches=40, classes=6, command="", turns=(one,))
        )

    assert openings(1).finding == "Chosen more often than chance would explain: c3."
    assert openings(0).finding == "No move is chosen more often than chance would explain."
    assert "The strongest colour is 100.0 %." in openings(0).legend
    assert "<title>c3: first move 100.0 % of the time</title>" in openings(0).drawn


def test_first_moves_of_public_games_are_counted(client: Client) -> None:
    """Moves that a symmetry maps onto each other count as one; unlisted games don't count."""
    rows = [played(first, size=5) for first in ("a1", "e5", "c3", "b1")]
    Table.objects.filter(pk=rows[-1].pk).update(listed_at=None)
    jobs.index_games()
    game = catalog.game("lin", size=5)
    assert [(move.action, move.games, move.of) for move in first_moves(game)] == [("a1", 2, 3), ("c3", 1, 3)]
    assert first_moves(catalog.game("lin", size=7)) == []


def test_first_moves_are_told_with_what_the_first_player_got(client: Client) -> None:
    """The second seat resigns, so the first player wins unless the seats have swapped colours."""
    for first in ("a1", "e5", "c3"):
        played(first, size=5)
    jobs.index_games()
    corner, centre = first_moves(catalog.game("lin", size=5))
    assert corner.first_wins == Figure(value=1.0, low=corner.first_wins.low, high=1.0, games=2)
    assert 0.3 < corner.first_wins.low < 0.4
    assert centre.first_wins.games == 1 and centre.first_wins.low < corner.first_wins.low
    played("g7", size=13)
    jobs.index_games()
    assert "g7 · 1 game of 1 · Black wins 100 % (21–100)" in text(client, "/games/lin")


def test_who_plays_the_first_colour_in_the_end_counts_and_not_the_seat() -> None:
    sitters = [Sitter(Guest.objects.create(name=name), name=name) for name in ("Bob", "Eve")]
    row = services.begin(MatchConfig(catalog.game("rin", size=4), swap=True), sitters)
    act(row, "play", "0,0", seat=0)
    act(row, "swap", seat=1)
    act(row, "resign", seat=1)
    Table.objects.filter(pk=row.pk).update(listed_at=timezone.now())
    jobs.index_games()
    (move,) = first_moves(catalog.game("rin", size=4))
    assert move.first_wins is not None and move.first_wins.value == 0.0


def test_first_moves_lead_to_their_games(client: Client) -> None:
    assert "No public games of Lin yet." in text(client, "/games/lin")
    row = played("g7", size=13)
    jobs.index_games()
    assert "g7 · 1 game of 1" in text(client, "/games/lin")
    link = re.search(r'href="(/games/search[^"]*opening=g7)"', client.get("/games/lin").content.decode())
    assert link and row.code in client.get(link[1].replace("&amp;", "&")).content.decode()


def test_there_is_no_page_of_a_game_that_there_is_not(client: Client) -> None:
    assert client.get("/games/chess").status_code == 404


def figure(level: int, value: float, low: float | None, high: float | None) -> LevelFigure:
    return LevelFigure(value=value, low=low, high=high, games=10, level=level)


def test_a_chart_stands_where_its_figures_are() -> None:
    drawn = LevelChart("About it", [figure(0, 0.0, None, None), figure(3, 1.0, 0.5, 1.0)], even=0.5).draw(
        ["random", "3"]
    )
    bottom, top = LevelChart("", [figure(0, 0.0, 0.0, 1.0)]).draw([""]).split('y1="')[-1].split('" y2="')
    assert f'cy="{bottom}"' in drawn and f'cy="{top.partition(chr(34))[0]}"' in drawn
    assert 'aria-label="About it"' in drawn and drawn.count("<circle") == 2 and 'class="even"' in drawn


@pytest.mark.parametrize("game", catalog.names())
def test_shipped_figures_are_in_order(game: str) -> None:
    description = catalog.describe(game)
    report, blunders, openings = description.report, description.blunders, description.openings
    assert report is not None and blunders is not None and openings is not None
    catalog.game(game, **report.options)
    catalog.game(game, **blunders.options)
    board = catalog.game(game, **openings.options)
    assert openings.levels[0].level == 10
    for level in openings.levels:
        assert sum(turn.value for turn in level.turns) == pytest.approx(1)
        assert 0 < len(level.turns) <= level.classes
        assert all(turn.games == level.searches >= 40 for turn in level.turns)
        for turn in level.turns:
            board.start().play(turn.turn)
    assert report.games >= 60 and report.level > 0
    turns = [turn for level in openings.levels for turn in level.turns]
    shares = [
        *turns,
        *report.first_seat,
        *blunders.levels,
        report.figures["seats"],
        report.figures["uncertainty"],
    ]
    for one in [*shares, *report.figures.values()]:
        assert one.low is None or one.high is None or one.low <= one.value <= one.high
        assert one.games > 0
    assert all(0 <= one.value <= 1 for one in shares)
    assert [one.level for one in report.first_seat] == list(range(report.level + 1))


def test_a_game_without_files_has_no_figures() -> None:
    for read in (read_report, read_blunders, read_openings):
        assert read("kakomi.core") is None
