"""A helper whose own helper is in another module."""

from tally import deeper


def through_helpers():
    return deeper.deepest()
