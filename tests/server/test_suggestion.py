"""The level that the site suggests goes up and down by games against bots."""

import pytest

from kakomi.server.tables import models, services
from kakomi.server.tables.services import Sitter
from kakomi.server.tables.suggestion import BotGame, Suggestion, bot_games, suggested
from kakomi.session import MatchConfig
from server.table_client import Person, now, opened

BOT = Sitter(bot="1", name="level 1")


def played(text: str) -> list[BotGame]:
    """Games such as `w1 l2 d3`: won, lost or drawn at a level."""
    return [BotGame(int(game[1:]), game[0] == "w", game[0] == "l") for game in text.split()]


@pytest.mark.parametrize(
    ("games", "level", "reason"),
    [
        ("", 1, "first"),
        ("w1", 2, "up"),  # until the first loss each win leads on
        ("w1 w2 w3", 4, "up"),
        ("l1", 1, "same"),
        ("l1 l1 l1", 1, "same"),  # there is none below
        ("l1 w1", 1, "same"),
        ("l1 w1 w1", 2, "up"),
        ("w1 w2 l3 l3", 2, "down"),
        ("w1 w2 l3 w3 l3 w3", 3, "up"),  # the last change, two levels ago
        ("w1 l2 d2 w2 w2", 3, "up"),
        ("w6", 7, "up"),  # chosen harder, and won
        ("l9 l9 l9", 1, "same"),  # harder and lost says nothing
        ("w1 w2 w1 w1 w1", 3, "up"),  # nor does easier and won
        ("w10", 10, "up"),
        ("w10 w10", 10, "up"),
        ("w12", 10, "up"),  # a level that there was
    ],
)
def test_the_level_follows_from_results(games: str, level: int, reason: str) -> None:
    found = suggested(played(games), 10)
    assert (found.level, found.reason) == (level, reason)
    assert str(level) in found.words


def test_the_highest_level_is_the_games() -> None:
    assert suggested(played("w10"), 12).level == 11
    assert suggested(played("w10 w11"), 12).level == suggested(played("w12"), 12).level == 12


def test_the_reason_names_the_level_of_before() -> None:
    assert Suggestion(3, "down", 4).words == "Level 3: you lost twice to level 4."


@pytest.mark.django_db
def test_games_against_bots_alone_count_with_who_won() -> None:
    ann = Person("Ann")
    for sitters in ((ann, BOT), (ann, Person("Bob")), (ann, ann)):
        row = opened(*sitters, game="ren", size=4)
        ann.do(row, "resign")
    assert bot_games(ann.guest) == {"ren": [BotGame(1, won=False, lost=True)]}
    shares = models.Seat.objects.filter(guest=ann.guest, table__seats__bot="1")
    assert [seat.share for seat in shares] == [0.0]
    assert bot_games(None) == {}


@pytest.mark.django_db
def test_a_game_from_a_position_says_nothing_of_the_level() -> None:
    ann = Person("Ann")
    game = now(opened(ann, BOT, game="ren", size=4)).match.config.game
    position = str(game.start().play("a1"))
    row = services.begin(MatchConfig(game, position=position), [Sitter(ann.guest), BOT])
    ann.do(row, "resign")
    assert bot_games(ann.guest) == {}


@pytest.mark.django_db
def test_who_draws_shares_the_win() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="ren", size=4)
    ann.do(row, "touch pass")
    bob.do(row, "touch pass")
    assert [seat.share for seat in row.seats.all()] == [0.5, 0.5]


@pytest.mark.django_db
def test_home_and_form_offer_the_level_and_say_why() -> None:
    ann = Person("Ann")
    home = ann.client.get("/").content.decode()
    assert home.count("level 1 bot") == 5
    first = home[home.index('action="/play/rive"') :]
    assert 'name="size" value="4"' in first[: first.index("</form>")]
    ann.do(opened(ann, BOT, game="rive", size=3), "resign")
    home = ann.client.get("/").content.decode()
    again = home[home.index('action="/play/rive"') :]
    again = again[: again.index("</form>")]
    assert "level 1 bot" in again and 'name="size" value="4"' in again
    form = ann.client.get("/play/rive").content.decode()
    assert '<option value="1" selected>' in form and "Level 1: you haven’t beaten it yet." in form
    models.Seat.objects.filter(guest=ann.guest).update(share=1.0)
    form = ann.client.get("/play/rive").content.decode()
    assert '<option value="2" selected>' in form and "you beat level 1" in form
