"""A game that one click begins: the options that make it short, against a bot that a newcomer can meet."""

from kakomi.bots import DEFAULT_LEVEL
from kakomi.core import Description

QUICK_LEVEL = DEFAULT_LEVEL


def quick_options(description: Description) -> dict[str, int]:
    """The first preset of every option that has any; it is the smallest of them."""
    return {option.name: option.presets[0] for option in description.options if option.presets}
