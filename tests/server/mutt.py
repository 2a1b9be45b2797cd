"""A person who reads and writes mail with mutt, in a pseudo-terminal."""

import os
import pty
import select
import shlex
import shutil
import subprocess
import time
from pathlib import Path

from server.sites import PATIENCE

_SETTINGS = """\
set from="{address}" realname="{name}" use_from=yes envelope_from=yes
set smtp_url="smtp://127.0.0.1:{port}" ssl_starttls=no ssl_force_tls=no
set folder="{mailbox}" spoolfile="{mailbox}" mbox_type=Maildir record="" copy=no postponed="{folder}/drafts"
set editor="{folder}/editor" include=yes fast_reply=yes reply_to=yes abort_unmodified=no abort_nosubject=no
set sort=date-received charset=utf-8 move=no quit=yes wait_key=no sleep_time=0 confirmcreate=no
set history_file="" alias_file="" header_cache="" sendmail="" attribution="On %d, %n wrote:"
"""


class Mutt:
    """A person's mutt, with its settings and mailbox."""

    def __init__(self, folder: Path, name: str, address: str, mailbox: Path, port: int) -> None:
        self.folder, self.mailbox = folder, mailbox
        folder.mkdir()
        (folder / "muttrc").write_text(
            _SETTINGS.format(folder=folder, name=name, address=address, mailbox=mailbox, port=port)
        )
        editor = folder / "editor"
        editor.write_text(
            f'#!/bin/sh\ncat {shlex.quote(str(folder))}/said "$1" > "$1.new" && mv "$1.new" "$1"\n'
        )
        editor.chmod(0o755)

    @staticmethod
    def is_there() -> bool:
        """Whether mutt is installed."""
        return shutil.which("mutt") is not None

    @property
    def mails(self) -> list[Path]:
        """The mails in the mailbox, in order of arrival."""
        found = [file for part in ("new", "cur") for file in (self.mailbox / part).glob("*")]
        return sorted(found, key=lambda file: file.name)

    def write(self, to: str, subject: str) -> None:
        """Send a mail without text."""
        command = ["mutt", "-n", "-F", str(self.folder / "muttrc"), "-s", subject, to]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)

    def reply(self, text: str, message_id: str) -> None:
        """Answer a mail with mutt's reply command, the text above the quotation."""
        (self.folder / "said").write_text(f"{text}\n\n")
        name = message_id.strip("<>").partition("@")[0]
        keys = f'push "<limit>~i {name}<enter><reply><send-message><quit>"'
        self._in_terminal(
            ["mutt", "-n", "-F", str(self.folder / "muttrc"), "-f", str(self.mailbox), "-e", keys]
        )

    def _in_terminal(self, command: list[str]) -> None:
        mine, its = pty.openpty()
        environment = {
            **os.environ,
            "TERM": "xterm",
            "LINES": "24",
            "COLUMNS": "80",
            "HOME": str(self.folder),
        }
        process = subprocess.Popen(
            command, stdin=its, stdout=its, stderr=its, env=environment, start_new_session=True
        )
        os.close(its)
        shown, until = b"", time.monotonic() + PATIENCE
        try:
            while process.poll() is None:
                assert time.monotonic() < until, f"mutt does not end: {shown[-2000:]!r}"
                if select.select([mine], [], [], 0.1)[0]:
                    shown += _read(mine)
            assert process.returncode == 0, shown[-2000:]
        finally:
            process.kill()
            process.wait()
            os.close(mine)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the program has ended
        return b""
