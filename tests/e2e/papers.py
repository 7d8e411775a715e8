"""Papers for whole runs: the bundled survey with and without its faults, and a large one."""

import re
import tomllib
from pathlib import Path
from typing import Any

from reviser.latex.bib import read_bib
from reviser.text.source import Source
from tests.fakes.scholar.works import Work

DEMO = Path(__file__).resolve().parents[2] / "templates" / "demo"
_ENTRY = re.compile(r"^@\w+\{([^,\s]+),.*?^\}", re.MULTILINE | re.DOTALL)
_ABSTRACT = re.compile(r"abstract\s*=\s*\{(.*?)\},?\s*$", re.MULTILINE | re.DOTALL)
_SENTENCE = re.compile(r"(?<=[a-z]\.)\s+(?=[A-Z])")

FILES = 30
CITATIONS = 300
LINES_CHANGED = 40


def survey() -> dict[str, bytes]:
    """The bundled survey as it is, with its seeded faults."""
    return {
        path.relative_to(DEMO).as_posix(): path.read_bytes()
        for path in sorted([*DEMO.rglob("*.tex"), *DEMO.glob("*.bib")])
    }


def mended(*kept: str) -> dict[str, bytes]:
    """The bundled survey without its faults, but for those whose ids are `kept`."""
    files = {name: data.decode() for name, data in survey().items()}
    for fault in _faults():
        if fault["id"] in kept:
            continue
        for fix in fault["fix"]:
            assert fix["words"] in files[fix["file"]]
            files[fix["file"]] = files[fix["file"]].replace(fix["words"], fix["right"])
    return {name: text.encode() for name, text in files.items()}


def _faults() -> list[dict[str, Any]]:
    return tomllib.loads((DEMO / "FAULTS.toml").read_text(encoding="utf-8"))["fault"]


def bare(files: dict[str, bytes]) -> dict[str, bytes]:
    """The same paper with a bibliography as most are: without abstracts."""
    text = _ABSTRACT.sub("", files["references.bib"].decode())
    assert "abstract" not in text
    return {**files, "references.bib": text.encode()}


def library() -> list[Work]:
    """The works of the bundled survey, as literature services know them."""
    works = []
    for entry in read_bib(Source("references.bib", mended()["references.bib"].decode())).entries:
        names = [name.partition(", ") for name in entry.get("author").split(" and ")]
        works.append(
            Work(
                entry.get("title"),
                tuple(f"{n[2]} {n[0]}".strip() for n in names if n[0] != "others"),
                int(entry.get("year")),
                (entry.get("booktitle") or entry.get("journal") or entry.get("publisher")),
                entry.kind,
                doi=entry.get("doi").lower(),
                arxiv=entry.get("eprint"),
                abstract=entry.get("abstract"),
            )
        )
    return works


def large() -> tuple[dict[str, bytes], dict[str, bytes]]:
    """A paper of FILES files and CITATIONS citations, and what a pull request of LINES_CHANGED
    lines makes of it: sentences reworded, three works cited that do not belong, a key misspelt."""
    bibliography = mended()["references.bib"]
    strange = {key for fault in _faults() for key in fault.get("wrong", ())}
    known = []
    for entry in _ENTRY.finditer(bibliography.decode()):
        abstract = _ABSTRACT.search(entry[0])
        if abstract is not None and entry[1] not in strange:
            said = _SENTENCE.split(re.sub(r"\s+", " ", abstract[1]))
            known += [(entry[1], sentence.rstrip(".")) for sentence in said]
    sections = FILES - 2
    files = {"references.bib": bibliography, "main.tex": _main(sections).encode()}
    each, lines = CITATIONS // sections + 1, 0
    left = CITATIONS
    for number in range(sections):
        body = [rf"\section{{Part {number + 1}}}", ""]
        for place in range(min(each, left)):
            key, sentence = known[(number * each + place) % len(known)]
            lowered = sentence[0].lower() + sentence[1:]
            body.append(rf"In setting {number + 1}.{place + 1}, {lowered}~\citep{{{key}}}.")
            left -= 1
            lines += 1
        files[f"sections/part{number + 1:02}.tex"] = ("\n".join(body) + "\n").encode()
    assert left == 0
    assert len(files) == FILES
    return files, {**files, **_changed(files)}


def _main(sections: int) -> str:
    inputs = "\n".join(rf"\input{{sections/part{n + 1:02}}}" for n in range(sections))
    return (
        "\\documentclass{article}\n\\usepackage{natbib}\n\\title{A large survey}\n"
        f"\\begin{{document}}\n\\maketitle\n{inputs}\n"
        "\\bibliographystyle{plainnat}\n\\bibliography{references}\n\\end{document}\n"
    )


def _changed(files: dict[str, bytes]) -> dict[str, bytes]:
    changed, left = {}, LINES_CHANGED
    for name in sorted(files):
        if not name.startswith("sections/") or not left:
            continue
        lines = files[name].decode().split("\n")
        for number, line in enumerate(lines):
            if left and line.startswith("In setting"):
                lines[number] = line.replace("In setting", "As seen in setting", 1)
                left -= 1
                if left % 10 == 0:
                    lines[number] = re.sub(
                        r"\\citep\{(\w+)\}", r"\\citep{\1,deng2009imagenet}", lines[number]
                    )
                if left == 5:
                    lines[number] = re.sub(r"\\citep\{(\w+)\}", r"\\citep{\1x}", lines[number])
        changed[name] = "\n".join(lines).encode()
    assert not left
    return changed
