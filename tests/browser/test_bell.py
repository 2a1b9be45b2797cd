"""How often an open page polls for notices, tested with a fake clock."""

from browser.opening import begin
from browser.visitor import Visitor, expect

_MINUTE = 60_000


def test_a_page_that_nobody_touches_asks_seldom(visitor: Visitor) -> None:
    page, asked = visitor.page, []
    begin(visitor, "ren", 4)
    page.clock.install()
    page.goto("/about")
    expect(page.locator("#bell")).to_be_visible()
    page.on("request", lambda request: asked.append(request.url) if "/notices/count" in request.url else None)
    page.clock.run_for(2 * _MINUTE)
    assert len(asked) == 6
    page.clock.run_for(8 * _MINUTE)
    assert len(asked) == 10
    page.clock.run_for(1.5 * _MINUTE)
    assert len(asked) == 10
    page.mouse.move(200, 300)
    page.clock.run_for(_MINUTE)
    assert len(asked) == 13, "at once, and as before"
