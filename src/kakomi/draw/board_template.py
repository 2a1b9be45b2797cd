"""The template of drawings: a board without stones, and the places on it."""

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape

from kakomi.boards import Geometry, Place
from kakomi.draw.player_style import PlayerStyle, player_styles
from kakomi.draw.rotation import turned
from kakomi.draw.scene import Scene
from kakomi.draw.shapes import METRICS, UNIT, Metrics, number

ID_PREFIX = "\0"
"""A placeholder for the prefix of a drawing's ids; `clean` removes it from the texts of a scene."""


@dataclass(frozen=True, eq=False)
class BoardTemplate:
    """The part shared by all drawings of the same board and players. Templates compare by identity."""

    geometry: Geometry
    """The board, rotated as the viewer sees it."""
    points: str
    material: str
    markers: tuple[str, ...]
    player_styles: tuple[PlayerStyle, ...]

    @property
    def metrics(self) -> Metrics:
        return METRICS[self.points]

    @cached_property
    def corners(self) -> tuple[Place, Place]:
        """The upper left and the lower right corner of the points' bounding box."""
        xs, ys = zip(*self.geometry.places, strict=True)
        return (min(xs), min(ys)), (max(xs), max(ys))

    @cached_property
    def places(self) -> dict[str, Place]:
        """The place of every point and cell, by name."""
        points = dict(zip(self.geometry.names, self.geometry.places, strict=True))
        return points | {cell.name: cell.place for cell in self.geometry.cells}

    @cached_property
    def at(self) -> dict[str, str]:
        """The places as attributes of an SVG element."""
        return {name: coordinates(place) for name, place in self.places.items()}

    @cached_property
    def hook(self) -> dict[str, str]:
        """The attribute of each place by which a page's script finds it."""
        names = {name: "cell" if name in self.cells else "point" for name in self.places}
        return {name: f'data-{kind}="{clean(name)}"' for name, kind in names.items()}

    @cached_property
    def cells(self) -> frozenset[str]:
        """The names of the board's cells."""
        return frozenset(cell.name for cell in self.geometry.cells)


def template_of(scene: Scene) -> BoardTemplate:
    """Return the scene's template; recent templates are cached, so scenes on the same board share one."""
    style, markers = scene.style, tuple(scene.style.markers.get(scene.geometry.size, ()))
    return _template(scene.geometry, scene.turned, style.points, style.material, markers, scene.player_names)


@lru_cache(maxsize=64)
def _template(
    geometry: Geometry,
    by: int,
    points: str,
    material: str,
    markers: tuple[str, ...],
    player_names: tuple[str, ...],
) -> BoardTemplate:
    return BoardTemplate(turned(geometry, by), points, material, markers, player_styles(player_names))


def coordinates(place: Place) -> str:
    """Return a place as attributes of an SVG element."""
    return f'x="{number(place[0] * UNIT)}" y="{number(place[1] * UNIT)}"'


def named(name: str) -> str:
    """Return an id within this drawing."""
    return f"{ID_PREFIX}-{name}"


def add(parent: ET.Element, tag: str, **attributes: str) -> ET.Element:
    """Add an element. `cls` is its class, and underscores in attribute names become dashes."""
    names = {key: "class" if key == "cls" else key.replace("_", "-") for key in attributes}
    return ET.SubElement(parent, tag, {names[key]: value for key, value in attributes.items()})


def written(parent: ET.Element) -> str:
    """Serialise an element's children, one per line."""
    ET.indent(parent, space="")
    return "\n".join(ET.tostring(child, encoding="unicode").strip() for child in parent)


@lru_cache(maxsize=8192)
def clean(text: str) -> str:
    """Escape a text of the scene for use between tags or quotes."""
    return escape(text.replace(ID_PREFIX, ""))
