"""What publishers say of a work after it appeared, where it stands in the title or the kind of an
update."""

import re

RETRACTION, WITHDRAWAL, CONCERN = "retraction", "withdrawal", "expression of concern"

_MARKED = re.compile(
    r"^\W*(?P<word>retracted|withdrawn|removed)(?:\s+(?:article|paper|chapter|manuscript))?"
    r"\s*[:\-–—\]]\s*(?=\S)",
    re.IGNORECASE,
)
_KINDS = {
    "retraction": RETRACTION,
    "partial_retraction": RETRACTION,
    "withdrawal": WITHDRAWAL,
    "removal": WITHDRAWAL,
    "expression_of_concern": CONCERN,
}
_GRAVEST = (RETRACTION, WITHDRAWAL, CONCERN)
_SAID = re.compile(
    r"\bthis (?:paper|article|submission|work|manuscript|preprint|version) (?:has been|was|is)"
    r"(?: now)? withdrawn\b|^\W*(?:withdrawn|paper withdrawn)\b",
    re.IGNORECASE,
)


def unmarked(title: str) -> tuple[str, str]:
    """A title without "RETRACTED ARTICLE:" before it, and the kind of notice that this was, "" for
    none."""
    found = _MARKED.match(title)
    if found is None:
        return title, ""
    kind = RETRACTION if found["word"].lower() == "retracted" else WITHDRAWAL
    return title[found.end() :], kind


def kind_of_update(kind: str) -> str:
    """What a kind of update in Crossref's words means for a work, "" for one that leaves it
    standing (a correction)."""
    return _KINDS.get(re.sub(r"[\s\-]+", "_", kind.strip().lower()), "")


def gravity(kind: str) -> int:
    """A smaller number for a graver notice, the greatest for a kind that nobody knows."""
    return _GRAVEST.index(kind) if kind in _GRAVEST else len(_GRAVEST)


def says_withdrawn(remark: str) -> bool:
    """Whether authors say in a remark or in place of an abstract that they withdrew the work."""
    return len(remark) < 1000 and _SAID.search(remark) is not None
