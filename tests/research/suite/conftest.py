from pathlib import Path

import pytest

from research.suite.tiny import write_agents, write_tracks


@pytest.fixture
def tracks_file(tmp_path: Path) -> Path:
    return write_tracks(tmp_path)


@pytest.fixture
def agents(tmp_path: Path) -> str:
    """The start of an agent's specification: the file of agents and a colon."""
    return f"{write_agents(tmp_path)}:"
