"""The versions that must be equal on every machine."""

from pathlib import Path

from kakomi.farm.versions import NOT_OURS, PACKAGE, _digest, versions


def test_what_differs_is_said_and_nothing_else() -> None:
    here = versions()
    assert here.differences(here) == ""
    other = here._replace(numpy="1.0", files="0123456789ab")
    assert (
        here.differences(other)
        == f"files of kakomi {here.files}, not 0123456789ab; numpy {here.numpy}, not 1.0"
    )


def test_a_change_of_any_file_that_counts_is_seen(tmp_path: Path) -> None:
    assert all((PACKAGE / part).is_dir() for part in NOT_OURS)
    for name in ("search/mcts.py", "games/rin/rules.md", "server/views.py", "search/__pycache__/mcts.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("old")
    old = _digest(tmp_path)
    for name, counts in {
        "search/mcts.py": True,
        "games/rin/rules.md": True,
        "server/views.py": False,
        "search/__pycache__/mcts.pyc": False,
    }.items():
        (tmp_path / name).write_text("new")
        assert (_digest(tmp_path) != old) is counts
        old = _digest(tmp_path)
    (tmp_path / "search/mcts.py").rename(tmp_path / "search/other.py")
    assert _digest(tmp_path) != old
