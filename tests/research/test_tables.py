"""The research page's table of planes and actions is correct."""

from research.tables import PAGE, table


def test_the_page_tells_planes_and_actions_as_they_are() -> None:
    _, _, rest = PAGE.read_text(encoding="utf-8").partition("<!-- planes -->\n")
    assert rest.partition("<!-- /planes -->")[0] == table(), "python -m tests.research.tables writes it"
