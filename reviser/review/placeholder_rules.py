"""The rule on citations that were never filled in."""

import re
from collections.abc import Iterable, Iterator

from reviser.findings import Severity
from reviser.latex.elements import Citation, CitationForm
from reviser.manuscript.model import Manuscript
from reviser.review.raised import Raised, raised
from reviser.review.typeset import Hit, Page, matches, pages, prints_nothing, reported

_IN_WORDS = (
    "A placeholder is printed where a citation should stand. Cite the work that says this, or "
    "take the sentence back."
)

_PLACEHOLDER_KEY = re.compile(
    r"\?+|(?:todo|tbd|tba|fixme|xxx+|missing|citation|cite|placeholder|dummy)"
    r"(?:[-_:. ]?(?:ref(?:erence)?|cite|citation|needed|here|key|me|this|todo|\d{1,3}|\?)){0,3}"
    r"|(?:todo|tbd|fixme)[-_:. ].{0,80}"
    r"|(?:add|insert|need|needs|find|get)[-_: ]?(?:a[-_: ])?(?:ref(?:erence)?s?|cites?|citations?)"
    r"|(?:ref|reference)[-_: ]?(?:needed|here|missing|todo|\?+)|ref|reference"
    r"|key[-_]?\d{0,3}|(?:your|some|example|sample)[-_]?(?:key|ref|reference|citation|paper)\d{0,3}"
    r"|author[-_]?(?:year|20xx|xxxx)|[a-z]{2,30}[-_:]?(?:19|20)(?:xx|\?\?)",
    re.IGNORECASE,
)
_NEEDED = r"(?:needed|required|missing|here|todo|please)"
_BRACKETED_PLACEHOLDER = re.compile(
    rf"\[\s?(?:(?:citations?|cite|refs?|references?|sources?)[\s:]{{1,3}}{_NEEDED}\s?\??"
    r"|(?:add|insert|needs?|missing)\s(?:an?\s)?(?:citations?|cite|refs?|references?|source)"
    r"(?:\shere)?|(?-i:CITATIONS?|CITE|REFS?|REFERENCES?)\s?\??|cite\s?\?{1,3}|ref\s?\?{1,3}"
    r"|(?-i:XX+|xx+)|\?{1,5})\s?\]",
    re.IGNORECASE,
)
_PARENTHESISED_PLACEHOLDER = re.compile(
    rf"\(\s?(?:(?:citations?|cite|refs?|references?)[\s:]{{1,3}}{_NEEDED}\s?\??"
    r"|(?:add|insert|needs?|missing)\s(?:an?\s)?(?:citations?|cite|refs?|references?)(?:\shere)?"
    r"|(?-i:CITATION|CITE|REFS?)\s?\??|cite\s?\?{1,3}|ref\s?\?{1,3})\s?\)",
    re.IGNORECASE,
)
_NAME = r"[A-Z][\w'’-]{1,40}"
_YEAR = r"(?:19|20)(?:XX|xx|\?\?)(?!\w)"
_UNKNOWN_YEAR = re.compile(
    rf"{_NAME}\s(?:et\sal\.?|and\s{_NAME}),?[\s~]\(?{_YEAR}|{_NAME}(?:,[\s~]|[\s~]\(){_YEAR}"
    r"|\((?:First\s)?Author(?:s|\set\sal\.?)?,?\s(?:Year|YYYY|20XX)\)"
)
_NEEDS_CITATION_COMMAND = re.compile(
    r"\\(citationneeded|citeneeded|needcite|needscite|needcitation|needref|todocite|citetodo"
    r"|todoref|addcite|addref|missingref|missingcite|refneeded)(?![A-Za-z@])"
)
EMPTY_CITATION = re.compile(
    r"\\(?:[Pp]aren|[Tt]ext|[Aa]uto|[Ff]oot|[Ss]mart|super)?[Cc]ite(?:p|t|alt|alp|author|year)?\*?"
    r"(?:\[[^\]\[{}]{0,200}\]){0,2}\{\s{0,20}\}"
)
_COMMAND_JUST_BEFORE = re.compile(r"(?:\\[A-Za-z@]{1,40}\*?|[}\]])[ \t]{0,3}\Z")


def is_placeholder_key(key: str) -> bool:
    """Whether `key` is what people write where a citation key is still to be found."""
    return _PLACEHOLDER_KEY.fullmatch(key.strip()) is not None


def placeholder_citation(manuscript: Manuscript) -> Iterable[Raised]:
    """A citation that was never filled in: `\\cite{??}`, [CITATION NEEDED], "Smith, 20XX"."""
    for citation in manuscript.citations:
        if citation.form is not CitationForm.UNSEEN:
            yield from _in_keys(manuscript, citation)
    silent = {macro.name for macro in manuscript.macros if prints_nothing(manuscript, macro)}
    for page in pages(manuscript):
        yield from reported(manuscript, page, _in_words(page))
        yield from reported(manuscript, page, _in_commands(page, silent))
        yield from reported(manuscript, page, _empty(page))


def _in_keys(manuscript: Manuscript, citation: Citation) -> Iterator[Raised]:
    for key in citation.keys:
        if is_placeholder_key(key.name) and key.name.lower() not in manuscript.entry_of:
            yield raised(
                manuscript,
                key.at,
                f"“{key.name}” stands where a citation key should be, so the PDF shows a question "
                "mark. Cite the work that says this, or take the sentence back.",
                severity=Severity.ERROR,
            )


def _in_words(page: Page) -> Iterator[Hit]:
    text = page.prose
    for pattern in (_BRACKETED_PLACEHOLDER, _PARENTHESISED_PLACEHOLDER, _UNKNOWN_YEAR):
        for match in matches(pattern, text, page.body):
            start, stop = match.span()
            before = page.live[max(0, start - 60) : start]
            if pattern is _BRACKETED_PLACEHOLDER and _COMMAND_JUST_BEFORE.search(before):
                continue  # an optional argument
            if pattern is _PARENTHESISED_PLACEHOLDER and _is_acronym(match[0], text):
                continue
            if not page.quotes(start, stop, styled=False):
                yield Hit(start, stop, _IN_WORDS)


def _in_commands(page: Page, silent: set[str]) -> Iterator[Hit]:
    for match in matches(_NEEDS_CITATION_COMMAND, page.prose, page.body):
        if match[1] not in silent:
            message = (
                f"{match[0]} marks a citation that is still missing. Cite the work that says this, "
                "or take the sentence back."
            )
            yield Hit(match.start(), match.end(), message)


def _empty(page: Page) -> Iterator[Hit]:
    for match in matches(EMPTY_CITATION, page.live, page.body):
        message = "This citation names no work. Fill in its key, or remove the command."
        yield Hit(match.start(), match.end(), message, Severity.ERROR)


def _is_acronym(placeholder: str, text: str) -> bool:
    """Whether the word in parentheses is the paper's own abbreviation, as REF may be."""
    word = re.sub(r"[^A-Za-z]", "", placeholder)
    return bool(re.search(rf"(?<![\w(\[\\]){re.escape(word)}(?![\w)\]])", text)) and word.isupper()
