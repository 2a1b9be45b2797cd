"""Figures in tables, as the reader's language writes them."""

from dataclasses import dataclass
from typing import Literal

from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from kakomi.core.known_results import Figure

Unit = Literal["plain", "percent", "power"]
"""How a figure is written: as it is, as a share, as a power of ten."""


@dataclass(frozen=True)
class FactRow:
    """A figure in a table."""

    label: str
    value: SafeString
    interval: str | SafeString
    meaning: str = ""


def written(unit: Unit, value: float) -> SafeString:
    """A figure in its unit."""
    if unit == "power":
        return format_html("10<sup>{}</sup>", number(value, 0))
    if unit == "percent":
        return format_html("{} %", number(100 * value, 0))
    return SafeString(number(value, _digits(value)))


def interval(unit: Unit, one: Figure) -> str | SafeString:
    """The ends of an interval as they are read beside the value; empty without one."""
    if one.low is None or one.high is None:
        return ""
    if unit == "power":
        return format_html("{}–{}", written(unit, one.low), written(unit, one.high))
    if unit == "percent":
        return ends(100 * one.low, 100 * one.high, 0)
    return ends(one.low, one.high, _digits(one.value))


def ends(low: float, high: float, digits: int) -> str:
    """An interval by its ends."""
    return f"{number(low, digits)}–{number(high, digits)}"


def _digits(value: float) -> int:
    return 0 if value >= 100 else 1


def number(value: float, digits: int) -> str:
    """A number as the reader's language writes it. Django's own function cuts digits off."""
    return number_format(round(value, digits), digits)
