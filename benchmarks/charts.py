"""Charts of reports as standalone SVG files, for pages of the documentation."""

from kakomi.study.report.content import Chart
from kakomi.study.report.page.charts import HEIGHT, WIDTH, draw_chart

STYLE = """
:root { --paper: #fff; --ink: #211e1a; --soft: #6a635a; --rule: #ddd; font-family: system-ui, sans-serif;
  --c0: #0b62a8; --c1: #c2490f; --c2: #15785a; --c3: #93489a; }
@media (prefers-color-scheme: dark) { :root { --paper: #17181b; --ink: #ebe7e0; --soft: #a9a297; --rule: #444;
  --c0: #74b7f5; --c1: #f39a62; --c2: #63cfa6; --c3: #d9a0dc; } }
text { font-size: 11.5px; fill: var(--soft); } .axis { fill: var(--ink); }
.grid path { stroke: var(--rule); fill: none; }
.c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); }
.line { fill: none; stroke: currentColor; stroke-width: 2; } .band { fill: currentColor; opacity: .16; }
.whisker { stroke: currentColor; stroke-width: 1.6; opacity: .6; fill: none; }
.dot { fill: currentColor; stroke: var(--paper); stroke-width: 1.4; } .dot.small { opacity: 0; }
"""


def as_file(chart: Chart, key: str, style: str = STYLE) -> str:
    """Return a chart without its legend as a standalone SVG file; `key` is the prefix of its ids."""
    drawing = draw_chart(chart, key).partition("\n<ul")[0].replace(" data-chart>", ">", 1)
    root = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
    return drawing.replace("<svg ", root, 1).replace("<title", f"<style>{style}</style>\n<title", 1) + "\n"
