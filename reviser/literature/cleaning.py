"""Plain text out of what services and bibliographies give: entities, JATS, HTML and MathML."""

import html
import re

from reviser.text.visible import visible

LONGEST = 600
"""Characters of a title, a venue or a publisher that are kept."""
LONGEST_NAME = 200
LONGEST_ABSTRACT = 12_000
"""Characters of an abstract that are kept: more than any abstract has, some 2,000 words."""

_NAME = (
    r"(?:(?:jats|mml|m|html|xhtml|ali|ce|xocs):[\w\-]{1,40}|a|abbr|abstract|alternatives|annotation|"
    r"b|bdi|big|bold|br|caption|cite|code|div|disp-formula|em|ext-link|fn|font|formula|h[1-6]|hr|i|"
    r"img|inf|inline-formula|inline-graphic|ital(?:ic)?|label|li|list|list-item|math|mfenced|mfrac|"
    r"mi|mn|mo|monospace|mover|mroot|mrow|mspace|msqrt|mstyle|msub|msubsup|msup|mtext|munder|"
    r"munderover|named-content|ol|p|pre|q|roman|s|sans-serif|sc|scp|sec|section|semantics|small|"
    r"span|strike|strong|styled-content|sub|sup|table|tbody|td|tex-math|th|title|tr|tt|u|ul|"
    r"underline|uri|xref)"
)
_ATTRIBUTES = (
    r"(?:\s+[\w:.\-]{1,60}\s*=\s*(?:\"[^\"<>]{0,400}\"|'[^'<>]{0,400}'|[^\s\"'<>]{1,200}))"
)
_TAG = re.compile(rf"</?{_NAME}{_ATTRIBUTES}{{0,20}}\s*/?>", re.IGNORECASE)
# What stands between words; the others may stand inside one, as in H<sub>2</sub>O.
_BETWEEN = re.compile(
    r"</?(?:jats:|html:|xhtml:|ce:)?(?:abstract|br|caption|div|disp-formula|h\d|hr|img|label|li|"
    r"list|list-item|ol|p|pre|sec|section|table|tbody|td|th|title|tr|ul)\b",
    re.IGNORECASE,
)
# The same formula once more, in TeX.
_AGAIN = re.compile(
    r"<(?P<name>(?:mml:)?annotation|(?:jats:)?tex-math)\b[^<>]{0,200}>"
    r"(?:(?!</?(?P=name)\b).){0,5000}</(?P=name)\s*>",
    re.IGNORECASE | re.DOTALL,
)
_FORMULA = re.compile(r"<(?:mml:)?math\b", re.IGNORECASE)
_HEAD_END = re.compile(r"[\s:.]*</(?:jats:|ce:)?title\s*>\s*", re.IGNORECASE)
_COMMENT = re.compile(r"<!--(?:(?!<!--|-->).){0,5000}-->|<!\[CDATA\[|\]\]>", re.DOTALL)

_HEADING = re.compile(
    r"^\W*(?:abstract|summary|synopsis|zusammenfassung|résumé|resumen)\s*[:.\-—–]?\s+(?=\S)",
    re.IGNORECASE,
)
_LEGAL = re.compile(
    r"(?:©|\(c\)|copyright)\s*(?:\d{4}|the authors?|by)\b|all rights reserved|"
    r"published by elsevier|creative commons|licensee|wiley periodicals",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"^\W*(?:n/?a|none|null|tba|tbd|no abstract(?: is)?(?: available)?|abstract not available|"
    r"not available|international audience|unavailable)\W*$",
    re.IGNORECASE,
)
_LATEX = re.compile(r"\\[A-Za-z]+\*?|\\(?=[%&_#$])|[{}$]")


def plain(text: str, longest: int = LONGEST) -> str:
    """A title or a name as a reader sees it: no markup, no entities (twice escaped ones neither),
    nothing invisible, white space single, at most `longest` characters."""
    return cut(visible(_bare(text[: 8 * longest])), longest)


def abstract_of(text: str, longest: int = LONGEST_ABSTRACT) -> str:
    """An abstract as `plain`, also without LaTeX leftovers, its heading and a legal tail; "" for
    one that only says that there is none."""
    text = visible(_LATEX.sub("", _bare(text[: 8 * longest])))
    text = _HEADING.sub("", text)
    if (legal := _LEGAL.search(text)) and legal.start() * 2 > len(text):
        text = text[: legal.start()].rstrip()
    return "" if _NOTHING.match(text) else cut(text, longest)


def cut(text: str, longest: int) -> str:
    """`text`, ended at a word where it is too long."""
    if len(text) <= longest:
        return text
    return text[: longest + 1].rpartition(" ")[0] or text[:longest]


def _bare(text: str) -> str:
    if "&" in text:
        text = html.unescape(html.unescape(text))
    if "<" not in text:
        return text
    text = _COMMENT.sub(" ", text)
    if _FORMULA.search(text):
        text = _AGAIN.sub("", text)
    text = _HEAD_END.sub(": ", text)
    return _TAG.sub(lambda tag: " " if _BETWEEN.match(tag.group()) else "", text)
