"""Long walkthroughs and full matrices in a browser, with the fixtures of `tests/browser`."""

from browser.conftest import chrome, clocked_site, sink, site, visit, visitor

__all__ = ["chrome", "clocked_site", "sink", "site", "visit", "visitor"]
