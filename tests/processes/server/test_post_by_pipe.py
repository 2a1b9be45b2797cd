"""Mail received through a mail server that starts a program for every mail."""

import os
import subprocess
import sys
from pathlib import Path

from server.correspondence import PLAY, written

EVE = "eve@elsewhere.example"


def kakomi(*words: str, folder: Path, data: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    environment = {
        **os.environ,
        "KAKOMI_DATA_DIR": str(folder),
        "KAKOMI_DATABASE_URL": "",
        "KAKOMI_MAIL_IN_ADDRESS": PLAY,
        **more,
    }
    command = [sys.executable, "-m", "kakomi", *words]
    return subprocess.run(command, input=data, env=environment, capture_output=True, timeout=300)


def test_a_pipe_brings_mail(tmp_path: Path) -> None:
    data = written(EVE, "help")
    early = kakomi("post", folder=tmp_path, data=data)
    assert early.returncode == 75, "there is no database yet: the mail server tries again"
    assert kakomi("mails", folder=tmp_path).returncode == 0
    done = kakomi("post", "--now", folder=tmp_path, data=data, SENDER=EVE, ORIGINAL_RECIPIENT=PLAY)
    assert (done.returncode, done.stdout) == (0, b"saved\n"), done.stderr
    again = kakomi("post", "--now", folder=tmp_path, data=data)
    assert (again.returncode, again.stdout) == (0, b"already received\n")
    assert kakomi("mails", folder=tmp_path).stdout.count(EVE.encode()) <= 1
    without = kakomi("post", folder=tmp_path, data=data, KAKOMI_MAIL_IN_ADDRESS="")
    assert without.returncode == 1 and b"this site doesn't receive email" in without.stderr
    assert b"Traceback" not in done.stderr + early.stderr + without.stderr
