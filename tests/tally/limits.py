"""A constant that the rules reach as an attribute of its module."""

FACTOR = 1
