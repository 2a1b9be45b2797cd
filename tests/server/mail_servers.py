"""Postfix and Exim as child processes, configured with the lines from docs/operations.md."""

import os
import re
import shutil
import signal
import smtplib
import subprocess
import textwrap
from abc import ABC, abstractmethod
from pathlib import Path

from server.sites import PATIENCE, await_answers
from waiting import until

OPERATIONS = Path(__file__).resolve().parents[2] / "docs" / "operations.md"
HOST = "games.example.org"
"""The host in the documentation's addresses."""
NAMES, PEOPLE = ("ada", "bob", "cyd"), "people.example"
"""The people whose mail a server keeps in folders, and their domain."""


def documented(sentence: str) -> str:
    """The indented block of docs/operations.md that follows a sentence, dedented."""
    below = OPERATIONS.read_text(encoding="utf-8").partition(sentence)[2]
    block = re.search(r"(?:^(?: {4}.*)?\n)+", below[below.index("\n\n    ") + 2 :], re.MULTILINE)
    assert block, sentence
    return textwrap.dedent(block[0])


class MailServer(ABC):
    """A local mail server in front of a site, with its own folder."""

    program = ""

    def __init__(self, folder: Path, port: int, lmtp_port: int) -> None:
        self.folder, self.port, self.lmtp_port = folder, port, lmtp_port
        folder.mkdir(mode=0o755)
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def why_missing(cls) -> str:
        """Why it can't run here; empty if it can."""
        if os.name != "posix" or os.geteuid() != 0:
            return f"{cls.program} is started by root alone"
        return "" if shutil.which(cls.program, path="/usr/sbin:/sbin:/usr/bin") else f"no {cls.program} here"

    @abstractmethod
    def prepare(self) -> list[str]:
        """Write the configuration, and return the command that runs the server in the foreground."""

    def start(self) -> None:
        """Start the server, and return when it accepts mail."""
        command = self.prepare()
        with (self.folder / "output").open("ab") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
        await_answers(
            self.port, lambda: self._process is not None and self._process.poll() is None, self.told
        )

    def stop(self) -> None:
        """Stop the server and all its children."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGTERM)
            self._process.wait(PATIENCE)
            self._process = None

    def told(self) -> str:
        """The server's output and logs."""
        named = (
            file for file in self.folder.rglob("*") if file.name in ("output", "log", "mainlog", "paniclog")
        )
        files = sorted(file for file in named if file.is_file())
        return "\n".join(file.read_text(errors="replace") for file in files)

    def send(self, sender: str, to: str, data: bytes) -> None:
        """Send a mail to the server. Raises smtplib's errors if it is refused."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE) as server:
            server.sendmail(sender, [to], data)

    @property
    @abstractmethod
    def queued(self) -> int:
        """The number of mails in its queue."""

    def await_queue(self, count: int) -> None:
        """Wait until `count` mails are queued. Raises `AssertionError` if that takes too long."""
        until(lambda: self.queued == count, f"{count} mails in the queue", PATIENCE)


class Postfix(MailServer):
    """A Postfix instance, which also delivers people's mail to folders."""

    program = "postfix"

    def prepare(self) -> list[str]:
        etc = self.folder / "etc"
        for folder in (etc, self.folder / "queue", self.folder / "data", self.mailboxes):
            folder.mkdir(exist_ok=True)
        shutil.chown(self.folder / "data", "postfix")
        shutil.chown(self.mailboxes, "nobody")
        lines = (
            documented("In `main.cf`:").replace("/etc/postfix", str(etc)).replace("8024", str(self.lmtp_port))
        )
        (etc / "kakomi_recipients").write_text(documented("and in `/etc/postfix/kakomi_recipients`:"))
        (etc / "main.cf").write_text(lines + self._beside())
        (etc / "master.cf").write_text(_MASTER.format(port=self.port))
        subprocess.run(["postfix", "-c", str(etc), "check"], check=True, capture_output=True)
        return ["/usr/lib/postfix/sbin/master", "-c", str(etc), "-d"]

    @property
    def mailboxes(self) -> Path:
        """The folder with a Maildir for each person."""
        return self.folder / "mailboxes"

    def _beside(self) -> str:
        """The settings that the instance needs beyond the documented ones."""
        people = " ".join(f"{{{name}@{PEOPLE}={name}/}}" for name in NAMES)
        return f"""
compatibility_level = 3.6
queue_directory = {self.folder}/queue
data_directory = {self.folder}/data
daemon_directory = /usr/lib/postfix/sbin
maillog_file = {self.folder}/log
maillog_file_prefixes = {self.folder}
myhostname = mx.{HOST}
mydestination =
mynetworks = 127.0.0.2/32
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_tls_security_level = none
queue_run_delay = 2s
minimal_backoff_time = 2s
maximal_backoff_time = 4s
transport_retry_time = 2s
virtual_mailbox_domains = {HOST}, {PEOPLE}
virtual_mailbox_maps = regexp:{self.folder}/etc/kakomi_recipients, inline:{{{people}}}
transport_maps = inline:{{{PEOPLE}=virtual:}}
virtual_mailbox_base = {self.mailboxes}
virtual_minimum_uid = 1
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
"""

    @property
    def queued(self) -> int:
        queues = [self.folder / "queue" / name for name in ("incoming", "active", "deferred")]
        return sum(file.is_file() for queue in queues if queue.exists() for file in queue.rglob("*"))


_MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 2 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
"""


class Exim(MailServer):
    """An Exim instance, which runs its queue every second."""

    program = "exim4"

    def prepare(self) -> list[str]:
        for name in ("spool", "log"):
            (self.folder / name).mkdir(exist_ok=True)
            shutil.chown(self.folder / name, "Debian-exim")
        lines = documented("For **Exim**").replace("8024", str(self.lmtp_port))
        router, transport = lines.split("\nkakomi_lmtp:")
        configuration = self.folder / "exim.conf"
        configuration.write_text(_EXIM.format(
            folder=self.folder, port=self.port, host=HOST, router=router, transport=f"kakomi_lmtp:{transport}"
        ))  # fmt: skip
        configuration.chmod(0o644)
        return ["/usr/sbin/exim4", "-C", str(configuration), "-bdf", "-q1s"]

    @property
    def queued(self) -> int:
        return sum(1 for _ in (self.folder / "spool" / "input").rglob("*-H"))


_EXIM = """\
primary_hostname = mx.{host}
acl_smtp_rcpt = recipients
message_size_limit = 1M
spool_directory = {folder}/spool
log_file_path = {folder}/log/%slog
pid_file_path = {folder}/pid
daemon_smtp_ports = {port}
local_interfaces = 127.0.0.1
tls_advertise_hosts =
keep_environment =
deliver_drop_privilege = true

begin acl
recipients:
  accept domains = {host}
         verify = recipient
  deny message = relay not permitted

begin routers
{router}
begin transports
{transport}
begin retry
* * F,1h,1s
"""
