"""Modules in which mistakes would be costly, and the tests that should find them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A group of modules that are tested together."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    leave_out: str = ""
    """Slow tests of little use here, as an expression for pytest's -k."""
    interpreted: bool = False
    """Whether its functions are rules, which must run interpreted."""


def _game(name: str, *modules: str, leave_out: str = "") -> Target:
    skipped = " or ".join(filter(None, ("checked", leave_out)))
    return Target(
        tuple(f"kakomi.games.{name}.{module}" for module in ("rules", *modules)),
        (f"tests/games/test_{name}.py", "tests/games/test_used_states.py"),
        skipped,
        interpreted=True,
    )


TARGETS = {
    "lin": _game("lin", leave_out="largest_board or afresh and (options8 or options9)"),
    "ren": _game("ren"),
    "rin": _game("rin", leave_out="largest_board"),
    "rings": _game("rings"),
    "rive": _game("rive", "groups"),
    "clock": Target(("kakomi.session.clock", "kakomi.session.time_control"), ("tests/session",)),
    "match": Target(
        ("kakomi.session.match_game", "kakomi.session.match", "kakomi.session.match_config"),
        ("tests/session",),
    ),
    "table": Target(
        ("kakomi.session.table", "kakomi.session.events", "kakomi.session.record"),
        ("tests/session",),
    ),
    "results": Target(
        ("kakomi.core.returns", "kakomi.records.sgf.values"),
        ("tests/core", "tests/records"),
        interpreted=True,
    ),
    "tournaments": Target(
        tuple(
            f"kakomi.contest.tournament.{name}"
            for name in (
                "log",
                "swiss",
                "seating",
                "knockout",
                "round_robin",
                "ladder",
                "scoring",
            )
        ),
        ("tests/contest/tournament",),
        leave_out="process or random or come_and_go or py4swiss or is_invalid",
    ),
    "ratings": Target(
        ("kakomi.contest.estimate", "kakomi.study.matches.games", "kakomi.study.matches.statistics"),
        (
            "tests/study/matches/test_statistics.py",
            "tests/contest/test_estimate.py",
            "tests/study/matches/test_sprt.py",
            "tests/study/matches/test_pairing.py",
            "tests/study/matches/test_played.py",
        ),
    ),
    "mail": Target(
        tuple(
            f"kakomi.protocol.mail.{name}"
            for name in (
                "language.arguments",
                "language.board_readers",
                "language.parsing",
                "language.readers",
                "language.terms",
                "reading.parts",
                "reading.new_text",
            )
        ),
        ("tests/protocol/mail",),
        leave_out="generated or docs",
    ),
    "permissions": Target(
        tuple(f"kakomi.server.{app}.permissions" for app in ("analysis", "moderation", "plans", "tables")),
        (
            "tests/server/test_analysis_refusals.py",
            "tests/server/test_analysis_sharing.py",
            "tests/server/test_moderation.py",
            "tests/server/sql/test_planning_services.py",
            "tests/server/test_table_commands.py",
            "tests/server/test_table_requests.py",
            "tests/server/sql/test_table_services.py",
            "tests/server/test_table_sharing.py",
        ),
    ),
}
