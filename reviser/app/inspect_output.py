"""What was read of a paper, for people: counts, files, outline, and what could not be read."""

from reviser.app.json_output import position
from reviser.app.page import Page, Piece, Style
from reviser.manuscript.model import Manuscript
from reviser.text.printable import many, printable


def inspect_page(page: Page, manuscript: Manuscript, *, prefix: str = "") -> None:
    """Fill the page. `prefix` leads from the present folder to the paper's root."""
    page.heading(printable(prefix + manuscript.main))
    keys = {key.name for citation in manuscript.citations for key in citation.keys}
    counts = (
        many(len(manuscript.files), "file"),
        many(sum(section.heading is not None for section in manuscript.sections), "section"),
        many(len(manuscript.sentences), "sentence"),
        f"{many(len(manuscript.citations), 'citation')} of {many(len(keys), 'key')}",
        many(len(manuscript.entries), "bibliography entry", "bibliography entries"),
        many(len(manuscript.labels), "label"),
        many(len(manuscript.references), "reference"),
        many(len(manuscript.floats), "float"),
    )
    page.add(", ".join(counts), indent=2, hang=2)
    page.add(f"language: {manuscript.language or 'not recognised'}", indent=2)
    page.heading("Files")
    for facts in manuscript.files:
        never = f"; never edited: {facts.untouchable}" if facts.untouchable else ""
        page.add(
            Piece(printable(prefix + facts.path), Style.PLACE),
            f"  {facts.role}, {facts.encoding}, {facts.newline}{printable(never)}",
            indent=2,
            hang=6,
        )
    if len(manuscript.sections) > 1:
        page.heading("Outline")
    for section in manuscript.sections:
        if section.heading is not None:
            page.add(printable(section.title), indent=2 * max(section.level, 1), hang=6)
    if manuscript.unparsed:
        page.heading("Could not be read")
    for unparsed in manuscript.unparsed:
        line, column, _ = position(unparsed.at, manuscript.sources)
        page.add(
            Piece(printable(f"{prefix}{unparsed.at.path}:{line}:{column}"), Style.PLACE),
            f" {printable(unparsed.why)}",
            indent=2,
            hang=6,
        )
