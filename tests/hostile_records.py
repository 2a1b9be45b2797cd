"""Invalid records: a small corpus, and a grammar that generates more.

`damage` corrupts whole files; here files are usually well formed, but their values aren't valid.
"""

from hypothesis import strategies as st

NUMBERS = [
    *("", " ", ".", "-", "+", "0", "-0", "00", "7", " 5 ", "1_0", "1.", ".5", "1.2.3", "6.5", "1e9", "1e999"),
    *("-1", "-1e999", "1e-400", "nan", "NaN", "inf", "-Infinity", "0x10", "1,5", "٣", "²", "½", "4294967296"),
    *("18446744073709551616", "9" * 400, "-" + "9" * 400, "0." + "3" * 400, "true", "null"),
]
"""Bad values for a number."""
WORDS = [
    *(
        "",
        "?",
        "Void",
        "Draw",
        "0",
        "B+",
        "W+",
        "B+R",
        "W+Resign",
        "B+T",
        "W+F",
        "B+12",
        "W+0.5",
        "B-1",
        "D+1",
    ),
    *(
        "aa",
        "tt",
        "zz",
        "a",
        "=aa",
        "=pass",
        "rin",
        "lin",
        "go",
        "UTF-8",
        "UTF-7",
        "idna",
        "\x00",
        "\u202e",
        "]",
    ),
]
"""Bad values for a word."""
CORPUS = [
    b"(;FF[4]SZ[8]RE[B+.])",
    b"(;RE[W+\xd9\xa3])",
    b"(;SZ[" + b"9" * 5000 + b"])",
    b"(;RE[B+" + b"9" * 5000 + b"])",
    b"(;KM[-" + b"9" * 5000 + b"])",
    b"(;B[aa]BL[0." + b"3" * 5000 + b"])",
    b"(;KM[nan];B[aa]BL[inf])",
    b"(;B[aa]SECONDS[1e999])",
    b'(;KAKOMI[{"kakomi_record": 1, "game": "rin", "options": {"size": 1e999}}])',
    b'{"kakomi_record": 1, "game": "rin", "options": {"size": ' + b"9" * 5000 + b"}}",
    b'{"kakomi_record": 1, "game": "rin", "turns": [{"player": 0, "actions": ["0,0"], "seconds": NaN}]}',
]
"""Files that caused, or could have caused, a traceback."""

_PROPERTIES = [
    *(
        "GM",
        "FF",
        "SZ",
        "KM",
        "HA",
        "RE",
        "CA",
        "AP",
        "RU",
        "PB",
        "PW",
        "EV",
        "DT",
        "C",
        "GC",
        "N",
        "AB",
        "AE",
    ),
    *("B", "W", "BL", "WL", "SECONDS", "OB", "KAKOMI", "Black", "XX"),
]
_FIELDS = [
    *("game", "options", "seats", "event", "negotiation", "swapped_after", "match", "resignations", "result"),
    *("comment", "turns", "player", "actions", "after", "seconds", "clock", "reason", "winners", "scores"),
    *("option", "value", "named_by", "chosen_by", "games", "points", "name", "bot", "size", "komi", "else"),
]


def sgf_files() -> st.SearchStrategy[bytes]:
    """SGF files, well formed except for occasional values."""
    values = st.one_of(
        st.sampled_from(NUMBERS),
        st.sampled_from(WORDS),
        st.builds("{}+{}".format, st.sampled_from("BWbw"), st.sampled_from(NUMBERS)),
        st.text(max_size=6),
    ).map(lambda value: f"[{value}]")
    properties = st.builds("{}{}".format, st.sampled_from(_PROPERTIES), values)
    nodes = st.lists(properties, max_size=5).map(lambda parts: ";" + "".join(parts))
    trees = st.recursive(
        st.lists(nodes, min_size=1, max_size=5).map("".join),
        lambda inner: st.builds(
            lambda start, branches: start + "".join(f"({branch})" for branch in branches),
            nodes,
            st.lists(inner, min_size=1, max_size=3),
        ),
        max_leaves=4,
    )
    return trees.map(lambda tree: f"({tree})".encode(errors="surrogatepass"))


def json_files() -> st.SearchStrategy[bytes]:
    """JSON files with our fields in right or wrong places."""
    texts = st.one_of(st.sampled_from(WORDS), st.sampled_from(NUMBERS)).map(_quoted)
    scalars = st.one_of(st.sampled_from([number for number in NUMBERS if number.strip()]), texts)
    values = st.recursive(
        scalars,
        lambda inner: st.one_of(st.lists(inner, max_size=3).map(_listed), _objects(inner)),
        max_leaves=6,
    )
    heads = st.sampled_from(['"kakomi_record":1,"game":"rin"', '"kakomi_record":1,"game":"rings"'])
    fields = st.lists(st.tuples(st.sampled_from(_FIELDS), values), max_size=4)
    return st.builds(_document, heads, fields)


def _document(head: str, fields: list[tuple[str, str]]) -> bytes:
    rest = "".join(f',"{name}":{value}' for name, value in fields)
    return f"{{{head}{rest}}}".encode(errors="surrogatepass")


def _objects(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    fields = st.builds('"{}":{}'.format, st.sampled_from(_FIELDS), values)
    return st.lists(fields, max_size=4).map(lambda parts: "{" + ",".join(parts) + "}")


def _listed(values: list[str]) -> str:
    return f"[{','.join(values)}]"


def _quoted(text: str) -> str:
    return f'"{text}"'
