"""What importing the environments loads, and messages about missing libraries."""

import subprocess
import sys

import pytest

HEAVY = [
    "asgiref",
    "click",
    "django",
    "ninja",
    "pettingzoo",
    "PIL",
    "resvg_py",
    "rich",
    "uvicorn",
    "whitenoise",
]
STEP = """
import kakomi
from kakomi.kernel import use_mode
from kakomi.research import VectorEnv
with use_mode("interpreted"):
    env = VectorEnv(kakomi.game("rin", size=4), 2)
    env.step(env.sample())
"""


def run(code: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def without(*libraries: str) -> str:
    """The beginning of a program that makes libraries appear uninstalled."""
    return f"""
import sys
from importlib.abc import MetaPathFinder
class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {libraries!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in {libraries!r} else find(name, *rest)
sys.meta_path.insert(0, Missing())
"""


def test_environments_load_neither_the_terminal_nor_the_site() -> None:
    done = run(f"{STEP}\nimport sys\nprint(sorted(set({HEAVY}) & set(sys.modules)))")
    assert done.stdout.strip() == "[]", done.stderr


def test_environments_need_little() -> None:
    done = run(without(*HEAVY, "gymnasium", "pyspiel", "open_spiel") + STEP)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "call",
    [
        "import kakomi.research; kakomi.research.pettingzoo_env",
        "from kakomi.research import pettingzoo_env",
        "import kakomi.research.gymnasium",
        "import kakomi.research.openspiel",
        "from kakomi.research import VectorEnv; VectorEnv('rin', 1).single_observation_space",
    ],
)
def test_a_missing_extra_is_named(call: str) -> None:
    done = run(without("gymnasium", "pettingzoo", "pyspiel") + call)
    last = done.stderr.strip().splitlines()[-1]
    assert (
        " is not installed: pip install 'kakomi[research]', or in a checkout pip install '.[research]'"
        in last
    )


def test_pictures_name_their_extra() -> None:
    call = (
        "import kakomi; from kakomi.research.observation import picture; picture(kakomi.game('rin').start())"
    )
    done = run(without("PIL", "resvg_py") + call)
    assert "PIL is not installed: pip install 'kakomi[images]'" in done.stderr.strip().splitlines()[-1]
