"""Which file is the paper, and which files nobody should edit."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reviser.errors import NoConclusion
from reviser.manuscript.files import folder_of, joined, normal
from reviser.manuscript.resolve import Found, Index, quick_includes, uncommented
from reviser.ports import ProjectFiles

_CANDIDATE_LIMIT = 64
_FILE_LIMIT = 2_000
_TOTAL_LIMIT = 50_000_000  # bytes looked at while searching
_LOOK_LIMIT = 1_000_000  # bytes looked at in one file: a longer one is data, not prose
_WORD_SAMPLE = 200_000  # characters
_REACH_LIMIT = 300  # files followed from one candidate
_INCLUDE_LIMIT = 300  # includes looked at in one file

_CLASS = re.compile(
    r"\\document(?:class|style)\s{0,99}(?:\[([^\]]{0,2000})\]\s{0,99})?\{\s{0,99}([^{}\s]{0,200})"
)
_BEGIN = re.compile(r"\\begin\s*\{\s*document\s*\}")
_BIBLIOGRAPHY = re.compile(
    r"\\(?:bibliography|addbibresource|printbibliography|nobibliography|begin\s*\{thebibliography)"
    r"\b"
)
_ROOT_LINE = re.compile(
    r"^%[ \t]{0,9}![ \t]{0,9}T[eE]X[ \t]{1,9}root[ \t]{0,9}=[ \t]{0,9}([^\s][^\r\n]{0,300})",
    re.MULTILINE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_NAME_PART = re.compile(r"[a-z]+")

_GOOD_NAMES = {
    "main": 3.0,
    **dict.fromkeys(("paper", "manuscript", "thesis", "article", "survey", "ms", "root"), 2.0),
    **dict.fromkeys(("dissertation", "report", "draft", "review", "book", "diploma"), 1.5),
}
# Words in a file's name (or its folder's) that speak against its being the paper.
_BAD_NAMES = frozenset(
    re.findall(
        r"\w+",
        """
        diff old save saved backup bak copy orig template templates sample samples example
        examples demo rebuttal response responses reply answer answers reviews reviewers letter
        cover slides presentation talk poster supplement supplementary supplemental suppl si
        appendix test tests figure figures fig figs tikz cv resume proposal submitted archive
        deprecated notes abstract checklist highlights autoref autoreferat titlepage
        """,
    )
)
_OTHER_CLASSES = re.compile(
    r"subfiles|standalone|beamer|powerdot|poster|letter|exam\b|minimal|moderncv|\bcv\b|leaflet"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that could be the paper; higher `score` is likelier, `because` says why."""

    name: str
    score: float
    because: str


@dataclass(slots=True)
class _Looked:
    """What a quick look at one .tex file shows."""

    name: str
    document_class: str | None
    options: str
    begins: bool
    words: int
    bibliography: bool
    includes: tuple[str, ...] = field(default=())
    root_line: str | None = None


def main_file(files: ProjectFiles, *, named: str | None = None, folder: str = "") -> str:
    """The name of the paper's main file.

    `named` is a file the user asked for: it is taken as it is when it is a document of its own,
    else its `% !TEX root` line, its subfiles class or the one document that includes it decides.
    Without it, the likeliest document in `folder` is taken. Raises NoConclusion, listing what
    there is, when there is none.
    """
    index = Index(files)
    if named is not None:
        return _from_named(files, index, named)
    found = _ranked(_looked_at(files, index, folder))
    if not found:
        raise NoConclusion(
            "no main file: no .tex file here has \\documentclass and \\begin{document}",
            hint=_what_there_is(index.names, folder),
        )
    return found[0].name


def candidates(files: ProjectFiles, *, folder: str = "") -> tuple[Candidate, ...]:
    """Every file in `folder` that could be the paper, likeliest first, at most 64."""
    return _ranked(_looked_at(files, Index(files), folder))


def _what_there_is(names: Sequence[str], folder: str) -> str:
    tex = [n for n in names if _is_tex(n) and _inside(n, folder)]
    if not tex:
        return "There is no .tex file in this folder: name the paper's main file or its folder."
    shown = ", ".join(tex[:8]) + (f" and {len(tex) - 8} more" if len(tex) > 8 else "")
    return f"Name the main file, or set `main` in reviser.toml. Read here: {shown}."


def _from_named(files: ProjectFiles, index: Index, named: str) -> str:
    name = normal(named)
    data = files.read(name)
    if not isinstance(data, bytes):
        why = "there is no such file" if data is None else f"it is not read, because {data.why}"
        raise NoConclusion(f"{named}: {why}", hint=_what_there_is(index.names, ""))
    looked = _look(name, data, index)
    for wish in _parents(looked):
        parent = index.tex(wish, (folder_of(name),))
        if isinstance(parent, Found) and parent.name != name:
            return parent.name
    if looked.document_class is not None or looked.begins:
        return name
    return _includer(_looked_at(files, index, ""), name) or name


