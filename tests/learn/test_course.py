"""The progress messages of `kakomi learn`."""

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from learn.needs import needed
from learn.played import quick
from waiting import until

needed("torch")
needed("onnxruntime")

from kakomi.cli import learning  # noqa: E402
from kakomi.learn.plan import Plan  # noqa: E402
from kakomi.learn.run import Progress  # noqa: E402


def test_it_reports_now_and_then_where_no_bar_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when nothing happens for long, as while a batch of games or a match is played."""
    assert learning.REPORT_EVERY == 30
    monkeypatch.setattr(learning, "REPORT_EVERY", 0.01)
    game = quick("rive")
    run: Any = SimpleNamespace(
        folder=tmp_path, boards=[game], plan=Plan("rive", (dict(game.options),)), round=2, checkpoints=[]
    )
    said: list[str] = []

    def has_said(words: str) -> bool:
        said.extend(capsys.readouterr().out.splitlines())
        return sum(words in line for line in said) > 1

    ends = time.monotonic() + 7300
    with learning.ProgressReporter(run, None, ends, lambda *_: None, has_matches=False) as told:  # type: ignore[arg-type]
        until(lambda: has_said("round 3, games"), "two lines before the first game", 10)
        told.tell(Progress(2, 1234, 56789, 42, {}, 0.254, "training"))
        until(lambda: has_said("training 25 %: 1,234 games, 56,789 rows, 42 steps  2:01:"), "two lines", 10)
    assert all(line.endswith(" left") for line in said)
