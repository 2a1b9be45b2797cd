"""The site's settings, with a folder of the tests' own for its data.

Pytest loads settings before any `conftest.py`, so the folder has to be chosen here: a site of whoever runs
the tests would lose its key otherwise.
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
    """A folder that goes with this process, named for it. Those of processes that were killed go now."""
    for left in among.glob(f"{_PREFIX}*"):
        named = re.fullmatch(rf"{_PREFIX}(\d+)-\w+", left.name)
        if named and not _lives(int(named[1])):
            shutil.rmtree(left, ignore_errors=True)
    own = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=among))
    atexit.register(_remove, own, os.getpid())
    return own


def _lives(number: int) -> bool:
    """Whether there is a process of a number. On Windows nobody can ask without ending it."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


def _remove(own: Path, process: int) -> None:
    if os.getpid() == process:  # and not a fork of it
        shutil.rmtree(own, ignore_errors=True)


os.environ["KAKOMI_DATA_DIR"] = str(own_folder(Path(tempfile.gettempdir())))
os.environ["DJANGO_SETTINGS_MODULE"] = "kakomi.server.settings"  # for programs that tests start

from kakomi.server.settings import *  # noqa: E402, F403

# Those of Django take a third of a second, against guessing; tests sign in hundreds of times.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
