"""Google's Lighthouse on the site's pages; `python -m benchmarks.lighthouse` runs it."""
