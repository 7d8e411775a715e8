"""The rule on what a chatbot leaves in pasted text: its phrases, its markup, its source marks.

Papers about chatbots quote all of this, so words in quotation marks, italics, listings, boxes and
tables are left alone. The phrases are those in which an assistant speaks of itself or to its user.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reviser.findings import Severity
from reviser.manuscript.model import Manuscript
from reviser.review.raised import Raised, raised
from reviser.review.typeset import Hit, Page, matches, pages, reported
from reviser.text.source import Place, Span


@dataclass(frozen=True, slots=True)
class _Words:
    """A pattern, and words of which one stands wherever it matches (in small letters where case
    does not count, one blank for any gap): a cheap look first, since hardly any paper has them."""

    pattern: re.Pattern[str]
    anchors: tuple[str, ...]


def _phrase(pattern: str, *anchors: str) -> _Words:
    """Words in any case; a space stands for any gap between them, line ends included."""
    return _Words(re.compile(pattern.replace(" ", r"[\s~]{1,8}"), re.IGNORECASE), anchors)


def _exact(pattern: str, *anchors: str) -> _Words:
    return _Words(re.compile(pattern, re.MULTILINE), anchors)


# A sentence begins here, or a line: assistants open with these words, people hardly ever.
_OPENS = r"(?:^|(?<=[.!?:\n}])|(?<=[.!?:\n}]\s))"

_PHRASES = (
    _phrase(
        r"\bas an? (?:(?:AI|artificial intelligence|large|language)[\s~]{1,8}){1,3}"
        r"(?:model|assistant)(?: trained by \w{1,20})?,? (?:I|my)\b",
        *(
            f"as {article} {word}"
            for article in ("a", "an")
            for word in ("ai", "artificial", "large", "language")
        ),
    ),
    _phrase(
        r"\bas an AI(?: (?:system|chatbot|developed by \w{1,20}))?, I"
        r" (?:do not|don['’]t|cannot|can['’]t|am"
        r"|lack|have)\b"
        r"|\bI (?:do not|don['’]t) have access to (?:real-time|the internet|current"
        r"|up-to-date|your)\b",
        "as an ai",
        "have access to",
    ),
    _phrase(
        r"\bas of my (?:last|latest|most recent) (?:knowledge |training )?"
        r"(?:update|cut-?off|training)\b"
        r"|\bmy (?:last )?(?:knowledge|training)(?: data)? (?:cut-?off|only goes|goes up)\b",
        "as of my",
        "my last",
        "my knowledge",
        "my training",
    ),
    _phrase(
        r"\bI hope this (?:helps\b|meets your|is helpful|answers your|clarifies your)"
        r"|\blet me know if (?:you(?:['’]d| would)? (?:like|need|want|have)|there is anything)"
        r"|\bfeel free to (?:ask|reach out|let me know|modify (?:it|this)|adjust (?:it|this))\b"
        r"|\bwould you like me to\b|\bis there anything else (?:I can|you)\b",
        "i hope this",
        "let me know if",
        "feel free to",
        "would you like me",
        "anything else",
    ),
    _phrase(
        r"\bI apologi[sz]e for (?:the|any) (?:confusion|inconvenience|misunderstanding)\b"
        r"|\bI(?:['’]m| am) sorry,? but I (?:cannot|can['’]t|am unable|don['’]t)"
        r"|\bI (?:cannot|can['’]t|am unable to) (?:fulfil|fulfill|assist with|browse|help with)"
        r" (?:that|this|your|the|real-time) (?:request|task|internet|web|question|data)\b",
        "i apolog",
        "sorry",
        "i cannot",
        "i can't",
        "i can’t",
        "am unable",
    ),
)
_OPENINGS = (
    _exact(
        _OPENS + r"(?:Certainly|Sure|Of course|Absolutely)[!,.:][\s~]{1,4}"
        r"(?:[Hh]ere(?:['’]s| is| are)\b|I(?:['’]ll| will| can| would) \w"
        r"|[Bb]elow (?:is|are)\b|[Ll]et me )",
        "Certainly",
        "Sure",
        "Of course",
        "Absolutely",
    ),
    _exact(
        _OPENS + r"Here(?:['’]s| is| are) (?:an? |the |some |your )?(?:[\w-]{1,20} ){0,3}"
        r"(?:version|rewrite|paraphrase|draft|revision)s? of (?:the|your) "
        r"(?:text|paragraph|passage|sentence|abstract|introduction|section|essay)\b"
        r"[^.\n]{0,80}:(?=\s)",
        "Here is",
        "Here are",
        "Here's",
        "Here’s",
    ),
    _exact(
        r"(?:(?<=[.\n}])|(?<=[.\n}] ))Regenerate response(?=\s{0,9}(?:[A-Z\\.\n]|\Z))",
        "Regenerate response",
    ),
)
_MARKS = (
    _exact(
        r"【\d{1,3}†[^】\n]{0,80}】|:?\bcontentReference\[[^\]\n]{0,60}\]"
        r"|\boai_?cit(?:e|ation)\b"
        r"|\bturn[0-9]{1,3}(?:search|news|view|image|fetch|file|academia|finance|maps)\d{1,3}\b",
        "【",
        "oaicite",
        "oai_citation",
        "contentReference",
        *(f"turn{digit}" for digit in range(10)),
    ),
    _exact(
        r"[?&]utm\\?_source=(?:chatgpt(?:\.com)?|openai|copilot(?:\.com)?|perplexity(?:\.ai)?"
        r"|claude(?:\.ai)?)(?!\w)",
        "_source=",
    ),
)
_MARKDOWN = (
    _exact(
        r"^[ \t]{0,3}#{2,6} [A-Z][^\n#]{2,100}$"
        r"|(?<![\w*$\\}])\*\*(?=[A-Za-z])[^*\n$\\&{}]{1,80}(?<=[\w.:!?)])\*\*(?![\w*])"
        r"|\[[^\]\[\n\\]{2,100}\]\(https?://|^[ \t]{0,3}```[a-z]{0,12}[ \t]*$",
        "##",
        "**",
        "](http",
        "```",
    ),
)


def chatbot_leftover(manuscript: Manuscript) -> Iterable[Raised]:
    """Words of a chatbot's answer, or its markup, that were pasted along with the text."""
    for page in pages(manuscript):
        yield from reported(manuscript, page, _words(page))
    for entry in manuscript.entries:
        for field in entry.fields:
            if entry.kind == "bibitem" or field.name in ("abstract", "title"):
                continue
            if found := _mark(field.raw):
                start = field.at.span.start + found.start()
                at = Place(field.at.path, Span(start, start + len(found[0])))
                message = _message(found[0])
                yield raised(manuscript, at, message, severity=Severity.WARNING)


