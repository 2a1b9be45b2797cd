"""Analysis boards as browsers use them: opened, edited, shared, hidden, deleted."""

import random
import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from kakomi import catalog, records
from kakomi.server.analysis import selectors, services
from kakomi.server.analysis.models import Study
from kakomi.server.tables.services import Sitter, add, begin
from kakomi.session import MatchConfig
from kakomi.web.pages import program_digest
from server.table_client import PART, Person

pytestmark = pytest.mark.django_db

START = ["0,0", "1,1", "2,2", "3,3"]


def studied(owner: Person, actions: list[str] | None = None, **fields: object) -> Study:
    game = catalog.game("rin", size=4)
    played = START if actions is None else actions
    return services.create(owner.guest, records.recorded(game, played, **fields))


def edited(person: Person, study: Study, kind: str, node: int = 0, value: str = "", version: int = 0) -> Any:
    """The response to an edit of the study's current version."""
    version = version or Study.objects.get(pk=study.pk).version
    form = {"kind": kind, "node": node, "value": value, "version": version}
    return person.client.post(f"/analysis/study/{study.code}/edit", form, headers=PART)


def turns(study: Study) -> list[str]:
    record = selectors.record_of(Study.objects.get(pk=study.pk))
    return [" ".join(turn.actions) for turn in record.turns]


def test_an_action_on_the_board_is_on_disk_before_it_is_shown() -> None:
    ann = Person("Ann")
    study = studied(ann)
    answer = edited(ann, study, "play", 1, "0,1")
    assert answer.status_code == 200 and 'data-node="4"' in answer.content.decode()
    assert turns(study) == ["0,0", "1,1 2,2", "3,3", "0,1"]


def test_a_page_shows_the_tree_and_the_node_of_its_address() -> None:
    ann = Person("Ann")
    study = studied(ann)
    edited(ann, study, "comment", 2, "<script>alert(1)</script> & so on")
    page = ann.client.get(f"/analysis/study/{study.code}?node=2").content.decode()
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page
    assert re.search(r'<section id="study"[^>]* data-node="2"', page)
    assert page.count('class="move by-') == 3
    assert not re.search(r"\sstyle=|\son\w+=|<style", page)
    part = ann.client.get(f"/analysis/study/{study.code}?node=1", headers=PART).content.decode()
    assert 'data-node="1"' in part and "<html" not in part
    assert re.search(
        r'<section id="study"[^>]* data-node="3"',
        ann.client.get(f"/analysis/study/{study.code}?node=99").content.decode(),
    )


def test_without_scripts_an_edit_leads_back_to_the_page() -> None:
    ann = Person("Ann")
    study = studied(ann)
    form = {"kind": "play", "node": 0, "value": "1,2", "version": 1}
    answer = ann.client.post(f"/analysis/study/{study.code}/edit", form)
    assert answer.status_code == 302 and answer["Location"].endswith("?node=4")


def test_of_two_tabs_neither_loses_anything() -> None:
    ann = Person("Ann")
    study = studied(ann)
    assert edited(ann, study, "play", 1, "0,1", version=1).status_code == 200
    late = edited(ann, study, "comment", 1, "typed for minutes", version=1)
    page = late.content.decode()
    assert late.status_code == 409 and "changed in another window" in page
    assert re.search(r"<textarea[^>]*data-unsaved[^>]*>\s*typed for minutes", page)
    assert turns(study)[-1] == "0,1" and selectors.record_of(Study.objects.get()).turns[0].comment == ""
    assert edited(ann, study, "comment", 1, "typed for minutes").status_code == 200
    assert selectors.record_of(Study.objects.get()).turns[0].comment == "typed for minutes"


@pytest.mark.parametrize("kind", ["promote", "remove"])
def test_promoting_and_deleting_can_be_undone(kind: str) -> None:
    ann = Person("Ann")
    study = studied(ann)
    edited(ann, study, "play", 0, "1,0")
    before = turns(study)
    assert edited(ann, study, kind, 4).status_code == 200
    assert turns(study) != before
    assert edited(ann, study, "undo").status_code == 200
    assert turns(study) == before
    edited(ann, study, "undo")
    assert turns(study) == ["0,0", "1,1 2,2", "3,3"]
    nothing = edited(ann, study, "undo")
    assert nothing.status_code == 422 and "nothing to undo" in nothing.content.decode()


