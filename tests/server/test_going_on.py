"""After the end, and from the middle: the next game, where it turned, and on from an earlier position."""

import re
from html import unescape

import pytest

from kakomi import catalog
from kakomi.server.analysis.models import GameAnalysis, Study
from kakomi.server.tables import models, services
from kakomi.server.tables.services import Sitter
from server.table_client import Person, now, opened

pytestmark = pytest.mark.django_db
BOT = Sitter(bot="1", name="level 1")


def hidden(page: str) -> dict[str, str]:
    """The fields of the form that leads to another page."""
    return dict(re.findall(r'<input type="hidden" form="leaving" name="([\w-]+)" value="(\w*)">', page))


def test_who_has_played_a_bot_is_offered_the_next_game_at_the_level_that_suits() -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, game="rive", size=3)
    assert "next-game" not in ann.look(row)
    page = ann.do(row, "resign")
    assert "Level 1: you haven’t beaten it yet." in page and 'formaction="/play/rive"' in page
    assert ann.client.post("/play/rive", hidden(page)).status_code == 302
    table = models.Table.objects.latest("pk")
    assert now(table).match.config.game == catalog.game("rive", size=3)
    assert {seat.bot for seat in table.seats.all()} == {"", "1"}


def test_the_next_game_of_several_bots_has_as_many_players() -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, BOT, game="rings", size=2, players=3)
    page = ann.do(row, "resign")
    while not now(row).is_over:
        row.refresh_from_db()
        services.add(
            row.code, [("resign", None)], seat=now(row).to_act, base=row.entries, key=f"r{row.entries}"
        )
    page = ann.look(row)
    assert ann.client.post("/play/rings", hidden(page)).status_code == 302
    assert models.Table.objects.latest("pk").seats.count() == 3


def test_people_who_have_played_each_other_are_offered_no_bot() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    page = ann.do(opened(ann, bob, game="rive", size=3), "resign")
    assert "next-game" not in page and 'id="rematch"' in page and 'id="turning-points"' in page


def test_where_it_turned_is_a_study_whose_analysis_is_begun_once() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="rive", size=3)
    ann.do(row, "touch c3")
    address, start = f"/analysis/table/{row.code}", {"do": "start"}
    assert ann.client.post(address, start).status_code == 403 and not Study.objects.exists()
    bob.do(row, "resign")
    for _ in range(2):
        answer = ann.client.post(address, start)
        study = Study.objects.get()
        assert answer.status_code == 302 and answer["Location"].endswith(study.code)
    assert GameAnalysis.objects.get(study=study).state == GameAnalysis.State.RUNNING


def test_play_goes_on_from_an_earlier_position_with_its_turns_in_the_list() -> None:
    ann = Person("Ann")
    row = opened(ann, ann, game="rive", size=3)
    ann.do(row, "touch c3")
    earlier = now(row).match.position
    ann.do(row, "touch a1")
    (link,) = re.findall(r'id="way-on" class="button small" href="([^"]+)"', ann.look(row, ply=1))
    form = ann.client.get(unescape(link)).content.decode()
    assert f'name="position" value="{earlier}"' in unescape(form)
    assert 'class="stone player-0" data-point="c3"' in form
    sent = {"size": "3", "position": str(earlier), "opponent": "1", "side": "1"}
    code = ann.client.post("/play/rive", sent)["Location"].rsplit("/", 1)[1]
    begun = models.Table.objects.get(code=code)
    assert now(begun).match.position == earlier and now(begun).to_act == 1
    action = now(begun).match.position.legal()[0]
    page = ann.do(begun, f"touch {action}")
    assert f'ply=1" data-part>{action}</a>' in page
    assert 'class="stone player-0" data-point="c3"' in ann.look(begun, ply=0)


def test_nobody_is_led_to_a_bot_from_a_running_game_against_people() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="rive", size=3)
    ann.do(row, "touch c3")
    assert "way-on" not in ann.look(row, ply=0)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"position": "nonsense"}, "position-wrong"),
        ({"position": "OVER"}, "The game is already over in this position"),
        (
            {"position": "START", "swap": "1"},
            "Games from a custom position can’t have komi negotiation or a swap: turn them off",
        ),
    ],
)
def test_positions_that_no_game_can_begin_at_are_refused_in_words(fields: dict[str, str], said: str) -> None:
    game = catalog.game("ren", size=4)
    texts = {"OVER": str(game.start().play("pass").play("pass")), "START": str(game.start().play("a1"))}
    fields = {**fields, "position": texts.get(fields["position"], fields["position"])}
    answer = Person().client.post("/play/ren", {"size": "4", "opponent": "1", **fields})
    assert answer.status_code == 422 and said in unescape(answer.content.decode())


def test_programs_can_begin_at_a_position_too() -> None:
    ann = Person("Ann")
    position = str(catalog.game("ren", size=4).start().play("a1"))
    table = {"game": "ren", "options": {"size": 4}, "seats": ["me", "beside"], "position": position}
    answer = ann.client.post("/api/v1/tables", table, content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert str(now(models.Table.objects.get()).match.position) == position
