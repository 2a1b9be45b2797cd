"""When the disk is full, requests are refused with a message, and play continues once there is space."""

import json
import sys
from pathlib import Path

import pytest

from server.ledgers import in_file
from server.sites import Site, running
from server.visitors import Visitor
from waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are Linux's")


def leave_room(site: Site, size: int) -> None:
    """Limit the size of the site's files; -1 removes the limit."""
    import resource

    resource.prlimit(site.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def touch(action: str, base: int, seen: str = "") -> dict[str, object]:
    return {"kind": f"touch {action}", "base": base, "key": f"key-{action[0]}-{base:05}", "seen": seen}


def test_what_does_not_fit_on_the_disk_is_refused(tmp_path: Path) -> None:
    visitor, site = Visitor(), Site(tmp_path)
    with in_file(tmp_path) as ledger, running(site):
        code = visitor.begin(site.port, "rin", opponent="beside", side=0, size=8)
        assert visitor.act(site.port, code, touch("1,1", 0)).status == 200
        leave_room(site, 1)
        for _ in range(2):  # a turn sent at once, and one composed step by step
            refused = visitor.act(site.port, code, touch("2,2", 1))
            assert refused.status == 507
            assert "couldn’t be saved" in refused.text
            assert 'data-entries="1"' in refused.text
        opened = visitor.post(site.port, "/play/rin", {"opponent": "beside", "side": 0}, by_htmx=False)
        assert opened.status == 503
        assert "couldn’t be saved" in opened.text and "isn’t responding" not in opened.text
        until(
            lambda: visitor.get(site.port, "/readyz").status == 503, "the site says that it can't be written"
        )
        assert "disk" in json.loads(visitor.get(site.port, "/readyz").text)["database"]
        assert len(ledger.table(code).log) == 1
        leave_room(site, -1)
        until(lambda: visitor.get(site.port, "/readyz").status == 200, "the site is of use again")
        assert visitor.act(site.port, code, touch("2,2", 1)).status == 200
        assert visitor.act(site.port, code, touch("3,3", 1, "2,2")).status == 200
        confirm = {"kind": "confirm", "base": 1, "key": "key-confirm", "seen": "2,2 3,3"}
        assert visitor.act(site.port, code, confirm).status == 200
        assert [entry["value"] for _, _, entry in ledger.table(code).log] == ["1,1", "2,2", "3,3"]
