"""The files that a page is made of."""

from importlib.resources import files
from string import Template


def resource(name: str) -> str:
    """A file beside this one, as text."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def filled(file: str, /, **values: str) -> str:
    """A file beside this one, with values in the places that it names as `$name`."""
    return Template(resource(file)).substitute(values)
