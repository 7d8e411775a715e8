"""A small language for tests of the gate: a paper in one string, edits as before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.revise.evidence import Evidence, Known
from reviser.text.edit import Allowed, Edit, Purpose, Replacement
from reviser.text.source import Place, Source, Span
from reviser.verify.model import Claim, Label, Support

REFS = "".join(
    f"@misc{{{key}, title = {{On {key}}}, year = {{20{n:02}}}}}\n" for n, key in enumerate("abcdef")
)


class Paper:
    """A paper and a way to read it again, in English however short it is."""

    def __init__(self, files: Memory) -> None:
        self._reading = Reading(files)
        self.manuscript = replace(self._reading.manuscript, language="en")

    def reread(self, changed: Mapping[str, Source]) -> Manuscript:
        """The paper with these files."""
        return replace(self._reading.reread(changed), language="en")


def reading(body: str, bib: str = REFS, **more: str) -> Paper:
    """A paper with this body, this refs.bib, and more .tex files by their stems."""
    main = (
        "\\documentclass{article}\n\\begin{document}\n\\section{One}\\label{one}\n"
        f"{body}\n\\bibliography{{refs}}\n\\end{{document}}\n"
    )
    files = {"main.tex": main, "refs.bib": bib}
    files |= {f"{stem}.tex": text for stem, text in more.items()}
    return Paper(Memory({name: text.encode() for name, text in files.items()}))


def put(
    paper: Manuscript,
    old: str,
    new: str,
    *,
    at: str = "",
    path: str = "main.tex",
    purpose: Purpose = Purpose.RULE_FIX,
    allows: Sequence[Allowed] = (),
    name: str = "e",
) -> Edit:
    """The edit that puts `new` for `old`, which stands once in the file, or once in `at` there."""
    text = paper.sources[path].text
    context = at or old
    assert text.count(context) == 1, f"{context!r} stands {text.count(context)} times"
    start = text.index(context) + context.index(old)
    part = Replacement(Place(path, Span(start, start + len(old))), old, new)
    return Edit(name, "test", (part,), purpose, "because", tuple(allows))


def key_at(paper: Manuscript, citation: int, key: str) -> Place:
    """Where `key` stands in the citation of that number."""
    return next(k.at for k in paper.citations[citation].keys if k.name == key)


def prune(paper: Manuscript, citation: int, key: str) -> Edit:
    """Take `key` and the comma before it (after it, for the first) out of a citation."""
    keys = paper.citations[citation].keys
    index = [k.name for k in keys].index(key)
    if index:
        span = Span(keys[index - 1].at.span.stop, keys[index].at.span.stop)
    else:
        span = Span(keys[0].at.span.start, keys[1].at.span.start)
    place = Place(keys[index].at.path, span)
    allowed = Allowed("citation key", keys[index].at, key, None)
    part = Replacement(place, paper.text(place), "")
    return Edit(f"prune {key}", "test", (part,), Purpose.PRUNE, "off topic", (allowed,))


def swap(paper: Manuscript, citation: int, old: str, new: str) -> Edit:
    """Put another key in the place of `old`."""
    at = key_at(paper, citation, old)
    allowed = Allowed("citation key", at, old, new)
    part = Replacement(at, old, new)
    return Edit(f"{old} to {new}", "test", (part,), Purpose.REPLACE, "off topic", (allowed,))


def evidence(
    labels: Mapping[str, Label],
    scores: Mapping[str, float] | None = None,
    check: str = "topic",
) -> Evidence:
    """One claim per citation; each key has the label and score given, on topic and .5 if none."""

    def known(paper: Manuscript) -> Known:
        claims, supports = [], []
        for number, citation in enumerate(paper.citations):
            keys = tuple(key.name for key in citation.keys)
            for key in keys:
                score = (scores or {}).get(key, 0.5)
                label = labels.get(key, Label.ON_TOPIC)
                supports.append(Support(number, key, label, score, check, "said so"))
            claims.append(Claim(citation.at, "claim", 0, (number,), keys))
        return Known(tuple(claims), tuple(supports))

    return known
