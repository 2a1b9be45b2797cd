"""The site's settings, with a folder of the tests' own for its data.

Pytest loads settings before any `conftest.py`, so the folder has to be chosen here: a site of whoever runs
the tests would lose its key otherwise.
"""

import os
import tempfile

os.environ["KAKOMI_DATA_DIR"] = tempfile.mkdtemp(prefix="kakomi-site-")
os.environ["DJANGO_SETTINGS_MODULE"] = "kakomi.server.settings"  # for programs that tests start

from kakomi.server.settings import *  # noqa: F403

# Those of Django take a third of a second, against guessing; tests sign in hundreds of times.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
