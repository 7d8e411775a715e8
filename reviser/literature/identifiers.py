"""DOIs and arXiv ids out of whatever people write, in one form that can be compared."""

import re

# Old names of articles have their first page in angle brackets: <1661::AID-SIM968>.
_DOI = re.compile(r"\b10\.\d{4,9}/(?:[^\s\"<>{}|\\^`]|<\d[^\s\"<>{}|\\^`]{0,60}>)+", re.IGNORECASE)
_ESCAPED = re.compile(r"%([2-7][0-9A-Fa-f])")
_TRAILING = ".,;:'\""
_NEW = re.compile(r"(?<![\d.])(\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})(?:v\d{1,3})?(?![\d.]*\d)")
_OLD = re.compile(
    r"\b([a-z][a-z-]{1,15})(?:\.[a-z]{2})?/(\d{2}(?:0[1-9]|1[0-2])\d{3})(?:v\d{1,3})?\b",
    re.IGNORECASE,
)
_OF_ARXIV = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)


def doi(text: str) -> str:
    """The first DOI in `text`, in lower case and without a resolver's address; "" for none."""
    text = _ESCAPED.sub(lambda code: chr(int(code.group(1), 16)), text)
    found = _DOI.search(text.replace("\\_", "_").replace("\\", ""))
    if found is None:
        return ""
    name = found.group().rstrip(_TRAILING)
    for opening, closing in ("()", "[]"):
        while name.endswith(closing) and name.count(closing) > name.count(opening):
            name = name[:-1].rstrip(_TRAILING)
    return name.lower()


def arxiv(text: str) -> str:
    """The first arXiv id in `text`, without its version and an old one without its subclass; ""
    for none. The text should be a field that can hold one: any 2101.00001 is taken for an id."""
    found = _NEW.search(text)
    if found is not None:
        return found.group(1)
    old = _OLD.search(text)
    return f"{old.group(1).lower()}/{old.group(2)}" if old is not None else ""


def arxiv_of_doi(name: str) -> str:
    """The arXiv id that a DOI registered by arXiv stands for, or ""."""
    found = _OF_ARXIV.fullmatch(name.strip())
    return arxiv(found.group(1)) if found is not None else ""
