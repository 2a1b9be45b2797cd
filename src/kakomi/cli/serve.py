"""`kakomi serve`: the games in a browser."""

import click

DEFAULT_PORT = 8364


@click.command(
    epilog="""\b
Examples:
  kakomi serve                    on this machine alone, and open the browser
  kakomi serve --port 9000 --no-browser
  KAKOMI_HOSTS=games.example.org KAKOMI_PUBLIC=1 kakomi serve --host 0.0.0.0    behind a TLS proxy
"""
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"The port to listen at.  [default: {DEFAULT_PORT}, or a free one if another program has it]",
)
@click.option(
    "--host",
    default="127.0.0.1",
    callback=lambda ctx, param, value: _checked_host(value),
    show_default=True,
    help="The address to listen at.",
)
@click.option("--no-browser", is_flag=True, help="Don't open the page in a browser.")
def command(port: int | None, host: str, no_browser: bool) -> None:
    """Play in the browser: start the site and open its page.

    Games are kept in the user's data folder, or in KAKOMI_DATA_DIR. Ctrl-C ends the site; games go on
    when it is started again. If Kakomi runs already, its page is opened and that is all.
    """
    from kakomi.server.running import serve

    serve(
        host,
        DEFAULT_PORT if port is None else port,
        or_another=port is None,
        open_browser=not no_browser,
    )


def _checked_host(host: str) -> str:
    """The address as it was given. Raises BadParameter if it can't be one."""
    try:
        host.encode("idna")
    except UnicodeError:
        raise click.BadParameter(f"{host[:60]!a} is no address") from None
    return host
