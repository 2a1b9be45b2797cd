"""What the page of a game says from the game's own folder: its rules with their examples drawn, its options.

`{game-introduction} rin` and `{game-rules} rin` put the text of `rules.md` on a page, `{game-options} rin` a
table of options. So the site, the terminal and these pages tell the same. `{game-position} rin` draws a
position, with the caption that it holds. `{game-page} rin` embeds the game's exported page.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from kakomi import catalog
from kakomi.core import Description, Option, Position
from kakomi.core.attempt import begin
from kakomi.core.example import Example, read_examples
from kakomi.core.i18n import range_in_words
from kakomi.draw import Mark, Overlay
from kakomi.draw.svg import draw_svg
from kakomi.draw.theme import page_stylesheet
from kakomi.web.pages import write_page

_TITLE = re.compile(r"\A# .*\n")
_EXAMPLE = re.compile(r"^<!-- example: ([\w-]+) -->$", re.MULTILINE)
_OTHER_MARK = re.compile(r"^<!-- (?!example: ).* -->\n", re.MULTILINE)


class GameIntroduction(SphinxDirective):
    """What the rules of a game say before their first heading, and the style of the drawings that follow."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The nodes of the style and of the text."""
        introduction, _ = _rules(catalog.describe(self.arguments[0]))
        return [_raw(f"<style>{_board_style()}</style>"), *self.parse_text_to_nodes(introduction)]


class GameRules(SphinxDirective):
    """The rest of the rules of a game for players, each example as a drawn position with its answer."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The nodes of the text and of the drawings between its parts."""
        description = catalog.describe(self.arguments[0])
        examples = {example.name: example for example in read_examples(description.module)}
        _, rest = _rules(description)
        self.env.temp_data["kakomi_examples"] = (description, examples)
        return self.parse_text_to_nodes(_EXAMPLE.sub(_fenced, rest), allow_section_headings=True)


class GameExample(SphinxDirective):
    """One example of the rules around this directive."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """A figure: the position, the task, and the answer to unfold."""
        description, examples = self.env.temp_data["kakomi_examples"]
        example = examples[self.arguments[0]]
        return [_raw("".join(_figure(description, example)))]


class GamePosition(SphinxDirective):
    """A drawn position. `options` are those of the game, as `size=9`; `position` is its text, and without it
    play begins at the start; `actions` are played from there; `marks` are points to write at, as `a1=A b2=B`.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[OptionSpec] = dict.fromkeys(
        ("options", "position", "actions", "marks"), directives.unchanged
    )

    def run(self) -> list[nodes.Node]:
        """The nodes of the drawing and of its caption."""
        pairs = (pair.partition("=") for pair in self.options.get("options", "").split())
        game = catalog.game(self.arguments[0], **{name: int(value) for name, _, value in pairs})
        position = game.position(self.options["position"]) if "position" in self.options else game.start()
        for action in self.options.get("actions", "").split():
            position = position.play(action)
        signs = (sign.partition("=") for sign in self.options.get("marks", "").split())
        marks = tuple(Mark("text", at, text=text) for at, _, text in signs)
        scene = replace(position.scene(), overlays=(Overlay("signs", "", marks),))
        drawn = _raw(f'<figure class="rules-example">{draw_svg(scene, styled=False)}<figcaption>')
        return [drawn, *self.parse_content_to_nodes(), _raw("</figcaption></figure>")]


class GameOptions(SphinxDirective):
    """The options of a game, as a table."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The nodes of the table."""
        options = catalog.describe(self.arguments[0]).options
        table = ["| option | what it is | usual | may be |", "| --- | --- | --- | --- |", *map(_row, options)]
        return self.parse_text_to_nodes("\n".join(table))


class GamePage(SphinxDirective):
    """A game to play, in a frame: its exported page, which is written beside the site's other pages."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The nodes of the frame."""
        name = self.arguments[0]
        folder = Path(self.env.app.outdir) / "play"
        folder.mkdir(parents=True, exist_ok=True)
        write_page([name], folder / f"{name}.html")
        title = catalog.describe(name).title
        source = f'src="../play/{name}.html" title="{title}"'
        return [_raw(f'<iframe class="game-page" {source} loading="lazy"></iframe>')]


def _rules(description: Description) -> tuple[str, str]:
    """The rules as Markdown without their title: up to the first heading, and from there on.

    Nothing may stand before a heading where headings are parsed: Sphinx would put it behind all sections.
    """
    introduction, heading, rest = _TITLE.sub("", description.rules_text).partition("\n## ")
    return introduction, _OTHER_MARK.sub("", f"{heading}{rest}")


def _fenced(mark: re.Match[str]) -> str:
    return f"```{{game-example}} {mark[1]}\n```"


def _raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


def _board_style() -> str:
    """The style of drawings, told of dark colours where this theme says it: on the body."""
    return page_stylesheet().replace(":root", "body")


def _figure(description: Description, example: Example) -> Iterator[str]:
    game = catalog.game(description.name, **example.options)
    position = begin(example, game)
    yield f'<figure class="rules-example" id="example-{example.name}">'
    yield f"{_drawing(position, example)}<figcaption><strong>{escape(example.title)}</strong>"
    for step in example.steps:
        for action in step.actions:
            position = position.play(action)
        answer = ", ".join(step.actions)
        yield f"<p>{escape(step.task)}</p><details><summary>Answer</summary>"
        yield f"<p><code>{escape(answer)}</code>: {escape(step.told)}</p>"
        yield f"{_drawing(position, example)}</details>"
    yield "</figcaption></figure>"


def _drawing(position: Position, example: Example) -> str:
    return position.svg(styled=False, overlays=example.overlays)


def _row(option: Option) -> str:
    return f"| `{option.name}` | {option.help} | {_usual(option)} | {_possible(option)} |"


def _usual(option: Option) -> str:
    return "depends on the others" if callable(option.default) else str(option.default)


def _possible(option: Option) -> str:
    return "depends on the others" if callable(option.allowed) else range_in_words(option.allowed)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directives."""
    app.add_directive("game-introduction", GameIntroduction)
    app.add_directive("game-rules", GameRules)
    app.add_directive("game-example", GameExample)
    app.add_directive("game-options", GameOptions)
    app.add_directive("game-position", GamePosition)
    app.add_directive("game-page", GamePage)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
