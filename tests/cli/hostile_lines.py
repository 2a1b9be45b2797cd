"""Invalid command lines, generated from the declarations of the commands' parameters.

Each command has a valid line that finishes at once. A hostile line differs from it in one parameter, which
has an invalid number, name, text or path; or it has a word too many or too few, or contradicting options.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path

import click

from kakomi.cli.main import kakomi as program

NINES = "9" * 5000
"""More digits than Python converts to an integer."""
_NUMBERS = """
    . - + -- 0 -1 -0 +5 007 1.5 1.2.3 1,5 1_0 0x10 1e3 1e-400 1e999 nan -nan inf -inf Infinity null true ten
    ٣ ² ½ １ 99999999999 18446744073709551616
"""
NUMBERS = ["", " ", *_NUMBERS.split(), NINES, f"-{NINES}", f"0.{NINES}", f"{NINES}.0"]
_TEXTS = """
    - -- = =5 size size= size=x size=nan size=-1 size=4=4 , 0,0 1,2,3 nan,nan 0,inf %s%n {0} $(true)
    0=human 9=human 0=bot: 0=bot:level:5 bot: level: time:nan time:-1 simulations:0 cmd: cmd:'
    4/4/4/4 a1 xa1 pass end ß 🎲
"""
_POSITIONS = ["4/4/4/4 b", "5/4/4/4 b", f"{NINES}/4 b", "4/4/4/4 b extra", "0,0 0,0"]
_UNSEEN = ["\t", "\n", "a\nb", "\r", "\x07", "\x1b[2J", "\u202e", "\u200b", "\u2028", "\ufeff", "\udcff"]
_LONG = ["字" * 500, "x" * 100_000, "(" * 5000, " " * 5000, "'" * 5000, "a b " * 5000]
_LONG_NUMBERS = [f"size={NINES}", f"{NINES},1", f"simulations:{NINES}"]
TEXTS = ["", " ", *_TEXTS.split(), *_POSITIONS, *_UNSEEN, *_LONG, *_LONG_NUMBERS]
GAMES = [
    "",
    " ",
    "rin ",
    "rin\n",
    "rin\u202e",
    "\udcff",
    "x" * 100_000,
    *["chess", "rinn", "Rin", "rin,lin", "../rin", "-1"],
]
WORDS = [
    "",
    "\u202e",
    "x" * 100_000,
    *["--nonsense", "-x", "--", "-", "---", "extra", "--size", "--size=", "--komi=7", "--option"],
]

PLAIN = {
    "analyse": ["analyse", "{record}", "--simulations", "1", "--threads", "1", "--turns", "1"],
    "bench": ["bench", "rin", "--size", "4", "--seconds", "0.1"],
    "cache info": ["cache", "info"],
    "convert": ["convert", "{record}", "{folder}/out", "--to", "json"],
    "engine": ["engine"],
    "games": ["games"],
    "gtp": ["gtp", "rin", "--size", "4"],
    "match": ["match", "random", "random", "--game", "rin", "--size", "4", "--games", "1", "--jobs", "1"],
    "perft": ["perft", "rin", "1", "--size", "4"],
    "play": ["play", "rin", "--size", "4", "--seat", "0=bot:random", "--seat", "1=bot:random"],
    "replay": ["replay", "{record}", "--delay", "0"],
    "rules": ["rules", "rin"],
    "serve": ["serve", "--no-browser"],
    "show": ["show", "{record}"],
    "study openings": ["study", "openings", "rin", "--size", "4", "--bot", "random", "--count", "1"],
    "solve": ["solve", "rin", "--size", "4", "--memory", "1", "--seconds", "0"],
    "warm": ["warm", "rin"],
}
"""A valid, quick line of each command; those for backing up and restoring need a site."""

CONTRADICTIONS = [
    ["play", "rin", "--human", "--bot", "3"],
    ["play", "rin", "--human", "--as", "0"],
    ["play", "rin", "--bot", "3", "--seat", "0=human", "--seat", "1=human"],
    ["play", "rin", "--seat", "0=human", "--seat", "0=bot:1"],
    ["play", "rin", "--bot", "time:1", "--human"],
    ["play", "rin", "--size", "4", "-o", "size=6", "--size", "99"],
    ["play", "rin", "--continue", "--load", "{record}"],
    ["play", "--load", "{record}", "--position", "4/4/4/4 b"],
    ["play", "rings", "--players", "3", "--swap"],
    ["play", "rin", "--match", "--position", "4/4/4/4 b"],
    ["show", "{record}", "--position", "4/4/4/4 b"],
    ["show", "{record}", "--game", "lin", "--komi", "8"],
    ["analyse", "{record}", "--position", "4/4/4/4 b", "--game", "rin"],
    ["analyse", "{record}", "--turns", "9-3"],
    ["analyse", "--position", "4/4/4/4 b", "--game", "rin", "--size", "4", "--turns", "1-2"],
    ["analyse", "--position", "4/4/4/4 b", "--game", "rin", "--size", "4", "--plot", "{folder}/plot.svg"],
    ["solve", "rin", "--size", "4", "--position", "4/4/4/4 b", "--from", "0,0"],
    ["solve", "rings", "--size", "2", "--players", "3"],
    ["solve", "rin", "--size", "4", "--seat", "3"],
    ["perft", "rin", "1", "--size", "4", "--position", "4/4/4/4 b", "--from", "0,0"],
    ["convert", "{record}", "{folder}/out.json", "--to", "sgf"],
    ["convert", "{record}", "{record}"],
    ["convert", "{record}", "{folder}/missing/out.json"],
    ["match", "random", "--game", "rin"],
    ["match", "random", "random", "random", "--game", "rin", "--sprt", "0,50"],
    ["match", "random", "random", "--game", "rin", "--sprt", "50,0"],
    ["match", "random", "random", "--game", "rin", "--out", "{folder}/binary"],
    ["serve", "--port", "80", "--port", "x"],
    ["bench", "rin", "lin", "--size", "4"],
    ["cache", "info", "clear"],
    ["cache"],
    ["games", "rin"],
]


def prepare(folder: Path, record: bytes) -> dict[str, str]:
    """Write invalid files and one valid record to a folder, and return their paths by kind."""
    (folder / "subfolder").mkdir()
    contents = {
        "record": record,
        "empty": b"",
        "binary": bytes(range(256)) * 400,
        "huge": b"a1 " * 700_000,
        "deep": b"[" * 200_000,
        "deep.gz": gzip.compress(b"[" * 200_000),
        "numbers": b'{"kakomi_record": 1, "game": "rin", "options": {"size": ' + NINES.encode() + b"}}",
        "other": b'{"kakomi_record": 1, "game": "chess", "options": {}}',
        "sgf": b"(;FF[4]GM[1]SZ[19];B[aa]",
        "backup": b"\x1f\x8b\x08\x00no backup",
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return {name: str(folder / name) for name in (*contents, "subfolder")} | {"folder": str(folder)}


def paths(folder: str) -> list[str]:
    """Bad values for a file's name."""
    names = (
        "missing",
        "subfolder",
        "empty",
        "binary",
        "huge",
        "deep",
        "numbers",
        "other",
        "sgf",
        "record/below",
    )
    strange = [
        "",
        " ",
        "\u202e",
        "\udcff",
        "a\nb",
        "x" * 300,
        "x/" * 3000,
        *["-", "--", ".", "..", "/", "/dev/full"],
    ]
    return [f"{folder}/{name}" for name in names] + strange


