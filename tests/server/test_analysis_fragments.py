"""An open page of a study gets the fragments that it lacks, and then matches a freshly loaded page."""

import random
import re

import pytest

from kakomi import catalog, records
from kakomi.server.analysis import selectors, services
from kakomi.server.analysis.models import Study
from server.fragment_page import FragmentPage
from server.table_client import Person

pytestmark = pytest.mark.django_db


def studied(owner: Person, game: str = "rin", plies: int = 6) -> Study:
    chosen = catalog.game(game, **catalog.describe(game).quick)
    chance, position, actions = random.Random(3), chosen.start(), []
    while len(actions) < plies and not position.is_over:
        actions.append(chance.choice(position.legal()))
        position = position.play(actions[-1])
    return services.create(owner.guest, records.recorded(chosen, actions))


class StudyPage(FragmentPage):
    """A study's page, whose script marks the current node in the list of moves."""

    def put(self, name: str, html: str, *, is_rest: bool) -> None:
        """Put a fragment in its place."""
        super().put(
            name, html.replace(' aria-current="step"', "") if name == "moves" else html, is_rest=is_rest
        )


def opened(person: Person, study: Study, node: int = 0) -> StudyPage:
    return StudyPage(person.client, f"/analysis/study/{study.code}?node={node}")


@pytest.mark.parametrize("game", catalog.names())
def test_a_page_that_is_kept_up_is_as_one_that_is_loaded(game: str) -> None:
    ann, bo, chance = Person("Ann"), Person("Bo"), random.Random(1)
    study = studied(ann, game)
    address = f"/analysis/study/{study.code}"
    own, other = opened(ann, study), opened(bo, study)
    overlays = selectors.game_of_study(study).start().overlays()
    for _ in range(20):
        study.refresh_from_db()
        node = chance.randrange(len(selectors.record_of(study).turns) + 1)
        own.look(f"{address}?node={node}")
        actions = [action for _, action in own.targets if action]
        kind, value = chance.choice([("play", chance.choice(actions or [""])), ("comment", f"at {node}")])
        form = {"kind": kind, "value": value, "node": node, "version": study.version}
        if chance.random() < 0.3:
            chosen = chance.choice([overlay.name for overlay in overlays])
            own.post(f"{address}/view", {"node": node, "overlay": chosen, "turned": chance.randrange(3)})
        elif actions or kind == "comment":
            assert own.post(f"{address}/edit", form).status_code == 200
        own.look(f"{address}?node={node}")
        other.look(f"{address}?node={node}")
        assert own.seen == StudyPage(ann.client, own.address).seen
        assert other.seen == StudyPage(bo.client, other.address).seen


def test_who_has_everything_is_sent_next_to_nothing() -> None:
    ann = Person("Ann")
    page = opened(ann, studied(ann))
    page.look()
    assert page.names == ["command", "board"] and len(page.sent) < 10_000


def test_a_step_sends_neither_the_list_of_moves_nor_the_board_anew() -> None:
    ann = Person("Ann")
    study = studied(ann)
    page = opened(ann, study)
    page.look(f"/analysis/study/{study.code}?node=2")
    assert "board" in page.names and "data-rest" in page.sent
    assert not {"moves", "head", "preferences", "undo"} & set(page.names)
    assert 'data-node="2"' in page.sent


def test_the_list_of_moves_shows_what_each_scores() -> None:
    ann = Person("Ann")
    ren = catalog.game("ren", size=8)
    moves = ["a1", "h8", "b1", "g8", "c1", "f8", "d1"]
    study = services.create(ann.guest, records.recorded(ren, moves))
    listed = str(StudyPage(ann.client, f"/analysis/study/{study.code}").seen["moves"])
    assert re.findall(r"(\w+) <b>(.*?)</b>", listed) == [("d1", "+1")]


def test_a_note_that_is_refused_comes_back_with_why() -> None:
    ann = Person("Ann")
    study = studied(ann)
    page = opened(ann, study)
    form = {"kind": "comment", "value": "typed for minutes", "node": 0, "version": 77}
    assert page.post(f"/analysis/study/{study.code}/edit", form).status_code == 409
    assert "changed in another window" in page.html["refusal"]
    assert "data-unsaved" in page.html["comment"] and "typed for minutes" in page.html["comment"]


def test_etags_of_an_owner_bring_nothing_to_light_for_others() -> None:
    ann, bo = Person("Ann"), Person("Bo")
    study = studied(ann)
    own, other = opened(ann, study), opened(bo, study)
    other.etags = dict(own.etags)
    other.look()
    assert "save-note" not in other.sent and 'name="version"' in other.sent
    assert "data-action" not in other.sent and not any(action for _, action in other.targets)


def test_the_panel_of_the_games_analysis_comes_by_itself() -> None:
    ann = Person("Ann")
    study = studied(ann)
    panel = FragmentPage(ann.client, f"/analysis/study/{study.code}/game-analysis")
    assert {"progress", "findings", "button"} == panel.html.keys()
    panel.post(panel.address, {"do": "start"})
    assert "data-running" in panel.sent and "Stop" in panel.html["button"]
    panel.look()
    assert panel.names == []
