r"""Whether a field's value is harmless whatever is done with it: text, and signs that only print.

Written against what an entry may hold, not against what is known to be bad: a control sequence
that is no accent, no letter and no sign by name is refused, and so is whatever else means something
to TeX or BibTeX.
"""

import re

from reviser.latex.bibescape import ACCENT_MARKS, WRITTEN_WORDS, is_formula

FIELDS = frozenset(
    {
        "author", "title", "booktitle", "journal", "journaltitle", "school", "institution",
        "publisher", "howpublished", "volume", "number", "pages", "year", "date", "doi", "eprint",
        "archiveprefix", "eprinttype", "url",
    }
)  # fmt: skip
"""What tells which work is meant. Abstracts, notes and keywords are texts of a stranger, and
crossref, options and the like change how an entry is read."""
KINDS = frozenset(
    {
        "article", "inproceedings", "book", "incollection", "inbook", "phdthesis",
        "mastersthesis", "techreport", "misc", "proceedings",
    }
)  # fmt: skip
LONGEST = 800
"""Characters of a value; a list of authors may have ten times as many."""

_SIGN = "".join(sorted(mark for mark in ACCENT_MARKS if not mark.isalpha()))
_NAMED = "".join(sorted(mark for mark in ACCENT_MARKS if mark.isalpha()))
_LETTER = r"(?:[A-Za-z]|\\[ij](?![A-Za-z])|\{(?:[A-Za-z]|\\[ij])\})"
_TOKEN = re.compile(
    rf"\\[{re.escape(_SIGN)}]{_LETTER}"
    rf"|\\[{_NAMED}](?:\{{(?:[A-Za-z]|\\[ij])\}}|\ (?:[A-Za-z]))"
    r"|\\[&%$#_]"
    r"|\\(?P<word>[A-Za-z]+)(?=\{\}|\}|[ ])"
    r"|\$(?P<formula>[^$]{1,60})\$"
    r"|\{@\}|\{\"\}"
    r"|[^\\${}%#&_^~\"@\n\r\t]"
    r"|[{}]"
)
_IDENTIFIERS = {
    "doi": re.compile(r"(?:https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/[A-Za-z0-9._;()/:+-]{1,200}"),
    "url": re.compile(
        r"https://doi\.org/10\.\d{4,9}/[A-Za-z0-9._;()/:+-]{1,200}"
        r"|https://arxiv\.org/abs/(?:\d{4}\.\d{4,5}|[a-z-]{1,16}/\d{7})"
    ),
    "eprint": re.compile(r"\d{4}\.\d{4,5}|[a-z-]{1,16}/\d{7}"),
}


def fault(name: str, raw: str) -> str:
    """What is wrong with `raw` as the value of the field `name`, delimiters included; "" when it
    does nothing but print."""
    if raw.isdecimal():
        return ""
    inside = raw[1:-1]
    if len(raw) < 2 or raw[0] + raw[-1] not in {"{}", '""'}:
        return "it does not stand between one pair of delimiters"
    if len(inside) > LONGEST * (10 if name == "author" else 1):
        return "it is too long"
    if name in _IDENTIFIERS:
        return "" if _IDENTIFIERS[name].fullmatch(inside) else "it is no address of a work"
    return _text_fault(inside)


def _text_fault(text: str) -> str:
    depth, cursor = 0, 0
    while cursor < len(text):
        token = _TOKEN.match(text, cursor)
        if token is None:
            return f"{text[cursor : cursor + 12]!r} means something to TeX"
        if token["word"] and token["word"] not in WRITTEN_WORDS:
            return f"it holds the command \\{token['word']}"
        if token["formula"] and not is_formula(token["formula"]):
            return f"it holds the formula {token['formula']!r}"
        depth += (token[0] == "{") - (token[0] == "}")
        if depth < 0:
            break
        cursor = token.end()
    return "its braces do not match" if depth else ""