def test_what_the_rules_forbid_is_refused_in_words_and_changes_nothing() -> None:
    ann = Person("Ann")
    study = studied(ann)
    answer = edited(ann, study, "play", 1, "0,0")
    assert 'href="/rules/rin#rule-R4"' in answer.content.decode()
    assert answer.status_code == 422 and "0,0" in answer.content.decode()
    for kind, value in (("dance", ""), ("play", "x" * 5000), ("shorten", "")):
        assert edited(ann, study, kind, 1, value).status_code == 422
    assert edited(ann, study, "play", 77, "1,0").status_code == 409
    for version in ("", "-1", "９", "1" * 30):
        form = {"kind": "play", "node": "1", "value": "0,1", "version": version}
        assert ann.client.post(f"/analysis/study/{study.code}/edit", form).status_code == 422
    assert turns(study) == ["0,0", "1,1 2,2", "3,3"]


def test_only_the_owner_edits_and_others_copy() -> None:
    ann, bo = Person("Ann"), Person("Bo")
    study = studied(ann)
    page = bo.client.get(f"/analysis/study/{study.code}").content.decode()
    assert "Copy to my studies" in page and "data-action" not in page and 'id="comment"' not in page
    for kind in ("play", "comment", "promote", "remove", "undo"):
        assert edited(bo, study, kind, 1, "0,1").status_code == 422
    for deed in ("rename", "delete"):
        assert bo.client.post(f"/analysis/study/{study.code}/{deed}", {"title": "Mine"}).status_code == 422
    assert not Study.objects.get().is_deleted and not Study.objects.get().title
    answer = bo.client.post(f"/analysis/study/{study.code}/copy", {"node": 2})
    own = Study.objects.get(owner=bo.guest)
    assert answer["Location"].endswith(f"{own.code}?node=2") and own.code != study.code
    assert edited(bo, own, "play", 1, "0,1").status_code == 200
    assert turns(study) == ["0,0", "1,1 2,2", "3,3"]


def test_edits_without_a_token_are_refused() -> None:
    ann = Person("Ann", Client(enforce_csrf_checks=True))
    study = studied(ann)
    for deed in ("edit", "copy", "delete", "restore", "rename", "view", "game-analysis"):
        assert ann.client.post(f"/analysis/study/{study.code}/{deed}", {}).status_code == 403
    assert ann.client.post("/analysis/upload", {}).status_code == 403


def test_a_deleted_study_is_gone_for_others_and_comes_back() -> None:
    ann, bo = Person("Ann"), Person("Bo")
    study = studied(ann)
    assert ann.client.post(f"/analysis/study/{study.code}/delete")["Location"] == "/analysis/"
    listed = ann.client.get("/analysis/").content.decode()
    assert "Deleted “" in listed and "No studies yet" in listed
    assert bo.client.get(f"/analysis/study/{study.code}").status_code == 404
    assert edited(ann, study, "play", 1, "0,1").status_code == 422
    ann.client.post(f"/analysis/study/{study.code}/restore")
    assert f"/analysis/study/{study.code}" in ann.client.get("/analysis/").content.decode()


def test_the_study_deleted_last_can_be_restored() -> None:
    ann = Person("Ann")
    older, newer = studied(ann), studied(ann)
    services.set_deleted(newer, ann.guest, is_deleted=True)
    services.set_deleted(older, ann.guest, is_deleted=True)
    assert selectors.studies_of(ann.guest).deleted == older


def test_an_empty_board_is_opened_with_options() -> None:
    ann = Person("Ann")
    assert "size" in ann.client.get("/analysis/new/rive").content.decode()
    wrong = ann.client.post("/analysis/new/rive", {"size": "77"})
    assert wrong.status_code == 422 and "size" in wrong.content.decode()
    ann.client.post("/analysis/new/rive", {"size": "3"})
    assert selectors.game_of_study(Study.objects.get()).options["size"] == 3
    assert ann.client.get("/analysis/new/chess").status_code == 404


