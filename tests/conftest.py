"""What all tests share: a folder for compiled code, kept between runs."""

import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent

# A file's name there says all that its content depends on (docs/architecture.md), so keeping it is safe.
os.environ.setdefault("KAKOMI_CACHE_DIR", str(PROJECT / ".cache" / "kernels"))
