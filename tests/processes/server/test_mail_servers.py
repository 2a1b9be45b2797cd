"""Real mail servers in front of the LMTP port, configured as in docs/operations.md."""

import smtplib
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.correspondence import written
from server.ledgers import Ledger, in_file
from server.mail_servers import HOST, Exim, MailServer, Postfix
from server.sites import Site, free_port

EVE = "eve@people.example"
PLAY = f"play@{HOST}"


@pytest.fixture(params=[Postfix, Exim])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MailServer]:
    if why := request.param.why_missing():
        pytest.skip(why)
    tmp_path.chmod(0o755)
    for folder in tmp_path.parents:
        if folder != Path("/tmp") and str(folder).startswith("/tmp"):
            folder.chmod(0o755)
    started = request.param(tmp_path / "server", free_port(), free_port())
    try:
        started.start()
        yield started
    finally:
        started.stop()


def mails_in(ledger: Ledger) -> list[str]:
    """The recipients of the mails that the site has received."""
    with ledger._connection() as connection:
        query = "SELECT recipient FROM mail_receivedmail ORDER BY id"
        return [recipient for (recipient,) in connection.execute(query)]


def test_mails_wait_while_the_site_is_down_and_are_taken_once(server: MailServer, tmp_path: Path) -> None:
    with in_file(tmp_path) as ledger:
        environment = {
            "KAKOMI_DATABASE_URL": ledger.url,
            "KAKOMI_MAIL_IN_ADDRESS": PLAY,
            "KAKOMI_MAIL_IN_LMTP": f"127.0.0.1:{server.lmtp_port}",
        }
        site = Site(tmp_path, environment)
        data = written(EVE, "help", to=PLAY)
        for to in (PLAY, f"play+abc234@{HOST}", f"bounces+abc234@{HOST}"):
            server.send(EVE, to, written(EVE, "help", to=to))
        server.send(EVE, PLAY, data)
        server.send(EVE, PLAY, data)
        for wrong in (f"root@{HOST}", f"play-abc@{HOST}", "eve@elsewhere.example"):
            with pytest.raises(smtplib.SMTPRecipientsRefused):
                server.send(EVE, wrong, data)
        server.await_queue(5)
        site.start()
        try:
            server.await_queue(0)
            found = mails_in(ledger)
        finally:
            site.stop()
    assert sorted(found) == sorted([PLAY, PLAY, f"play+abc234@{HOST}", f"bounces+abc234@{HOST}"]), (
        server.told()
    )
