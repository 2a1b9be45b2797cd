"""`kakomi blunders`: how often bots throw away an exact result near the end of a game."""

import json
from typing import TYPE_CHECKING, Any

import click

from kakomi.cli.shared.kept_study import studied
from kakomi.cli.shared.parameters import SEED, GameCommand, chosen_game, game_line, general_option
from kakomi.cli.shared.workers import opened, worker_options

if TYPE_CHECKING:
    from kakomi.study.blunders import BlunderStudy, BlunderTable, Rate, Row

_LABEL, _CELL = 14, 13
"""Columns of the terminal for a player, and for a rate."""


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi blunders ren --size 6
  kakomi blunders rive --size 3 --last 40 --games 200
  kakomi blunders rin --size 6 --bot 3 --bot 10 --bot uct:simulations=1000
  kakomi blunders lin --size 5 --line 4 --json
\b
The solver knows what every action near the end is worth. Where one wins, draws or loses what another
doesn't, all bots are asked; a rate is the share of such positions in which a bot threw its result away.
Small boards tell most: there the solver comes far back. Ctrl-C stops and tells what is there; the same
command goes on, and with more --games adds to them.
""",
)
@click.argument("name", metavar="GAME")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="BOT",
    help="Who is asked; may be repeated. Default: all levels of the game.",
)
@click.option("--play", default="5", show_default=True, metavar="BOT", help="Who plays the games.")
@click.option("--games", type=click.IntRange(1, 10**6), default=100, show_default=True, help="How many.")
@click.option(
    "--last",
    type=click.IntRange(1, 1000),
    default=24,
    show_default=True,
    metavar="N",
    help="Look at so many actions before the end.",
)
@click.option("--tries", type=click.IntRange(1, 1000), default=1, show_default=True, help="Of each bot.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=5_000_000,
    show_default=True,
    metavar="N",
    help="Positions that the solver looks at for a game.",
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Of all games.")
@worker_options("Games")
@click.option("--json", "as_json", is_flag=True, help="Print one object, for programs.")
@general_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    name: str,
    bots: tuple[str, ...],
    play: str,
    games: int,
    last: int,
    tries: int,
    budget: int,
    seed: int,
    jobs: int | None,
    ray: str | None,
    as_json: bool,
) -> None:
    """Count how often bots throw away an exact result of GAME, by how many actions are left.

    A bot plays games with itself. From their ends backwards the solver says what each action leads to, as
    far as it comes.
    """
    from kakomi.bots import levels_of
    from kakomi.study.blunders import BlunderStudy

    game = chosen_game(ctx, name)
    asked = bots or tuple(map(str, levels_of(game.description)))
    try:
        study = BlunderStudy(
            game, asked, player=play, games=games, most=last, tries=tries, budget=budget, seed=seed
        )
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    with opened(jobs, ray) as farm:
        table = studied(study, farm, "blunders", compiles="rules, bots and the solver", plural="games")
    if as_json:
        click.echo(json.dumps(_as_object(study, table), indent=2))
    else:
        click.echo("\n".join(_told(study, table)))


def _told(study: "BlunderStudy", table: "BlunderTable") -> list[str]:
    fewest, most = table.columns[0][0], table.columns[-1][1]
    heads = [f"{first}–{last}" if first < last else f"{first}" for first, last in table.columns]
    solved = f"Of the last {most} actions {table.positions} positions were solved"
    return [
        f"{game_line(study.game)} · {_games(table.games)} of {_named(study.player)} with itself",
        f"{solved}; in {table.critical} of them something could be thrown away.",
        *(_cut_short(table) if table.cut_short else []),
        "",
        _line("actions left", [*heads, f"{fewest}–{most}"]),
        _line("positions", [str(rate.positions) for rate in table.chance.rates]),
        *(_line(_named(row.player), list(map(_cell, row.rates))) for row in (table.chance, *table.rows())),
        "",
        "Per cent of these positions in which the best result was thrown away, with 95 % intervals.",
    ]


def _cut_short(table: "BlunderTable") -> list[str]:
    told = _games(table.cut_short)
    return [f"In {told} the solver didn't come so far back; --budget says how far it looks."]


def _games(count: int) -> str:
    return f"{count} game" if count == 1 else f"{count} games"


def _named(bot: str) -> str:
    return f"level {bot}" if bot.isdecimal() else bot


def _line(label: str, cells: list[str]) -> str:
    return f"{label:<{_LABEL}}" + "".join(f"{cell:>{_CELL}}" for cell in cells)


def _cell(rate: "Rate") -> str:
    one = rate.estimate
    return f"{100 * one.value:.0f} ({100 * one.low:.0f}–{100 * one.high:.0f})" if one else "–"


def _as_object(study: "BlunderStudy", table: "BlunderTable") -> dict[str, Any]:
    return {
        "game": study.game.name,
        "options": study.game.options,
        "player": study.player,
        "last": study.most,
        "tries": study.tries,
        "budget": study.budget,
        "seed": study.seed,
        "games": table.games,
        "positions": table.positions,
        "critical": table.critical,
        "cut_short": table.cut_short,
        "columns": table.columns,
        "random": _rates(table.chance),
        "bots": [{"bot": row.player, "rates": _rates(row)} for row in table.rows()],
    }


def _rates(row: "Row") -> list[dict[str, Any]]:
    """One for each column, and one of all."""
    return [
        {"positions": rate.positions}
        | (
            {name: round(getattr(rate.estimate, name), 5) for name in ("value", "low", "high")}
            if rate.estimate
            else {}
        )
        for rate in row.rates
    ]
