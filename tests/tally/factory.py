"""A function with its number in a closure."""

from pathlib import Path


def make(number):
    def made():
        return number

    return made


made = make(int(Path(__file__).with_name("number.txt").read_text()))
