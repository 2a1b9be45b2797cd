"""Records come as files and go as files, pictures and films among them; hostile files do no harm."""

import io
import json
import sys
import xml.etree.ElementTree as ET

import pytest
from asgiref.sync import async_to_sync
from benchmarks.load.uploads import CORPUS, game_in
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import AsyncClient

from kakomi import catalog, records
from kakomi.core import Game
from kakomi.draw.pixels import MOST_FRAMES, frames_of
from kakomi.server.analysis import selectors, services
from kakomi.server.analysis.models import Study
from kakomi.server.site import exceptions, rendering
from kakomi.server.site.rendering import RenderJob
from server.table_client import Person

pytestmark = pytest.mark.django_db


def uploaded(person: Person, data: bytes, name: str = "game.json", game: str = "") -> HttpResponse:
    return person.client.post("/analysis/upload", {"record": SimpleUploadedFile(name, data), "game": game})


def downloaded(person: Person, study: Study, form: str, node: int = 0) -> HttpResponse:
    async def scenario() -> HttpResponse:
        client = AsyncClient()
        client.cookies = person.client.cookies
        return await client.get(f"/analysis/study/{study.code}/download.{form}?node={node}")

    return async_to_sync(scenario)()


@pytest.fixture
def rin() -> Game:
    return catalog.game("rin", size=4)


@pytest.fixture
def record(rin: Game) -> records.Record:
    played = records.recorded(rin, ["0,0", "1,1", "2,2", "3,3"], event="Final", comment="Before it")
    varied = played.with_turn(records.Turn(player=1, actions=("0,1", "0,2"), comment="or so"), after=1)
    return varied.with_comment("The start", 1)


@pytest.mark.parametrize("form", ["json", "sgf"])
def test_what_is_downloaded_reads_back_equal(form: str, rin: Game, record: records.Record) -> None:
    ann = Person("Ann")
    answer = uploaded(ann, records.write(record, rin, form), f"game.{form}")
    study = Study.objects.get()
    assert answer["Location"] == f"/analysis/study/{study.code}" and study.title == "Final"
    assert selectors.record_of(study) == record
    file = downloaded(ann, study, form)
    assert file["Content-Disposition"] == f'attachment; filename="final.{form}"'
    assert records.read(file.content, catalog.game) == record


def test_a_board_that_sgf_can_not_hold_is_refused_in_words() -> None:
    ann = Person("Ann")
    study = services.create(ann.guest, records.Record(game="rive", options={"size": 3}))
    answer = downloaded(ann, study, "sgf")
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
    assert "download.sgf" not in ann.client.get(f"/analysis/study/{study.code}").content.decode()
    assert ann.client.get(f"/analysis/study/{study.code}/download.exe").status_code == 404


def test_a_drawing_shows_the_node(rin: Game, record: records.Record) -> None:
    ann = Person("Ann")
    study = services.create(ann.guest, record)
    drawn = downloaded(ann, study, "svg", node=1).content.decode()
    ET.fromstring(drawn)
    assert "Black has 1 stone: 0,0" in drawn


def test_pictures_and_films_are_made_in_another_process(record: records.Record) -> None:
    image = pytest.importorskip("PIL.Image")
    ann = Person("Ann")
    study = services.create(ann.guest, record)
    picture = image.open(io.BytesIO(downloaded(ann, study, "png", node=1).content))
    assert picture.format == "PNG" and picture.width == 1000
    film = image.open(io.BytesIO(downloaded(ann, study, "gif", node=1).content))
    assert film.format == "GIF" and film.n_frames == 4, "the start and three turns"


def test_a_picture_begins_where_the_study_does(rin: Game) -> None:
    job = RenderJob("png", "rin", {"size": 4}, [["0,0", "0,1"]], position="4/1b2/4/4 w left_in_turn=2")
    *_, last = rendering._positions(rin, job)
    assert last.stones() == {"1,1": 0, "0,0": 1, "0,1": 1}


def test_films_are_bounded_and_end_with_the_end() -> None:
    positions = list(range(1001))
    frames = frames_of(positions)
    assert len(frames) <= MOST_FRAMES and frames[-1] == 1000
    assert frames_of([1, 2, 3]) == [1, 2, 3]


def test_films_draw_so_many_points_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(rendering, "gif", drawn.extend)
    for size, most in ((4, MOST_FRAMES), (16, 78)):
        game, turns = catalog.game("rin", size=size), []
        position = game.start()
        while not position.is_over:
            position = position.play(position.legal()[0])
            if not position.turn:
                turns.append([game.action_texts[action] for action in position.previous_turn])
        drawn.clear()
        rendering.rendered(RenderJob("gif", "rin", {"size": size}, turns))
        assert min(len(turns) + 1, most) // 2 <= len(drawn) <= most
        assert len(drawn) * len(game.geometry.names) <= rendering.MOST_DRAWN


