"""`kakomi post`: gives the site a mail that has come in."""

import sys

import click

from kakomi.cli.shared.site import opened_site

TRY_AGAIN = 75
"""The exit status by which mail servers know that they should try again (EX_TEMPFAIL)."""

NOBODY = "MAILER-DAEMON"
"""What Postfix says for the null sender."""


@click.command(
    epilog="""\b
Examples:
  kakomi post --stdin < mail.eml
  "|/opt/kakomi/bin/kakomi post --stdin"         a line of ~/.forward
  kakomi post --stdin --now < mail.eml; kakomi mails
"""
)
@click.option("--stdin", "from_stdin", is_flag=True, required=True, help="Read one mail from standard input.")
@click.option("--sender", envvar="SENDER", help="The sender on the envelope, which Postfix says in SENDER.")
@click.option(
    "--recipient",
    envvar=["ORIGINAL_RECIPIENT", "RECIPIENT"],
    help="The recipient on the envelope, which Postfix says in ORIGINAL_RECIPIENT.",
)
@click.option("--now", is_flag=True, help="Handle it at once, instead of leaving that to the site that runs.")
def command(from_stdin: bool, sender: str | None, recipient: str | None, now: bool) -> None:
    """Give the site a mail, as a mail server does.

    It is acknowledged, by the exit status 0, once it is on disk; the site that runs handles it. A mail that
    was given before is no second one. Where the database is away the status is 75, by which a mail server
    tries again.
    """
    del from_stdin
    data = sys.stdin.buffer.read()
    with opened_site():
        from django.db import Error as StorageError

        from kakomi.server.configuration import configuration
        from kakomi.server.post import inbox, jobs

        if not configuration().post_address:
            raise click.ClickException("this site takes no mail: set KAKOMI_POST_ADDRESS")
        envelope = inbox.NULL_SENDER if sender in ("", "<>", NOBODY) else sender or ""
        try:
            is_new = inbox.receive(data, sender=envelope, recipients=[recipient] if recipient else [])
            if now:
                jobs.handle_mail()
        except StorageError as error:  # away, or of a site that has not been started yet
            click.echo(f"the mail can't be kept now; has the site been started once? {error}", err=True)
            sys.exit(TRY_AGAIN)
        except ValueError as error:
            raise click.ClickException(str(error)) from None
    click.echo("kept" if is_new else "known already")
