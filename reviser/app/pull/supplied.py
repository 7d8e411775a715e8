"""What verdicts rest on that the author brought, or changed, in the pull request itself."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from reviser.adapters.exports import EXTENSIONS as EXPORTS
from reviser.adapters.source_folder import EXTENSIONS, file_stem
from reviser.app.pull.sides import Change, Side
from reviser.app.settings import SETTINGS_FILE, FileSettings
from reviser.deliver.plan import Supplied
from reviser.findings import Finding
from reviser.latex.elements import BibEntry
from reviser.manuscript.model import Manuscript
from reviser.review.suppress import directives
from reviser.text.source import Place
from reviser.verify.evidence import LONG_NOTE

ABSTRACT = "abstract"
TEXT = "source text"
SETTING = "setting"
SUPPRESSION = "suppression"
_READ_AS_EVIDENCE = ("abstract", "annote", "annotation")
_PARENTS = ("crossref", "xdata")


@dataclass(frozen=True)
class Brought:
    """The evidence, settings and suppressions that are new. `texts` are the keys whose abstract
    (or note) or text changed, in lower case, with the words that say so; likewise by file name
    files that hold texts of no key in particular."""

    all: tuple[Supplied, ...]
    texts: Mapping[str, tuple[str, ...]]

    def behind(self, finding: Finding, subject: str) -> tuple[str, ...]:
        """What of it a finding about `subject` rests on."""
        keys = [subject, *(name for e in finding.evidence for name in (e.key, e.origin) if name)]
        said = (words for key in keys for words in self.texts.get(key.lower(), ()))
        return tuple(dict.fromkeys(said))


def brought(head: Side, base: Side | None, change: Change) -> Brought:
    """Compare the two commits; where the merge base could not be read, what stands on changed
    lines is new."""
    paper = head.opened.manuscript
    if base is None:
        abstracts, suppressions = _abstracts(paper, None), _suppressions(paper, None)
        evidence = [
            *(one for one, at in abstracts if _touched(paper, at, change)),
            *_texts(head, change),
        ]
        old = FileSettings() if head.file.where.partition(",")[0] in change.touched else head.file
        quiet = [one for one, at in suppressions if _touched(paper, at, change)]
    else:
        before = base.opened.manuscript
        evidence = [*(one for one, _ in _abstracts(paper, before)), *_texts(head, change)]
        old = base.file
        quiet = [one for one, _ in _suppressions(paper, before)]
    said = [*evidence, *_settings(head.file, old), *quiet]
    texts: dict[str, tuple[str, ...]] = {}
    for item in evidence:
        key = item.name.lower()
        texts[key] = (*texts.get(key, ()), f"{item.kind} of {item.name}")
    for entry in paper.entries:
        for parent in _parents(entry):
            if parent in texts:
                texts[entry.key.lower()] = (*texts.get(entry.key.lower(), ()), *texts[parent])
    return Brought(tuple(said), texts)


def _touched(paper: Manuscript, at: Place, change: Change) -> bool:
    first, last = paper.lines(at)
    return any(start <= last and first <= stop for start, stop in change.touched.get(at.path, ()))


def _parents(entry: BibEntry) -> Iterator[str]:
    for name in _PARENTS:
        yield from (key.strip().lower() for key in entry.get(name).split(",") if key.strip())


def _abstracts(paper: Manuscript, before: Manuscript | None) -> Iterator[tuple[Supplied, Place]]:
    """Entries whose evidence is new. Where the fields are told apart by place alone (a moved
    entry, another indentation) they are the same."""
    for key, entry in paper.entry_of.items():
        old = before.entry_of.get(key) if before is not None else None
        was = _evidence(old) if old is not None else ()
        if any(text and text not in was for text in _evidence(entry)):
            yield Supplied(ABSTRACT, entry.key, entry.at.path), entry.at


def _evidence(entry: BibEntry) -> tuple[str, ...]:
    note = entry.get("note")
    long = note if len(note.split()) >= LONG_NOTE else ""
    return (*(entry.get(name) for name in _READ_AS_EVIDENCE), long)


def _texts(head: Side, change: Change) -> Iterator[Supplied]:
    opened = head.opened
    if "sources" not in opened.settings.from_file:
        return
    stems: dict[str, list[str]] = {}
    for entry in opened.manuscript.entries:
        stems.setdefault(file_stem(entry.key).casefold(), []).append(entry.key)
    places = {PurePosixPath(place) for place in opened.settings.sources}
    for path in sorted(change.touched):
        file = PurePosixPath(path)
        kinds = {*EXTENSIONS, *EXPORTS}
        if (file.parent in places or file in places) and file.suffix.lower() in kinds:
            keys = stems.get(file.stem.casefold(), ())
            for name in dict.fromkeys(keys) or (file.name,):
                yield Supplied(TEXT, name, path)


def _settings(now: FileSettings, before: FileSettings) -> Iterator[Supplied]:
    path = now.where.partition(",")[0] or before.where.partition(",")[0] or SETTINGS_FILE
    for name in sorted({*now.values, *before.values}):
        if now.values.get(name) != before.values.get(name):
            yield Supplied(SETTING, name, path)
    for ignore in now.ignores:
        if ignore not in before.ignores:
            yield Supplied(SUPPRESSION, ignore.rule, path)


def _suppressions(paper: Manuscript, before: Manuscript | None) -> Iterator[tuple[Supplied, Place]]:
    """Comments that silence a rule, more of them in the paper than before: one that moved to
    another line or file is not new."""
    old = Counter(rules for _, rules in directives(before)) if before is not None else Counter()
    for at, rules in directives(paper):
        old[rules] -= 1
        if old[rules] < 0:
            for rule in rules:
                yield Supplied(SUPPRESSION, rule, at.path), at