@pytest.mark.parametrize("name", catalog.names())
def test_a_link_carries_the_whole_position(name: str) -> None:
    ann, bo = Person("Ann"), Person("Bo")
    game = catalog.game(name, **catalog.describe(name).quick)
    position, actions, chance = game.start(), [], random.Random(3)
    while len(actions) < 6 and not position.is_over:
        actions.append(chance.choice(position.legal()))
        position = position.play(actions[-1])
    study = services.create(ann.guest, records.recorded(game, actions))
    page = ann.client.get(f"/analysis/study/{study.code}").content.decode()
    link = unescape(re.search(r'id="position-link" readonly value="([^"]*)"', page)[1])
    address = link.removeprefix("http://testserver")
    assert bo.client.get(address).status_code == 200 and not bo.guest.studies.exists()
    bo.client.post(address)
    copied = selectors.record_of(bo.guest.studies.get())
    assert copied.turns == selectors.record_of(study).turns and copied.options == dict(game.options)


@pytest.mark.parametrize(
    "query",
    [
        "actions=16,9",
        "actions=0,0.0,0",
        "size=1",
        "actions=" + "0,0." * 2000,
        "actions=%00",
        "size=%F0%9F%98%80",
    ],
)
def test_links_that_make_no_sense_are_refused_in_words(query: str) -> None:
    answer = Client().get(f"/analysis/position/rin?{query}")
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
    assert not Study.objects.exists()


def between(*people: Person | None, actions: str = "") -> str:
    """The code of a table with these people, with a bot in place of None."""
    game = catalog.game("rin", size=4)
    sitters = [Sitter(person.guest) if person else Sitter(bot="1") for person in people]
    row = begin(MatchConfig(game), sitters)
    for number, text in enumerate(actions.split()):
        seat = 0 if number in (0, 3) else 1
        row, _ = add(row.code, [("play", text)], seat=seat, base=row.entries, key=f"key-{number}")
    return row.code


def test_a_game_between_people_is_hidden_from_its_players_while_it_runs() -> None:
    ann, bo, cy = Person("Ann"), Person("Bo"), Person("Cy")
    code = between(ann, bo, actions="0,0 1,1")
    assert "analyse" not in ann.client.get(f"/table/{code}").content.decode().lower()
    for player in (ann, bo):
        answer = player.client.get(f"/analysis/table/{code}")
        assert answer.status_code == 403 and "Not during the game" in answer.content.decode()
    watched = cy.client.get(f"/analysis/table/{code}")
    assert watched.status_code == 302
    study = Study.objects.get(owner=cy.guest)
    for path in ("", "?node=1", "/engine", "/game-analysis", "/download.json", "/download.gif"):
        assert ann.client.get(f"/analysis/study/{study.code}{path}").status_code == 403, path
    assert ann.client.post(f"/analysis/study/{study.code}/copy").status_code == 403
    copied = cy.client.post(f"/analysis/study/{study.code}/copy")["Location"]
    assert bo.client.get(copied).status_code == 403, "a copy hides as well"
    add(code, [("resign", None)], seat=0, base=2, key="resigning")
    assert ann.client.get(f"/analysis/study/{study.code}").status_code == 200
    assert ann.client.get(f"/analysis/table/{code}").status_code == 302
    record = selectors.record_of(Study.objects.get(owner=ann.guest))
    assert record.result.reason == "resignation"


def test_a_seat_that_waits_for_a_friend_hides_the_game_too() -> None:
    ann = Person("Ann")
    row = begin(MatchConfig(catalog.game("rin", size=4)), [Sitter(ann.guest), Sitter()])
    assert ann.client.get(f"/analysis/table/{row.code}").status_code == 403


def test_a_game_with_a_bot_or_oneself_opens_while_it_runs_and_is_kept_up_to_date() -> None:
    ann = Person("Ann")
    for code in (between(ann, None, actions="0,0"), between(ann, ann, actions="0,0")):
        assert f"/analysis/table/{code}" in ann.client.get(f"/table/{code}").content.decode()
        address = ann.client.get(f"/analysis/table/{code}")["Location"]
        study = Study.objects.get(code=address.rsplit("/", 1)[1])
        edited(ann, study, "play", 1, "3,3")
        add(code, [("play", "1,1")], seat=1, base=1, key="another")
        assert ann.client.get(f"/analysis/table/{code}")["Location"] == address
        assert turns(study) == ["0,0", "3,3", "1,1"]


def test_a_stranger_is_asked_before_anything_is_kept_of_them() -> None:
    code = between(Person("Ann"), None)
    stranger = Client()
    assert stranger.get(f"/analysis/table/{code}").status_code == 200 and not Study.objects.exists()
    assert stranger.post(f"/analysis/table/{code}").status_code == 302 and Study.objects.exists()


