"""The site's settings, with a separate data folder for the tests.

Pytest loads settings before any `conftest.py`, so the folder has to be chosen here. Otherwise, a site of the
person running the tests would lose its key.
"""

import atexit
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

_PREFIX = "kakomi-site-"


def own_folder(among: Path) -> Path:
    """Create a folder that is named after this process and removed with it. Folders of killed processes are
    removed now."""
    for left in among.glob(f"{_PREFIX}*"):
        named = re.fullmatch(rf"{_PREFIX}(\d+)-\w+", left.name)
        if named and not _lives(int(named[1])):
            shutil.rmtree(left, ignore_errors=True)
    own = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=among))
    atexit.register(_remove, own, os.getpid())
    return own


def _lives(number: int) -> bool:
    """Whether a process with an ID exists; always true on Windows, where asking would end it."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's process
        return True
    return True


def _remove(own: Path, process: int) -> None:
    if os.getpid() == process:  # not in a fork
        shutil.rmtree(own, ignore_errors=True)


os.environ["KAKOMI_DATA_DIR"] = str(own_folder(Path(tempfile.gettempdir())))
os.environ["DJANGO_SETTINGS_MODULE"] = "kakomi.server.settings"  # for programs that tests start

from kakomi.server.settings import *  # noqa: E402, F403

# Django's default hashers deliberately take a third of a second, and tests sign in hundreds of times.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