def test_what_was_drawn_is_kept() -> None:
    async def scenario() -> None:
        queue = rendering.RenderQueue((sys.executable, "-c", "import os; print(os.getpid())"))
        jobs = [RenderJob("gif", "rin", {}, turns) for turns in ([], [], [["0,0"]])]
        first, again, other = [await queue.render(job) for job in jobs]
        assert first == again != other

    async_to_sync(scenario)()


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import no_such_renderer", "resvg-py"),
        ("sys.exit(3)", "see the site’s log"),
        ("import time; time.sleep(600)", "took too long"),
    ],
)
def test_a_picture_that_can_not_be_made_is_said(
    program: str, said: str, monkeypatch: pytest.MonkeyPatch, record: records.Record
) -> None:
    ann = Person("Ann")
    study = services.create(ann.guest, record)
    broken = rendering.RenderQueue((sys.executable, "-c", f"import sys; sys.stdin.read(); {program}"))
    monkeypatch.setattr("kakomi.server.analysis.async_views.shared_render_queue", lambda: broken)
    if "sleep" in program:
        monkeypatch.setattr(rendering, "SECONDS", 0.2)
    answer = downloaded(ann, study, "png")
    assert answer.status_code == 503 and said in answer.content.decode()


def test_of_too_many_pictures_some_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        busy = rendering.RenderQueue()
        monkeypatch.setattr(rendering, "MOST_WAITING", 0)
        with pytest.raises(exceptions.RenderUnavailable, match="too many"):
            await busy.render(RenderJob("png", "rin", {}, []))

    async_to_sync(scenario)()


HOSTILE = {
    "nothing": b"",
    "noise": bytes(range(256)),
    "a page": b"<script>alert(1)</script>",
    "half": b'{"kakomi_record": 1, "game": "rin", "turns": [',
    "no object": b"[1, 2]",
    "deep": b'{"kakomi_record": 1, "game": ' + b"[" * 50_000,
    "deep tree": b"(;GM[1]" + b"(;B[aa]" * 30_000,
    "another version": b'{"kakomi_record": 99, "game": "rin"}',
    "no game": b'{"kakomi_record": 1, "game": "chess"}',
    "options": b'{"kakomi_record": 1, "game": "rin", "options": {"size": 1000000000}}',
    "a path": b'{"kakomi_record": 1, "game": "../../etc/passwd"}',
    "numbers": b'{"kakomi_record": 1, "game": "rin", "options": {"size": 1e400}}',
    "nonsense": b"(;GM[1]SZ[4]RU[Rin]KAKOMI[{]B[aa])",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused_in_words(data: bytes) -> None:
    ann = Person("Ann")
    answer = uploaded(ann, data, '<img src=x onerror="alert(1)">.json')
    page = answer.content.decode()
    assert answer.status_code == 422 and 'role="alert"' in page and not Study.objects.exists()
    assert "<img src=x" not in page and "<script>alert" not in page


@pytest.mark.parametrize("name", CORPUS)
def test_expensive_files_are_refused_after_little_work(name: str) -> None:
    """Counted, not timed: `python -m benchmarks.load --uploads` measures the same files."""
    reading = records.Reading(services.MOST_PARTS, services.MOST_ACTIONS)
    assert len(CORPUS[name]) <= services.MOST_BYTES
    with pytest.raises(records.RecordError):
        records.read(CORPUS[name], catalog.game, game_in(name), reading)
    assert reading.parts <= services.MOST_PARTS + 1
    assert reading.played <= services.MOST_ACTIONS
    assert reading.actions <= services.MOST_ACTIONS or reading.played == 0


def test_what_is_uploaded_is_read_within_these_limits() -> None:
    ann = Person("Ann")
    page = uploaded(ann, CORPUS["SGF: flat variations"], "game.sgf", "rin").content.decode()
    assert "the SGF file holds more than 30,000 nodes and values" in page
    page = uploaded(ann, CORPUS["JSON: turns"]).content.decode()
    assert "the record holds more than 6,000 actions" in page


def test_what_was_left_out_of_a_file_is_said_on_the_page() -> None:
    ann = Person("Ann")
    answer = uploaded(ann, b"Hello\n(;SZ[4]RE[Black wins];B[aa])", "game.sgf", "rin")
    assert answer.status_code == 302 and len(selectors.record_of(Study.objects.get()).turns) == 1
    page = ann.client.get(answer["location"]).content.decode()
    assert "game.sgf: text before the game was ignored." in page
    assert "RE[Black wins] isn&#x27;t a result and was ignored" in page


def test_an_illegal_turn_is_named_with_its_reason(rin: Game) -> None:
    said = json.loads(records.write(records.recorded(rin, ["0,0", "1,1", "2,2"]), rin, "json"))
    said["turns"][1]["actions"] = ["0,0", "2,2"]
    page = uploaded(Person("Ann"), json.dumps(said).encode()).content.decode()
    assert "turn 2 (White)" in page and "there is already a stone on that point" in page


def test_what_is_too_large_or_missing_is_refused() -> None:
    ann = Person("Ann")
    assert uploaded(ann, b"{" + b" " * 1_000_001).status_code == 422
    assert ann.client.post("/analysis/upload", {}).status_code == 422
    many = records.Record(
        game="rin",
        options={"size": 4},
        turns=tuple(records.Turn(after=0, player=0, actions=("0,0",)) for _ in range(5_001)),
    )
    page = uploaded(ann, records.write_json(many)).content.decode()
    assert "5,000" in page and not Study.objects.exists()
