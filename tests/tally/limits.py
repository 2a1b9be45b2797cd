"""A constant that the rules use as an attribute of its module."""

FACTOR = 1
