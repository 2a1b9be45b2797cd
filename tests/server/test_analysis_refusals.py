"""Refusals when a limit on studies is reached, and the page that each is shown on."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from kakomi import catalog, records
from kakomi.server.analysis import commands, links, selectors, services
from kakomi.server.analysis.models import Study
from kakomi.server.tables.services import Sitter, add, begin
from kakomi.session import MatchConfig, Refused
from server.table_client import PART, Person

pytestmark = pytest.mark.django_db
RIN = catalog.game("rin", size=4)


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Person:
    """A person with the maximum number of studies."""
    monkeypatch.setattr(services, "MOST_STUDIES", 1)
    ann = Person("Ann")
    services.create(ann.guest, records.recorded(RIN, ["0,0"]))
    return ann


def test_who_has_too_many_studies_is_told_wherever_one_is_made(full: Person) -> None:
    bo = Person("Bo")
    theirs = services.create(bo.guest, records.recorded(RIN, ["1,1"]))
    row = begin(MatchConfig(RIN), [Sitter(full.guest), Sitter(full.guest)])
    file = SimpleUploadedFile("game.json", records.write(records.recorded(RIN, ["2,2"]), RIN, "json"))
    post = full.client.post
    answers: list[Any] = [
        post("/analysis/new/rin", {"size": "4"}),
        post("/analysis/position/rin?size=4&actions=0,0"),
        post(f"/analysis/study/{theirs.code}/copy"),
        post("/analysis/upload", {"record": file}),
        full.client.get(f"/analysis/table/{row.code}"),
    ]
    for answer in answers:
        assert answer.status_code == 422
        assert "you already have 1 studies: delete some first" in answer.content.decode()
    assert full.guest.studies.count() == 1


def test_a_game_that_outgrows_its_study_is_shown_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = Person("Ann")
    row = begin(MatchConfig(RIN), [Sitter(ann.guest), Sitter(ann.guest)])
    add(row.code, [("play", "0,0")], seat=0, base=0, key="first-one")
    address = ann.client.get(f"/analysis/table/{row.code}")["Location"]
    add(row.code, [("play", "1,1")], seat=1, base=1, key="second-one")
    monkeypatch.setattr(services, "MOST_BYTES", 10)
    assert ann.client.get(f"/analysis/table/{row.code}")["Location"] == address
    assert len(selectors.record_of(Study.objects.get()).turns) == 1


def test_a_study_has_room_for_so_many_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    record = records.recorded(RIN, ["0,0", "1,1", "2,2"])
    monkeypatch.setattr(commands, "MOST_TURNS", 2)
    with pytest.raises(Refused, match="up to 2 moves: delete some variations first"):
        commands.Play("0,1").edit(record, RIN, 0)


def test_a_position_after_too_many_actions_has_no_link() -> None:
    game = catalog.game("rin", size=18)
    assert links.link_to(game, ["0,0"]).endswith("?size=18&actions=0,0")
    assert links.link_to(game, ["10,10"] * 1200) == ""
    assert links.link_to(game, ["0,0"], "b" * links.LONGEST) == ""


def test_a_turn_that_a_study_does_not_have_is_not_found() -> None:
    ann = Person("Ann")
    study = services.create(ann.guest, records.recorded(RIN, ["0,0"]))
    answer = ann.client.get(f"/analysis/study/{study.code}/engine?node=7")
    assert answer.status_code == 404 and "There is no move 7 in this study." in answer.content.decode()


def test_the_end_of_a_game_says_so_and_what_the_scores_are_made_of() -> None:
    rive = catalog.game("rive", size=2)
    position, actions = rive.start(), list[str]()
    while not position.is_over:
        actions.append(position.legal()[0])
        position = position.play(actions[-1])
    ann = Person("Ann")
    study = services.create(ann.guest, records.recorded(rive, actions))
    end = len(selectors.record_of(study).turns)
    page = ann.client.get(f"/analysis/study/{study.code}?node={end}", headers=PART).content.decode()
    assert "The game is over." in page and rive.description.explain.account(position) in page
    before = ann.client.get(f"/analysis/study/{study.code}?node={end - 1}", headers=PART).content.decode()
    assert "The game is over." not in before and "to move:" in before
