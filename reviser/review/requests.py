"""Requests for files: what a paper asks for and does not have, so that rules stay silent."""

import re
from collections.abc import Iterable, Sequence

from reviser.latex.elements import Unparsed
from reviser.manuscript.model import Manuscript

_BIBLIOGRAPHIES = (
    r"(?:no)?bibliography|add\w*bib\w*|putbib|bibliographyunit|newrefsection|begin\{refsection\}"
)
_INPUTS = r"input|include|subfile\w*|import|sub\w+|\w+from|InputIfFileExists"
BIBLIOGRAPHY_COMMAND = re.compile(rf"\\(?:{_BIBLIOGRAPHIES})(?![A-Za-z])")
INPUT_COMMAND = re.compile(rf"\\(?:{_INPUTS})(?![A-Za-z])")
FILE_COMMAND = re.compile(rf"\\(?:{_BIBLIOGRAPHIES}|{_INPUTS})(?![A-Za-z])")
# The file was found after all, under another name.
REMARK = re.compile(r": (?:spelled |read from )")
# Found by TeX outside the project: they define strings and control entries, never cited works.
DISTRIBUTED = re.compile(
    r"\b(?:IEEEabrv|IEEEfull|IEEEexample|xampl|biblatex-examples|apsrev\w*|aip\w*control"
    r"|acmabbr\w*|mrabbrev)(?:\.bib)?\b",
    re.IGNORECASE,
)


def missing_bibliographies(manuscript: Manuscript) -> Sequence[Unparsed]:
    """Requests for bibliographies that were not found, but for those that come with TeX."""
    return [
        part
        for part in manuscript.unparsed
        if asks_for(manuscript, part, BIBLIOGRAPHY_COMMAND)
        and not DISTRIBUTED.search(part.why)
        and not REMARK.search(part.why)
    ]


def missing_inputs(manuscript: Manuscript) -> bool:
    """Whether a file was asked for that was not read: it may hold the labels."""
    return any(
        asks_for(manuscript, part, INPUT_COMMAND) and not REMARK.search(part.why)
        for part in manuscript.unparsed
    )


def asks_for(manuscript: Manuscript, part: Unparsed, command: re.Pattern[str]) -> bool:
    """Whether what could not be read is a request made by `command`."""
    source = manuscript.sources.get(part.at.path)
    if source is None:
        return False
    if not len(part.at.span):
        return part.at.span.start == 0  # a bibliography named in the settings stands nowhere
    return bool(command.match(source.text, part.at.span.start))


def any_source(manuscript: Manuscript, pattern: re.Pattern[str]) -> bool:
    """Whether `pattern` matches anywhere in the paper's files."""
    sources: Iterable[str] = (s.text for s in manuscript.sources.values())
    return any(pattern.search(text) for text in sources)