def _words(page: Page) -> Iterator[Hit]:
    text = " ".join(page.live.replace("~", " ").split())
    lowered = text.lower()
    said: list[re.Match[str]] = []
    for words in (*_PHRASES, *_OPENINGS, *_MARKS, *_MARKDOWN):
        searched = lowered if words.pattern.flags & re.IGNORECASE else text
        if not any(anchor in searched for anchor in words.anchors):
            continue
        said += matches(words.pattern, page.live, page.body)
    reached = 0
    for match in sorted(said, key=lambda match: match.span()):
        # One opening may match twice ("Certainly! Here is a revised version ...").
        if match.start() >= reached and not page.quotes(*match.span(), styled=True):
            yield Hit(match.start(), match.end(), _message(match[0]))
            reached = match.end()


def _mark(text: str) -> re.Match[str] | None:
    """A mark that only a chatbot leaves, in a bibliography field."""
    for words in _MARKS:
        if any(anchor in text for anchor in words.anchors):
            found = words.pattern.search(text)
            if found:
                return found
    return None


def _message(words: str) -> str:
    if "utm" in words:
        return "This address says which chatbot it was copied from. Remove the utm_source part."
    if words.lstrip().startswith(("#", "*", "[", "`")):
        return "Markdown is printed as it stands. Write it as LaTeX, and see what came with it."
    return (
        "This reads like a chatbot's answer that was pasted along with its text. Remove it, and "
        "check what stands around it."
    )
