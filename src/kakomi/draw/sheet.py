"""The sheet that a drawing is made on: where things are, and how elements get there."""

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import cached_property

from kakomi.boards import Geometry, Place
from kakomi.draw.livery import Livery, liveries
from kakomi.draw.look import LOOKS, Look
from kakomi.draw.scene import Scene
from kakomi.draw.shapes import UNIT, number


@dataclass(frozen=True)
class Sheet:
    """A scene, the id that all ids of its drawing start with, and the lengths that follow."""

    scene: Scene
    prefix: str

    @property
    def geometry(self) -> Geometry:
        return self.scene.geometry

    @property
    def look(self) -> Look:
        return LOOKS[self.scene.style.points]

    @property
    def liveries(self) -> tuple[Livery, ...]:
        return liveries(self.scene.player_names)

    @cached_property
    def corners(self) -> tuple[Place, Place]:
        """The upper left and the lower right corner of the box that holds all points."""
        xs, ys = zip(*self.geometry.places, strict=True)
        return (min(xs), min(ys)), (max(xs), max(ys))

    @cached_property
    def places(self) -> dict[str, Place]:
        """Where every point and every cell is, by name."""
        points = dict(zip(self.geometry.names, self.geometry.places, strict=True))
        return points | {cell.name: cell.place for cell in self.geometry.cells}

    @cached_property
    def cells(self) -> frozenset[str]:
        """The names of the board's cells."""
        return frozenset(cell.name for cell in self.geometry.cells)

    def id(self, name: str) -> str:
        return f"{self.prefix}-{name}"

    def at(self, name: str) -> dict[str, str]:
        """A point's or cell's place as attributes of an element."""
        x, y = self.places[name]
        return {"x": number(x * UNIT), "y": number(y * UNIT)}

    def use(self, parent: ET.Element, shape: str, at: str, **attributes: str) -> ET.Element:
        """Put a shape that is defined once at a point or a cell."""
        return add(parent, "use", href=f"#{self.id(shape)}", **self.at(at), **attributes)


def add(parent: ET.Element, tag: str, **attributes: str) -> ET.Element:
    """A new element; `cls` is its class, and an underscore stands for a dash."""
    named = {("class" if key == "cls" else key.replace("_", "-")): value for key, value in attributes.items()}
    return ET.SubElement(parent, tag, named)


def write(parent: ET.Element, text: str, place: Place, size: float, **attributes: str) -> ET.Element:
    """Centred text; `size` is the font's, in drawing units."""
    x, y = place
    element = add(parent, "text", x=number(x * UNIT), y=number(y * UNIT + 0.35 * size), **attributes)
    element.text = text
    return element
