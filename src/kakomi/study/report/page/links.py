"""Names by which a page calls its games."""

from kakomi.study.report.content import Chart, GameLink, Section, Table


def anchor(link: GameLink) -> str:
    """The name of a link's game on the page."""
    return f"game-{link.game}"


def links_of(sections: list[Section]) -> list[GameLink]:
    """All links of a report, each game once, in the order of the page."""
    found: dict[str, GameLink] = {}
    for section in sections:
        for link in _of_section(section):
            found.setdefault(anchor(link), link)
    return list(found.values())


def _of_section(section: Section) -> list[GameLink]:
    links: list[GameLink | None] = [*section.links]
    for figure in section.figures:
        if isinstance(figure, Table):
            links += [cell.link for row in figure.rows for cell in row]
        elif isinstance(figure, Chart):
            links += [point.link for series in figure.series for point in series.points]
    return [link for link in links if link]