def hostile_lines(command: str, places: dict[str, str]) -> Iterator[list[str]]:
    """All hostile lines of one command; `places` is the result of `prepare`."""
    plain = [word.format(**places) for word in PLAIN[command]]
    for parameter in _parameters(command):
        for value in _values(parameter, places["folder"]):
            if isinstance(parameter, click.Option):
                yield [*plain, max(parameter.opts, key=len), value]
                if parameter.opts[0].startswith("--") and value.startswith("-"):
                    yield [*plain, f"{parameter.opts[0]}={value}"]
            else:
                yield _with_argument(plain, value, places)
    for word in WORDS:
        yield [*plain, word]
        yield [word, *plain]
    yield [*plain, *plain]
    for end in range(len(command.split()), len(plain)):
        if command not in ("warm", "serve", "bench", "play"):  # which do much more with fewer arguments
            yield plain[:end]


def contradictions(places: dict[str, str]) -> Iterator[list[str]]:
    """Lines with mutually exclusive options, or without required ones."""
    for line in CONTRADICTIONS:
        yield [word.format(**places) for word in line]


def _parameters(command: str) -> list[click.Parameter]:
    found: click.Command = program
    for name in command.split():
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(found), name)
        assert inner is not None
        found = inner
    return [one for one in found.params if not getattr(one, "is_flag", False)]


def _values(parameter: click.Parameter, folder: str) -> list[str]:
    kind = parameter.type
    if isinstance(kind, click.Path | click.File):
        return paths(folder)
    if isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        return NUMBERS
    if parameter.name in ("game", "games", "name"):
        return GAMES
    return [*TEXTS, *NUMBERS]


def _with_argument(plain: list[str], value: str, places: dict[str, str]) -> list[str]:
    """The line with its first argument, after the command's name, replaced."""
    at = 2 if plain[0] in ("cache", "study") else 1
    return [*plain[:at], value, *plain[at + 1 :]] if len(plain) > at else [*plain, value]
