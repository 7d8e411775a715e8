"""What was read of a paper, as versioned JSON: `reviser inspect PATH --format json`.

The shape is `Report`, and `templates/schemas/inspect.schema.json` says the same to machines.
`start` and `stop` are code points of the decoded file, half-open (a byte-order mark counts as
one); lines are 1-based; indices point into the lists of the same report. Lists are in reading
order: included files are followed where they stand. Within version 1 members may be added;
none is renamed, removed or given another meaning.
"""

from typing import TypedDict

from reviser.app.works_output import WorkReport
from reviser.manuscript.model import Manuscript
from reviser.text.source import Place

SCHEMA = "reviser.inspect/1"


class Located(TypedDict):
    """Where something stands; `line` is the line of its first character."""

    path: str
    start: int
    stop: int
    line: int


class FileReport(TypedDict):
    """One file. `newline` is lf, crlf, cr, mixed or none; `role` main, input, bibliography, bbl
    or style; `untouchable` says why reviser never edits it, empty when it may."""

    path: str
    encoding: str
    newline: str
    role: str
    untouchable: str


class SectionReport(Located):
    """`level` is 0 for a part, 1 a chapter, 2 a section ... and -1 for what stands before the
    first heading, which is always section 0."""

    title: str
    level: int
    parent: int | None


class SentenceReport(TypedDict):
    """`plain` is the text without markup; `kind` body, abstract, caption, footnote, title, item
    or cell; `section` an index."""

    plain: str
    kind: str
    section: int
    path: str
    start: int
    stop: int
    first_line: int
    last_line: int


class CitationReport(Located):
    """`command` has no backslash; `via` is the standard command behind a macro of the paper;
    `sentence` is the index of the sentence it stands in, null outside prose (and for nocite)."""

    command: str
    via: str | None
    form: str
    keys: list[str]
    sentence: int | None


class EntryReport(Located):
    """`kind` and `fields` (the fields' names, in order) are lower case."""

    key: str
    kind: str
    fields: list[str]


class LabelReport(Located):
    """A label where it is set."""

    name: str


class ReferenceReport(Located):
    """A use of labels."""

    command: str
    names: list[str]


class UnparsedReport(Located):
    """What could not be read, and why."""

    why: str


class Report(TypedDict):
    """All that was read. `language` is an ISO 639-1 code, empty when unsure."""

    schema: str
    main: str
    language: str
    files: list[FileReport]
    sections: list[SectionReport]
    sentences: list[SentenceReport]
    citations: list[CitationReport]
    entries: list[EntryReport]
    labels: list[LabelReport]
    refs: list[ReferenceReport]
    unparsed: list[UnparsedReport]
    works: list[WorkReport] | None


def report(manuscript: Manuscript, works: list[WorkReport] | None = None) -> Report:
    """The report of one paper; `json.dumps` takes it as it is, whatever the paper holds. `works`
    are the cited works that were looked for, None where nobody was to look."""
    return Report(
        schema=SCHEMA,
        main=clean(manuscript.main),
        language=manuscript.language,
        files=[
            FileReport(
                path=clean(facts.path),
                encoding=facts.encoding,
                newline=facts.newline,
                role=facts.role,
                untouchable=clean(facts.untouchable),
            )
            for facts in manuscript.files
        ],
        sections=_sections(manuscript),
        sentences=_sentences(manuscript),
        citations=_citations(manuscript),
        entries=[
            EntryReport(
                **_located(manuscript, entry.at),
                key=clean(entry.key),
                kind=clean(entry.kind),
                fields=[clean(field.name) for field in entry.fields],
            )
            for entry in manuscript.entries
        ],
        labels=[
            LabelReport(**_located(manuscript, label.at), name=clean(label.name.name))
            for label in manuscript.labels
        ],
        refs=[
            ReferenceReport(
                **_located(manuscript, reference.at),
                command=clean(reference.command),
                names=[clean(key.name) for key in reference.names],
            )
            for reference in manuscript.references
        ],
        unparsed=[
            UnparsedReport(**_located(manuscript, lost.at), why=clean(lost.why))
            for lost in manuscript.unparsed
        ],
        works=works,
    )


def clean(text: str) -> str:
    """`text` as UTF-8 can write it: lone surrogates (undecodable file names) become escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _located(manuscript: Manuscript, place: Place) -> Located:
    return Located(
        path=clean(place.path),
        start=place.span.start,
        stop=place.span.stop,
        line=manuscript.lines(place)[0],
    )


def _sections(manuscript: Manuscript) -> list[SectionReport]:
    return [
        SectionReport(
            **_located(manuscript, section.at),
            title=clean(section.title),
            level=section.level,
            parent=section.parent,
        )
        for section in manuscript.sections
    ]


def _sentences(manuscript: Manuscript) -> list[SentenceReport]:
    reports = []
    for sentence in manuscript.sentences:
        first, last = manuscript.lines(sentence.at)
        reports.append(
            SentenceReport(
                plain=clean(sentence.plain),
                kind=sentence.kind,
                section=sentence.section,
                path=clean(sentence.at.path),
                start=sentence.at.span.start,
                stop=sentence.at.span.stop,
                first_line=first,
                last_line=last,
            )
        )
    return reports


def _citations(manuscript: Manuscript) -> list[CitationReport]:
    return [
        CitationReport(
            **_located(manuscript, citation.at),
            command=clean(citation.command),
            via=None if citation.via is None else clean(citation.via),
            form=citation.form.value,
            keys=[clean(key.name) for key in citation.keys],
            sentence=manuscript.sentence_of.get(index),
        )
        for index, citation in enumerate(manuscript.citations)
    ]
