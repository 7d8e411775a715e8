"""A manuscript from a few files."""

import re

from reviser.latex.bbl import read_bbl
from reviser.latex.bib import read_bib
from reviser.latex.elements import (
    Citation,
    CitationForm,
    Comment,
    Key,
    Label,
    Macro,
    Math,
    Reference,
    Unparsed,
)
from reviser.manuscript.model import FileFacts, Manuscript
from reviser.text.source import Place, Source, Span


def manuscript_of(files: dict[str, str]) -> Manuscript:
    sources = {name: Source(name, text) for name, text in files.items()}
    cites, labels, refs, entries, comments, macros, unparsed = [], [], [], [], [], [], []
    for path, source in sources.items():
        if path.endswith(".bib"):
            entries += read_bib(source).entries
            continue
        entries += read_bbl(source)
        comments += [
            Comment(Place(path, Span(*m.span())))
            for m in re.finditer(r"(?<!\\)%[^\r\n]*", source.text)
        ]
        macros += [
            Macro(
                m[1],
                Place(path, Span(*m.span())),
                "newcommand",
                1,
                None,
                Place(path, Span(*m.span(2))),
            )
            for m in re.finditer(r"\\newcommand\{\\(\w+)\}\[1\]\{(.*)\}", source.text)
        ]
        unparsed += [
            Unparsed(Place(path, Span(*m.span())), "the file was not found")
            for m in re.finditer(r"\\input\{\w+\}", source.text)
        ]
        for m in re.finditer(r"\\(cite[a-z]*|nocite|ref|eqref|label)\{([^{}]*)\}", source.text):
            at = Place(path, Span(*m.span()))
            if any(c.at.path == path and c.at.span.covers(at.span) for c in comments):
                continue
            keys, offset = [], m.start(2)
            for part in m[2].split(","):
                start = offset + len(part) - len(part.lstrip())
                keys.append(Key(part.strip(), Place(path, Span(start, start + len(part.strip())))))
                offset += len(part) + 1
            if m[1] == "label":
                labels.append(Label(at, keys[0]))
            elif m[1].endswith("ref"):
                refs.append(Reference(at, m[1], tuple(keys)))
            else:
                cites.append(Citation(at, m[1], CitationForm.PARENTHETICAL, tuple(keys)))
    return Manuscript(
        main=next(iter(files)),
        sources=sources,
        files=tuple(FileFacts(p, "utf-8", s.newline, _role(p, files)) for p, s in sources.items()),
        sections=(),
        paragraphs=(),
        sentences=(),
        citations=tuple(cites),
        labels=tuple(labels),
        references=tuple(refs),
        floats=(),
        footnotes=(),
        math=tuple(
            Math(Place(path, Span(*m.span())), display=False)
            for path, source in sources.items()
            for m in re.finditer(r"\$[^$\n]+\$", source.text)
        ),
        comments=tuple(comments),
        skipped=(),
        macros=tuple(macros),
        bibliography=tuple(p for p in files if p.endswith((".bib", ".bbl"))),
        entries=tuple(entries),
        unparsed=tuple(unparsed),
        language="en",
    )


def _role(path: str, files: dict[str, str]) -> str:
    if path.endswith(".bib"):
        return "bibliography"
    return "main" if path == next(iter(files)) else "input"
