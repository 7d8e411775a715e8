"""Why a citation may assert nothing that its source could bear out: pointers, tools, names …

An exempt claim is never called supported, silent or contradicted. For a pointer or a background
list (`topic_still_read`) the subject still has to fit, so a work of another field is reported
there too; in a table cell or a clause too short (`field_still_read`) at least the paper's field.
A tool, a name or a credit may come from any field, and nothing is said of it.
"""

import re
from dataclasses import dataclass

from reviser.latex.elements import CitationForm
from reviser.verify.words import content_words

POINTER = "a 'see e.g.' pointer, not an assertion"
BACKGROUND = "a background list of works"
TOOL = "names a tool, dataset or method that is used"
NAMED = "gives a name only"
SHORT = "too short to assert anything"
CREDIT = "a credit in a caption or table"
CELL = "a table cell, not a sentence"
LINK = "a footnote that names an address"

LIST_OF = 6
"""So many keys in one group share one general remark."""
FEWEST_WORDS = 3
"""Content words below which a clause asserts nothing that could be looked up."""
LONG_CLAUSE = 13
"""Content words from which a clause says more than a name or an address."""

_TOPIC_STILL_READ = frozenset({POINTER, BACKGROUND})
_FIELD_STILL_READ = frozenset({CELL, SHORT})

_POINTER_NOTE = re.compile(
    r"^\W*(?:see|cf|e\.?\s?g|for (?:an?|further|more|example|instance|reviews?|details)|"
    r"compare|among)\b|references therein|and others",
    re.IGNORECASE,
)
_POINTER_BEFORE = re.compile(
    r"(?:\b(?:see|see also|cf\.?|refer to|referred to|referring to|consult|compare|found in|"
    r"given in|reviewed in|surveyed in|reader to|readers to|details in|described in|discussed in)"
    r"|\be\.\s?g\.,?|\bfor (?:example|instance),?)(?:\W+(?:e\.\s?g\.|also|the|for example))*\W*$",
    re.IGNORECASE,
)
_NAME = r"(?:[A-Z][\w+\-./]*|[a-z]+[A-Z][\w\-]*|[\w\-]*\d[\w\-]*)"
_THING = (
    r"(?:data ?sets?|corpus|corpora|benchmarks?|librar(?:y|ies)|toolkits?|toolbox(?:es)?|packages?|"
    r"frameworks?|software|solvers?|optimi[sz]ers?|treebanks?|simulators?|compilers?|databases?|"
    r"codes?|programs?|platforms?|tools?|embeddings|tokeni[sz]ers?|catalogues?|catalogs?|pipelines?|"
    r"environments?|engines?|repositor(?:y|ies)|languages?|models?|metrics?|scores?|algorithms?|"
    r"architectures?|networks?|implementations?)"
)
_OWN_USE = re.compile(
    r"\b(?:we|our|i)\b[^.;]{0,60}\b(?:us(?:e|ed|ing)|employ(?:ed)?|adopt(?:ed)?|appl(?:y|ied)|"
    r"implement(?:ed)?|train(?:ed)?|fine-tun(?:e|ed)|pre-?train(?:ed)?|evaluat(?:e|ed)|ran|run|"
    r"utili[sz]ed?|cho(?:o|se)(?:se)?|select(?:ed)?|test(?:ed)?|initiali[sz]ed?|optimi[sz]ed?|"
    r"rely|relied|build|built|extract(?:ed)?|collect(?:ed)?|download(?:ed)?)\b",
    re.IGNORECASE,
)
_MADE_WITH = re.compile(
    r"\b(?:implemented|written|coded|available|performed|computed|calculated|simulated|trained|"
    r"evaluated|tested|optimi[sz]ed|built|generated|solved|visuali[sz]ed|parsed|annotated|"
    r"pre-?trained|run|carried out)\s+(?:\w+\s+){0,4}?"
    r"(?:in|with|using|by|on|through|via|from|within)\b",
    re.IGNORECASE,
)
_NAME_LAST = re.compile(
    rf"(?:^|\s)(?:{_NAME}\s+){{0,4}}(?:{_NAME}|{_NAME}\s+{_THING}|{_THING})\W*$"
)
_ENDS_IN_NAME = re.compile(rf"{_NAME}(?:\s+{_THING}){{0,2}}\W*$")
_ON_THING = re.compile(
    rf"\b(?:on|from|with|using|in|of|over)\s+(?:the\s+)?(?:{_NAME}\s+){{1,4}}{_THING}\W*$"
)
_CALLED = re.compile(
    r"\b(?:known as|called|named|termed|dubbed|so-called|referred to as|abbreviated|coined)\W+"
    r"(?:an?\s+|the\s+)?(?:[\w\-’']+\s*){1,5}\W*$",
    re.IGNORECASE,
)
_CREDIT = re.compile(
    r"\b(?:adapted|taken|reproduced|reprinted|modified|redrawn|extracted|copied|borrowed|adopted)\b"
    r"[^.;]{0,40}\b(?:from|after)\b|\b(?:source|credit|courtesy|image|figure|photo|data)s?\s*"
    r"(?:by|of|from|:)|^\W*(?:from|after|source)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?:|www\.|\burl\b|\.(?:org|com|net|io|edu)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Setting:
    """A citation group in its clause: the clause's text, and what stands right around the group."""

    text: str
    kind: str
    before: str
    after: str
    notes: tuple[str, ...]
    forms: tuple[CitationForm, ...]
    keys: int


def topic_still_read(reason: str) -> bool:
    """Whether a claim exempt for `reason` must still be about what the cited work is about."""
    return reason in _TOPIC_STILL_READ


def field_still_read(reason: str) -> bool:
    """Whether a claim exempt for `reason` must still cite works of the paper's own field."""
    return reason in _FIELD_STILL_READ


def exemption(setting: Setting) -> str:
    """Why the citation asserts nothing about its sources, or "" when it does assert something."""
    words = len(set(content_words(setting.text)))
    footnote = setting.kind == "footnote"
    credited = setting.kind in ("caption", "footnote") and _CREDIT.search(setting.before[-120:])
    reasons = (
        (setting.kind == "cell", CELL),
        (footnote and words < LONG_CLAUSE and _LINK.search(setting.text), LINK),
        (credited, CREDIT),
        (words < FEWEST_WORDS, SHORT),
        (_is_pointer(setting), POINTER),
        (_is_tool(setting), TOOL),
        (words < LONG_CLAUSE and _CALLED.search(setting.before[-90:]), NAMED),
        (setting.keys >= LIST_OF, BACKGROUND),
    )
    return next((reason for holds, reason in reasons if holds), "")


def _is_pointer(setting: Setting) -> bool:
    if any(_POINTER_NOTE.search(note) for note in setting.notes):
        return True
    if not _POINTER_BEFORE.search(setting.before[-60:]):
        return False
    # "For example, Lee (2019) shows that ..." asserts something; "see Lee (2019)" does not.
    return len(content_words(setting.after)) < FEWEST_WORDS


def _is_tool(setting: Setting) -> bool:
    """A proper name right before the citation, as the object of somebody's use of it."""
    before = setting.before[-160:]
    if CitationForm.TEXTUAL in setting.forms or not _ENDS_IN_NAME.search(before):
        return False
    if _OWN_USE.search(before) or _MADE_WITH.search(before):
        return True
    return bool(_ON_THING.search(before)) and setting.keys <= 2
