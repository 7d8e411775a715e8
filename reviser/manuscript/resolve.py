"""From the name a paper writes to the file it means, as TeX would look for it."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from reviser.manuscript.files import forbidden, joined, normal
from reviser.ports import ProjectFiles, Refused

_TEX_ENDINGS = (".tex", ".ltx")


@dataclass(frozen=True, slots=True)
class Found:
    """A file of the project. `remark` is empty, or says how the paper spells it wrongly."""

    name: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Lost:
    """No such file, or one that may not be read; `why` completes "`target`: ..."."""

    why: str


class Index:
    """The names of a project, ready to be asked for in any case and any Unicode form."""

    def __init__(self, files: ProjectFiles) -> None:
        self._files = files
        self.names = tuple(files.names())
        self._known = frozenset(self.names)
        self._folded: dict[str, str] = {}
        for name in self.names:
            self._folded.setdefault(_fold(name), name)

    def tex(self, target: str, folders: Sequence[str]) -> Found | Lost:
        """The file that \\input{target} reads, tried in each of `folders` in turn."""
        endings = ("", ".tex") if target.lower().endswith(_TEX_ENDINGS) else (".tex", ".ltx", "")
        return self._first(target, [target + ending for ending in endings], folders)

    def bibliography(self, target: str, folders: Sequence[str]) -> Found | Lost:
        """The file that \\bibliography{target} reads.

        Where no folder has it, the only file of that name in the whole project is taken: papers
        find their .bib through BIBINPUTS, which stands in no file.
        """
        wanted = target if target.lower().endswith(".bib") else f"{target}.bib"
        found = self._first(target, [wanted], folders)
        if isinstance(found, Found) or forbidden(normal(wanted)):
            return found
        base = wanted.rpartition("/")[2]
        same = [name for name in self.names if name.rpartition("/")[2] == base]
        if len(same) == 1:
            return Found(same[0], f"read from {same[0]}, the only file of that name")
        return found

    def style(self, target: str, ending: str, folders: Sequence[str]) -> Found | Lost:
        """A .sty or .cls that the project brings itself (`ending` with its dot)."""
        return self._first(target, [target + ending], folders)

    def _first(self, target: str, wanted: Sequence[str], folders: Sequence[str]) -> Found | Lost:
        refused = None
        for fold in (False, True):
            for folder in folders:
                for name in (joined(folder, each) for each in wanted):
                    why = forbidden(name)
                    if why:
                        refused = refused or why
                    elif name in self._known:
                        return Found(name)
                    elif fold and (known := self._folded.get(_fold(name))):
                        return Found(known, f"spelled {known} on disk, not {name}")
        if not target.strip():
            return Lost("no file is named")
        refused = refused or self._refusal([joined(f, each) for f in folders for each in wanted])
        return Lost(f"not read, because {refused}" if refused else "there is no such file")

    def _refusal(self, names: Sequence[str]) -> str | None:
        """Why one of these, which are listed nowhere, may not be read: a link, a pipe, a device."""
        answers = (self._files.read(name) for name in names)
        return next((answer.why for answer in answers if isinstance(answer, Refused)), None)


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


_LINE_END = re.compile(r"[\r\n]|\Z")


def uncommented(text: str) -> str:
    """`text` without its comments, for a quick look; offsets do not survive."""
    pieces = []
    kept = 0
    at = text.find("%")
    while at >= 0:
        before = at
        while before > kept and text[before - 1] == "\\":
            before -= 1
        if (at - before) % 2:
            at = text.find("%", at + 1)
            continue
        pieces.append(text[kept:at])
        end = _LINE_END.search(text, at)
        kept = end.start() if end else len(text)
        at = text.find("%", kept)
    return "".join([*pieces, text[kept:]])


_INCLUDE = re.compile(
    r"\\(?:(?:input|include|subfile|subfileinclude|InputIfFileExists)\s{0,99}"
    r"\{([^{}]{1,300})\}|input\s{1,99}([^\s{}\\%$&#]{1,300}))"
)
_IMPORT = re.compile(
    r"\\(?:sub)?(?:import|includefrom|inputfrom)\*?\s{0,99}\{([^{}]{0,300})\}\s{0,99}\{([^{}]{1,300})\}"
)


def quick_includes(text: str) -> tuple[tuple[str, str], ...]:
    """What an uncommented text seems to include, as (folder, target): a guess for a first look."""
    if not any(word in text for word in ("\\input", "\\include", "\\sub", "\\import", "\\Input")):
        return ()
    plain = [("", (m[1] or m[2]).strip(' \t\r\n"')) for m in _INCLUDE.finditer(text)]
    return (*plain, *((m[1].strip(), m[2].strip()) for m in _IMPORT.finditer(text)))
