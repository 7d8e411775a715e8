"""Project files that live in memory, and which names a paper may ask for at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviser.ports import ProjectFiles, Refused

_LONGEST_NAME = 1000


def forbidden(name: str) -> str | None:
    """Why no project may read or write `name`, or None when the name itself is harmless.

    Names are POSIX paths relative to the project's root, already free of `.` components
    (see `normal`). What git keeps for itself is closed under every spelling that a
    case-insensitive or DOS-minded file system would take for it.
    """
    if not name or "\0" in name:
        return "it is not a file name"
    if len(name) > _LONGEST_NAME:
        return "its name is too long"
    if name.startswith(("/", "~")) or name[1:2] == ":":
        return "absolute paths are outside the project"
    parts = name.replace("\\", "/").split("/")
    if ".." in parts:
        return "it is outside the project"
    if any(part.rstrip(". ").casefold() in {".git", "git~1"} for part in parts):
        return "it belongs to git"
    return None


def normal(name: str) -> str:
    """`name` with `.`, empty components and resolvable `..` folded away, as text.

    A `..` that would leave the root stays in front, so that `forbidden` still sees it.
    """
    parts: list[str] = []
    for part in name.split("/"):
        if part in {"", "."}:
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        else:
            parts.append(part)
    return ("/" if name.startswith("/") else "") + "/".join(parts)


def folder_of(name: str) -> str:
    """The folder part of a name, "" for a file in the root."""
    return name.rpartition("/")[0]


def joined(folder: str, name: str) -> str:
    """`name` seen from `folder`, normalised; an absolute name stays absolute."""
    return normal(name if name.startswith("/") or not folder else f"{folder}/{name}")


@dataclass(frozen=True, slots=True)
class Memory:
    """A project given as a mapping from names to bytes."""

    files: Mapping[str, bytes]

    def names(self) -> Sequence[str]:
        """Every name, sorted."""
        return sorted(self.files)

    def read(self, name: str) -> bytes | Refused | None:
        """The bytes of `name`; the same names are refused as in a real folder."""
        why = forbidden(name)
        return Refused(why) if why else self.files.get(name)


@dataclass(frozen=True, slots=True)
class Overlay:
    """A project with some files replaced or added; `below` is not touched."""

    below: ProjectFiles
    changed: Mapping[str, bytes]

    def names(self) -> Sequence[str]:
        """The names below and those of the changed files, sorted."""
        return sorted({*self.below.names(), *self.changed})

    def read(self, name: str) -> bytes | Refused | None:
        """The changed bytes, else what lies below."""
        why = forbidden(name)
        if why:
            return Refused(why)
        return self.changed[name] if name in self.changed else self.below.read(name)
