"""Scripts in modules: a page names all of them, so that they are fetched at once, and lives without most."""

import re
from pathlib import Path

import pytest

from kakomi.server import settings
from kakomi.server.puzzles.collection import all_puzzles
from kakomi.server.tables.services import Sitter
from server.table_client import Person, form_of, opened

pytestmark = pytest.mark.django_db
STATIC = Path(settings.STATICFILES_DIRS[0])
TABLE = STATIC / "tables" / "table.js"
SCRIPTS = ("tables/table.js", "plans/plan.js", "analysis/study.js", "rules/examples.js")
"""Those of pages with boards."""
ALWAYS = r'^import (?:.* from )?"(\..*)";$'
PERHAPS = r'\bimport\("(\..*)"\)'
"""A page goes on without what it imports so."""
BLOCKED = re.compile(
    r"\bads?\b|advert|analytics|banner|beacon|cookie|consent|event|noti|pixel|popup|social|stat|track"
)
"""Words by which content blockers know what nobody asked for."""


def imported(module: Path, *ways: str) -> set[Path]:
    """The modules that one imports, and those that these import."""
    found: set[Path] = set()
    waiting = [module]
    while waiting:
        importer = waiting.pop()
        for name in re.findall("|".join(ways), importer.read_text(), re.MULTILINE):
            other = (importer.parent / "".join(name)).resolve()
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def test_a_table_names_every_module_that_it_needs() -> None:
    ann = Person("Ann")
    everything = {TABLE, *imported(TABLE, ALWAYS, PERHAPS)}
    thinking = {STATIC / name for name in ("tables/bots.js", "engine/device.js", "engine/engine.js")}
    for other, needed in ((Sitter(bot="1"), everything), (ann, everything - thinking)):
        page = ann.look(opened(ann, other, size=4))
        named = re.findall(r'(?:modulepreload" href|script src)="/static/([^"]*)"(?: type="module")?>', page)
        assert {STATIC / name for name in named} == needed
        assert len(named) == len(set(named)) > 5


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_a_page_needs_to_play_has_no_name_that_is_blocked(script: str) -> None:
    needed = {STATIC / script, *imported(STATIC / script, ALWAYS)}
    assert [path for path in needed if BLOCKED.search(str(path.relative_to(STATIC)))] == []


def test_a_table_needs_few_modules_to_play() -> None:
    needed = {path.relative_to(STATIC).as_posix() for path in imported(TABLE, ALWAYS)}
    board = {"boards/board.js", "boards/fragments.js"}
    assert needed == {"site.js", "news.js", *board, "tables/board.js", "tables/page.js", "tables/sending.js"}


def test_what_is_played_can_be_written() -> None:
    """Pages without scripts have fields for it."""
    ann = Person("Ann")
    row = opened(ann, ann, size=4)
    page = ann.look(row)
    assert re.search(r'name="written" form="command".*<button [^>]*name="kind" value="touch"', page)
    form = {**form_of(page), "kind": "touch"}
    nothing = ann.client.post(f"/table/{row.code}/act", {**form, "written": " "})
    assert nothing.status_code == 422
    assert "enter a move, such as the name of a point" in nothing.content.decode()
    assert ann.client.post(f"/table/{row.code}/act", {**form, "written": " 1,1 "}).status_code == 302
    assert "Black plays 1,1." in ann.look(row)


def test_it_can_be_written_on_every_page_with_a_board() -> None:
    ann, first = Person("Ann"), "/rules/rin/examples/ring"
    study = str(ann.client.get(f"/analysis/table/{opened(ann, ann, size=4).code}")["Location"])
    plan = f"/table/{opened(ann, Person('Bob'), size=4).code}/plan"
    puzzle = next(found for found in all_puzzles().values() if found.game == "rin")
    pages = {}
    for address in (study, plan, first, f"/puzzles/{puzzle.name}"):
        page = pages[address] = ann.client.get(address).content.decode()
        (script,) = re.findall(r'data-script="/static/(.*?)"', page)
        assert f'<script src="/static/{script}" type="module">' in page and script in SCRIPTS
        assert 'name="written"' in page
    sent = {"written": " 1,2 ", "kind": "play", "node": "0", "version": "1", "value": "a note"}
    assert ann.client.post(f"{study.partition('?')[0]}/edit", sent)["Location"].endswith("?node=1")
    version, entries = (
        re.findall(rf'name="{name}" value="(\d+)"', pages[plan])[0] for name in ("version", "entries")
    )
    sent = {"written": " 1,2 ", "kind": "touch", "version": version, "entries": entries}
    assert ann.client.post(f"{plan}/change", sent).status_code == 302
    assert re.search(r'data-at="0"[^>]*>.* 1,2</a>', ann.client.get(plan).content.decode())
    action = puzzle.answers[0].split()[0]
    for address, written in ((first, "0,0"), (f"/puzzles/{puzzle.name}", action)):
        page = ann.client.get(address, {"at": "", "written": f" {written} "}).content.decode()
        assert f'name="played" value="{written}"' in page