def _parents(looked: _Looked) -> Iterator[str]:
    """The main files that a part of a paper names itself."""
    if looked.document_class == "subfiles" and looked.options:
        yield looked.options.strip()
    if looked.root_line and looked.document_class is None:
        yield looked.root_line


def _includer(looked: dict[str, _Looked], name: str) -> str | None:
    """The likeliest document that includes `name`, itself or through others."""
    for candidate in _ranked(looked):
        if name in _reach(looked, candidate.name):
            return candidate.name
    return None


def _is_tex(name: str) -> bool:
    return name.lower().endswith((".tex", ".ltx"))


def _inside(name: str, folder: str) -> bool:
    return not folder or name.startswith(f"{folder}/")


def _looked_at(files: ProjectFiles, index: Index, folder: str) -> dict[str, _Looked]:
    # Shallow files first: where a project has more than the limits allow, the paper is up there.
    names = sorted(
        (n for n in index.names if _is_tex(n) and _inside(n, folder)),
        key=lambda n: (n.count("/"), n),
    )
    looked: dict[str, _Looked] = {}
    total = 0
    for name in names[:_FILE_LIMIT]:
        data = files.read(name)
        if isinstance(data, bytes):
            looked[name] = _look(name, data, index)
            total += len(data)
        if total > _TOTAL_LIMIT:
            break
    return looked


def _look(name: str, data: bytes, index: Index) -> _Looked:
    raw = data[:_LOOK_LIMIT].decode("utf-8", "replace")
    text = uncommented(raw)
    # Plain searches first: a drawing of a megabyte has a million backslashes and none of these.
    opening = _CLASS.search(text) if "\\document" in text else None
    begins = _BEGIN.search(text) if "document" in text else None
    root = _ROOT_LINE.search(raw)
    folders = (folder_of(name), "")
    includes = []
    for folder, target in quick_includes(text)[:_INCLUDE_LIMIT]:
        for place in {joined(base, folder) for base in folders} if folder else folders:
            found = index.tex(target, (place,))
            if isinstance(found, Found):
                includes.append(found.name)
                break
    return _Looked(
        name,
        opening[2].lower() if opening else None,
        (opening[1] or "") if opening else "",
        begins is not None,
        _words(text, begins.end() if begins else 0),
        _BIBLIOGRAPHY.search(text) is not None,
        tuple(includes),
        root[1].strip() if root else None,
    )


def _words(text: str, start: int) -> int:
    """About how many words there are from `start` on: counted in a part of a long text."""
    sample = text[start : start + _WORD_SAMPLE]
    return len(_WORD.findall(sample)) * max(len(text) - start, 1) // max(len(sample), 1)


def _reach(looked: dict[str, _Looked], name: str) -> set[str]:
    """The files that `name` includes, through any number of others; itself not unless a cycle."""
    reached: set[str] = set()
    waiting = [name]
    while waiting and len(reached) < _REACH_LIMIT:
        here = looked.get(waiting.pop())
        new = [n for n in here.includes if n not in reached] if here else []
        reached.update(new)
        waiting += new
    return reached


def _ranked(looked: dict[str, _Looked]) -> tuple[Candidate, ...]:
    """Documents that no other document includes; where there are none, files that come near."""
    whole = [f for f in looked.values() if f.document_class is not None and f.begins]
    near = whole or [f for f in looked.values() if f.begins] or []
    near.sort(key=lambda f: (f.name.count("/"), f.name))
    reach = {name: _reach(looked, name) for name in looked}
    included = {
        part
        for f in looked.values()
        for part in f.includes
        if part != f.name and f.name not in reach.get(part, ())
    }
    free = [f for f in near if f.name not in included] or near
    scored = [_scored(looked, f) for f in free[:_CANDIDATE_LIMIT]]
    return tuple(sorted(scored, key=lambda c: (-c.score, c.name.count("/"), c.name)))


def _scored(looked: dict[str, _Looked], file: _Looked) -> Candidate:
    parts = [looked[n] for n in {file.name, *_reach(looked, file.name)} if n in looked]
    words = sum(part.words for part in parts)
    score = 1.5 * math.log10(1 + words)
    reasons = [f"{words} words"]
    if any(part.bibliography for part in parts):
        score += 3
        reasons.append("has a bibliography")
    folder, _, base = file.name.lower().rpartition("/")
    stem = _NAME_PART.findall(base.rpartition(".")[0])
    good = max((_GOOD_NAMES.get(part, 0.0) for part in stem), default=0.0)
    bad = next((part for part in stem if part in _BAD_NAMES), None)
    odd_folder = next((p for p in _NAME_PART.findall(folder) if p in _BAD_NAMES), None)
    score += good if bad is None else -4
    score -= (2 if odd_folder else 0) + 0.5 * file.name.count("/")
    if good and bad is None:
        reasons.append("named like a paper")
    reasons += [f"named '{part}'" for part in (bad, odd_folder) if part]
    if file.document_class and _OTHER_CLASSES.search(file.document_class):
        score -= 6
        reasons.append(f"of class {file.document_class}")
    return Candidate(file.name, round(score, 3), ", ".join(reasons))
