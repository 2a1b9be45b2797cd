"""`kakomi mails`: what the site has mailed, or would have mailed."""

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.site import opened_site

if TYPE_CHECKING:
    from kakomi.server.notices.models import Delivery

DONE = 20


@click.command(
    epilog="""\b
Examples:
  kakomi mails
  kakomi mails 17
"""
)
@click.argument("number", type=click.IntRange(1), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one list, for programs.")
def command(number: int | None, as_json: bool) -> None:
    """List the site's latest mails and what has become of them, or show mail NUMBER.

    A site without a mail server (KAKOMI_MAIL_URL) keeps its mails for 30 days, and this is where they can be
    read. Of mails that were sent only recipient and subject are kept.
    """
    with opened_site(prepare=True):
        from kakomi.server.notices.models import Delivery

        mails = Delivery.objects.filter(channel="mail").order_by("-pk")
        if number is not None:
            mails = mails.filter(pk=number)
            if not mails:
                raise click.ClickException(f"there is no mail {number}: see kakomi mails")
        found = list(mails[:DONE])
    if as_json:
        click.echo(json.dumps([_described(mail) for mail in found]))
    elif number is not None:
        click.echo(_whole(found[0]))
    elif not found:
        click.echo("No mail yet.")
    else:
        click.echo("\n".join(map(_line, found)))


def _described(mail: "Delivery") -> dict[str, object]:
    content = {name: mail.content.get(name, "") for name in ("to", "subject", "text")}
    return {"number": mail.pk, "state": mail.state, "error": mail.error, "at": mail.created_at, **content}


def _line(mail: "Delivery") -> str:
    at = datetime.fromtimestamp(mail.created_at, UTC)
    said = f"{mail.pk}: {at:%Y-%m-%d %H:%M} {mail.state}, {mail.content.get('to', 'a digest')}"
    subject = mail.content.get("subject", "")
    return " ".join(filter(None, (said, subject, f"({mail.error})" if mail.error else "")))


def _whole(mail: "Delivery") -> str:
    content = mail.content
    return f"To: {content.get('to', '')}\nSubject: {content.get('subject', '')}\n\n{content.get('text', '')}"
