"""Rules on labels: what is referred to must be there, once."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from difflib import get_close_matches

from reviser.findings import Severity
from reviser.latex.elements import Label
from reviser.manuscript.model import Manuscript
from reviser.review.raised import Raised, raised, where
from reviser.review.requests import any_source, missing_inputs
from reviser.text.source import Place

_FOREIGN_LABELS = re.compile(r"\\(?:externaldocument|myexternaldocument|zexternaldocument\*?)\b")
_LABEL_MAKER = re.compile(r"\\label(?![A-Za-z])|\\phantomsection|label\s*=")
_ARGUMENT = re.compile(r"(?<=[{=\[,])[^{}\[\],=\\]{1,200}(?=[},\]])")
_LAST_PART = re.compile(r"[:/.\-_]")
_MADE_BY_PACKAGES = frozenset({"", "LastPage", "VeryLastPage", "TotPages"})
_HIDDEN = re.compile(r"\\else(?![A-Za-z])")
_NOT_A_NAME = re.compile(r"[\\#{}$^%]")
_MOST_SUGGESTED = 25  # undefined labels for which a near one is sought: it takes time


def undefined_reference(manuscript: Manuscript) -> Iterator[Raised]:
    """References to labels that are nowhere: ?? in the PDF."""
    if any_source(manuscript, _FOREIGN_LABELS) or missing_inputs(manuscript):
        return
    labels = {label.name.name for label in manuscript.labels}
    unknown = [
        key
        for reference in manuscript.references
        for key in reference.names
        if key.name not in labels
        and key.name not in _MADE_BY_PACKAGES
        and not _NOT_A_NAME.search(key.name)
    ]
    if not unknown:
        return
    written = _WrittenElsewhere(manuscript)
    suggestions: dict[str, str | None] = {}
    known = sorted(labels)
    for key in unknown:
        if written.holds(key.name):
            continue
        if key.name not in suggestions:
            tried = len(suggestions) < _MOST_SUGGESTED
            near = get_close_matches(key.name, known, n=1, cutoff=0.75) if tried else []
            suggestions[key.name] = near[0] if near else None
        near_label = suggestions[key.name]
        advice = f"Did you mean {near_label}?" if near_label else "Add the \\label, or correct it."
        yield raised(
            manuscript,
            key.at,
            f"There is no label {key.name}, so the PDF shows ??. {advice}",
            severity=Severity.ERROR,
            quote=key.name,
        )


class _WrittenElsewhere:
    """Names that stand as an argument somewhere else than in a reference or a comment.

    A paper's own macro may make labels in ways that are not understood here; a name that is
    written out elsewhere is not accused.
    """

    def __init__(self, manuscript: Manuscript) -> None:
        self.makers = any(_LABEL_MAKER.search(manuscript.text(m.body)) for m in manuscript.macros)
        apart: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for at in (
            *(r.at for r in manuscript.references),
            *(c.at for c in manuscript.comments),
            # Listings escape to TeX in their own ways, so a label in verbatim text may be real.
            *(s.at for s in manuscript.skipped if s.kind != "verbatim"),
        ):
            apart[at.path].append((at.span.start, at.span.stop))
        self.names: set[str] = set()
        for path, source in manuscript.sources.items():
            if path.lower().endswith((".bib", ".bbl")):
                continue
            # Blank what does not count; the ends of spans never cut a name that does.
            text, pieces, cursor = source.text, [], 0
            for start, stop in sorted(apart.get(path, ())):
                pieces.append(text[cursor : max(start, cursor)])
                cursor = max(stop, cursor)
            pieces.append(text[cursor:])
            for match in _ARGUMENT.finditer(" ".join(pieces)):
                self.names.add(match[0].strip())

    def holds(self, name: str) -> bool:
        if name in self.names:
            return True
        # A macro like \\newcommand{\\sec}[1]{\\label{sec:#1}} is used with the last part alone.
        last = _LAST_PART.split(name)[-1]
        return self.makers and bool(last) and last in self.names


def duplicate_label(manuscript: Manuscript) -> Iterator[Raised]:
    """Labels that are set twice: references go to the last of them."""
    places: dict[str, list[Label]] = defaultdict(list)
    for label in manuscript.labels:
        if label.name.editable and not _NOT_A_NAME.search(label.name.name):
            places[label.name.name].append(label)
    referred = Counter(key.name for reference in manuscript.references for key in reference.names)
    for name, labels in places.items():
        first, *others = sorted({label.at: label for label in labels}.values(), key=_at)
        again = [label for label in others if not _alternatives(manuscript, first, label)]
        if not again:
            continue
        used = f"{referred[name]} times" if referred[name] > 1 else "once"
        effect = (
            f"It is referred to {used}, and every reference goes to the last one."
            if referred[name]
            else "Nothing refers to it."
        )
        further = len(again) - 1
        more = f" and {further} more time{'s' * (further > 1)} below" if further else ""
        yield raised(
            manuscript,
            again[0].at,
            f"The label {name} is already set at {where(manuscript, first.at)}{more}. {effect} "
            "Give each its own name.",
            severity=Severity.WARNING if referred[name] else Severity.NOTE,
        )


def _at(label: Label) -> Place:
    return label.at


def _alternatives(manuscript: Manuscript, first: Label, second: Label) -> bool:
    """Whether an \\else stands between the two, so that TeX sees only one of them."""
    if first.at.path != second.at.path:
        return False
    text = manuscript.sources[first.at.path].text
    return bool(_HIDDEN.search(text, first.at.span.stop, second.at.span.start))
