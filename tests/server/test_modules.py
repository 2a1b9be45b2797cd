"""Scripts in modules: a page names all of them, so that a browser fetches them at once."""

import re
from pathlib import Path

import pytest

from kakomi.server import settings
from server.table_client import Person, opened

pytestmark = pytest.mark.django_db
STATIC = Path(settings.STATICFILES_DIRS[0])


def imported(module: Path) -> set[Path]:
    """The modules that one imports, and those that these import."""
    found: set[Path] = set()
    waiting = [module]
    while waiting:
        importer = waiting.pop()
        for name in re.findall(r'^import (?:.* from )?"(\..*)";$', importer.read_text(), re.MULTILINE):
            other = (importer.parent / name).resolve()
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def test_a_table_names_every_module_that_it_needs() -> None:
    ann = Person("Ann")
    page = ann.look(opened(ann, ann, size=4))
    named = re.findall(r'<link rel="modulepreload" href="/static/(.*?)">', page)
    assert {STATIC / name for name in named} == imported(STATIC / "table" / "table.js")
    assert len(named) == len(set(named)) > 5