def test_how_boards_look_is_remembered_for_the_game() -> None:
    ann = Person("Ann")
    study = studied(ann)
    form = {"overlay": "alive", "numbered": "1", "turned": "1", "node": "2"}
    shown = ann.client.post(f"/analysis/study/{study.code}/view", form, headers=PART).content.decode()
    assert re.search(r'value="alive" checked', shown) and 'class="number' in shown
    again = ann.client.get(f"/analysis/study/{study.code}").content.decode()
    assert re.search(r'value="alive" checked', again)


def test_an_edit_costs_few_questions_to_the_database(django_assert_max_num_queries: Any) -> None:
    ann = Person("Ann")
    study = studied(ann)
    with django_assert_max_num_queries(20, connection=connection):
        edited(ann, study, "play", 1, "0,1", version=1)


START_TEXT = "4/1b2/4/4 w left_in_turn=2"


def test_a_board_is_opened_at_a_position() -> None:
    ann = Person("Ann")
    assert 'id="position"' in ann.client.get("/analysis/new/rin").content.decode()
    address = ann.client.post("/analysis/new/rin", {"size": "4", "position": f" {START_TEXT.upper()} "})[
        "Location"
    ]
    study = Study.objects.get()
    assert address.startswith(f"/analysis/study/{study.code}")
    assert selectors.record_of(study).position == START_TEXT
    assert edited(ann, study, "play", 0, "0,0").status_code == 200
    assert edited(ann, study, "play", 1, "1,1").status_code == 422, "a stone stands there"
    page = ann.client.get(f"/analysis/study/{study.code}?node=0").content.decode()
    assert "White to move" in page and "download.sgf" not in page and "download.json" in page
    link = unescape(re.search(r'id="position-link" readonly value="([^"]*)"', page)[1])
    bo = Person("Bo")
    bo.client.post(link.removeprefix("http://testserver"))
    assert selectors.record_of(bo.guest.studies.get()).position == START_TEXT


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4/4 b", "4 rows of points, not 2"),
        ("nonsense", "rows of points and the player to move"),
        ("4/1x2/4/4 b", "&#x27;x&#x27; isn&#x27;t a stone"),
        ("４/4/4/4 b", "ASCII"),
        ("<script>alert(1)</script>", "rows of points"),
    ],
)
def test_text_that_is_no_position_is_refused_at_its_field(text: str, said: str) -> None:
    ann = Person("Ann")
    answer = ann.client.post("/analysis/new/rin", {"size": "4", "position": text})
    page = answer.content.decode()
    wrong = re.search(r'<p class="wrong" id="position-wrong">(.*?)</p>', page)
    assert answer.status_code == 422 and wrong and said in wrong[1], page
    assert "<script>alert" not in page and not Study.objects.exists()
    ann.client.cookies["django_language"] = "de"
    german = ann.client.post("/analysis/new/rin", {"size": "4", "position": text}).content.decode()
    assert said not in re.search(r'id="position-wrong">(.*?)</p>', german)[1] or said == "ASCII"


def test_an_option_that_is_wrong_is_said_at_its_field() -> None:
    page = Client().post("/analysis/new/rive", {"size": "77", "position": "b1/3/2 w"}).content.decode()
    assert 'id="option-size-wrong"' in page and 'value="77"' in page and 'value="b1/3/2 w"' in page


def test_a_link_says_what_it_leads_to() -> None:
    ann = Person("Ann")
    study = studied(ann)
    page = ann.client.get(f"/analysis/study/{study.code}?node=2").content.decode()
    found = dict(re.findall(r'<meta property="og:(\S+)" content="([^"]*)">', page))
    assert found["url"] == f"http://testserver/analysis/study/{study.code}?node=2"
    assert found["image"] == f"http://testserver/analysis/study/{study.code}/picture.png?node=2"
    assert found["description"] == "Rin · 4 × 4"


def test_a_program_is_kept_by_browsers_under_its_digest() -> None:
    address = f"/analysis/engine/{program_digest('rin')}/rin"
    reply = Client().get(f"{address}?size=4")
    assert reply.status_code == 200 and "immutable" in reply["Cache-Control"]
    assert b'"game":"rin"' in reply.content
    for wrong in (f"{address}?size=x", f"{address}?size=1", "/analysis/engine/a/rin", "/analysis/engine/a/b"):
        assert Client().get(wrong).status_code == 404
