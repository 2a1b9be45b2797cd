"""Axe finds faults in any window or colour scheme, although not all rules run in each."""

from itertools import product
from typing import Any

from browser.axe import faults

PAGE = """<!doctype html><html lang="en"><head><title>A page</title>
<meta name="viewport" content="width=device-width"><style>
:root {{ color-scheme: light dark }}
body {{ color: #000; background: #fff }} button {{ width: 44px; height: 44px; margin: 20px }}
@media (prefers-color-scheme: dark) {{ body {{ color: #fff; background: #000 }} }}
{css}</style></head><body><main><h1>A heading</h1><p>Some text</p>{body}</main></body></html>"""
DARK, PHONE = "(prefers-color-scheme: dark)", "(max-width: 400px)"
SIDEWAYS = "(min-width: 800px) and (max-width: 900px)"
BUTTONS = "<button>1</button>" * 2
TOUCHING = "button { width: 9px; height: 9px; margin: 0; padding: 0; font-size: 4px }"


def found(chrome: Any, css: str = "", body: str = "", *, colours: bool = True) -> list[str]:
    page = chrome.new_page(viewport={"width": 1000, "height": 700})
    page.set_content(PAGE.format(css=css, body=body))
    told = faults(page, colours=colours)
    assert page.viewport_size == {"width": 1000, "height": 700}
    page.close()
    return [" ".join(fault.split()[:4]) for fault in told]


def test_a_page_without_faults_has_none(chrome: Any) -> None:
    assert found(chrome) == found(chrome, colours=False) == []


def test_contrast_is_asked_in_every_window_and_scheme(chrome: Any) -> None:
    for when, told in (
        (f"{PHONE} and {DARK}", ["phone, dark: color-contrast serious"]),
        (f"{SIDEWAYS} and {DARK}", ["phone on its side,"]),
        (PHONE, ["phone, dark: color-contrast serious", "phone, light: color-contrast serious"]),
    ):
        css = f"@media {when} {{ p {{ color: #888; background: #777 }} }}"
        seen = found(chrome, css)
        assert len(seen) == len(told)
        assert all(fault.startswith(start) for fault, start in zip(sorted(seen), told, strict=True))
        assert found(chrome, css, colours=False) == []


def test_what_is_wrong_in_one_window_is_found(chrome: Any) -> None:
    for when, colours in product((PHONE, SIDEWAYS), (True, False)):
        css = f"@media {when} {{ button span {{ display: none }} }}"
        (fault,) = found(chrome, css, "<button><span>Go on</span></button>", colours=colours)
        assert "phone" in fault
        (fault,) = found(
            chrome, css.replace("display: none", "visibility: hidden"), "<button><span>On</span></button>"
        )
        assert "phone" in fault
        seen = found(chrome, f"@media {when} {{ {TOUCHING} }}", BUTTONS, colours=False)
        assert seen and all("phone" in fault for fault in seen)


def test_what_is_too_wide_for_the_narrowest_window_is_found(chrome: Any) -> None:
    assert found(chrome, "p { width: 350px }") == ["narrow phone: wider than"]


def test_a_board_is_asked_about_in_every_look(chrome: Any) -> None:
    for scheme in ("light", "dark"):
        css = (
            f"@media (prefers-color-scheme: {scheme}) {{"
            ' :root[data-look="sage"] #board p { color: #888; background: #777 } }'
        )
        assert found(chrome, css, '<div id="board"><p>A point</p></div>') == [
            f"sage, {scheme}: color-contrast serious"
        ]
