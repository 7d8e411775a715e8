"""A bare git repository on disk, worked by git's own commands."""

import os
import re
import subprocess
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

ZERO = "0" * 40
_HEX = re.compile(r"[0-9a-f]{40}")
_CONFIG = (
    ("gc.auto", "0"),
    ("http.receivepack", "true"),
    ("uploadpack.allowAnySHA1InWant", "true"),
    ("uploadpack.allowFilter", "true"),
    ("core.logAllRefUpdates", "false"),
)


def clean_environment() -> dict[str, str]:
    """An environment in which git sees nobody's settings and asks no questions."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR") if key in os.environ}
    return kept | {
        "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
    }


class GitFailed(RuntimeError):  # noqa: N818 - it says what happened
    """A git command went wrong; the message is what it said."""


@dataclass(frozen=True)
class Entry:
    """A file of a commit that is no plain one: `mode` as git writes it, 100755 for an executable,
    120000 for a symbolic link (`data` is where it leads), 160000 for a submodule (`data` is a
    commit's hash)."""

    data: bytes
    mode: str = "100644"


Content = bytes | Entry | None
"""What a commit does with a path: new bytes, a special entry, or None to remove it."""


class Signature(NamedTuple):
    """Who wrote a commit, and when (seconds since 1970, UTC)."""

    name: str
    email: str
    when: int

    def __str__(self) -> str:
        return f"{self.name} <{self.email}> {self.when} +0000"


class CommitFacts(NamedTuple):
    """What a commit says of itself."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    message: str


class Blob(NamedTuple):
    """A file in a tree; `size` in bytes, 0 for a submodule."""

    mode: str
    sha: str
    size: int
    path: str


class Store:
    """One bare repository. Hashes are full; what can be asked of two of them is kept, since it
    never changes."""

    def __init__(self, folder: Path, *, shares: "Store | None" = None) -> None:
        self.folder = folder
        self._lock = threading.RLock()
        self._kept: dict[tuple[str, ...], bytes] = {}
        folder.mkdir(parents=True)
        self.run("init", "--quiet", "--bare", "--initial-branch=main", ".")
        with (folder / "config").open("a", encoding="utf-8") as config:
            for key, value in _CONFIG:
                section, name = key.split(".")
                config.write(f"[{section}]\n\t{name} = {value}\n")
        if shares is not None:
            # As on GitHub, the repositories of one network share their objects.
            for part in ("info", "pack", ""):
                (folder / "objects" / part).rmdir()
            (folder / "objects").symlink_to(shares.folder / "objects", target_is_directory=True)

    def run(self, *args: str, sent: bytes = b"", quiet: bool = False) -> bytes:
        """What a git command says. Raises GitFailed unless `quiet`, which then answers b""."""
        done = subprocess.run(
            ["git", *args],
            cwd=self.folder,
            input=sent,
            capture_output=True,
            env=clean_environment(),
            check=False,
        )
        if done.returncode:
            if quiet:
                return b""
            raise GitFailed(f"git {args[0]}: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout

    def _ask(self, *args: str) -> bytes:
        """The same for a question whose answer stays the same for ever."""
        with self._lock:
            if args not in self._kept:
                self._kept[args] = self.run(*args)
            return self._kept[args]

    # -- references

    def refs(self, prefix: str = "refs/") -> dict[str, str]:
        """Every reference below `prefix` and the commit it is at."""
        told = self.run("for-each-ref", "--format=%(refname) %(objectname)", prefix)
        pairs = (line.rsplit(" ", 1) for line in told.decode().splitlines())
        return {name: sha for name, sha in pairs}  # noqa: C416 - pairs are lists

    def ref(self, name: str) -> str | None:
        """The commit a reference ("refs/heads/main") is at."""
        told = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", name, quiet=True)
        return told.decode().strip() or None

    def move(self, name: str, sha: str | None) -> None:
        """Put a reference on a commit, or away."""
        if sha is None:
            self.run("update-ref", "-d", name)
        else:
            self.run("update-ref", name, sha)

    def resolve(self, name: str) -> str | None:
        """The commit that a hash, branch or tag name means, None if there is none."""
        if name.startswith("-"):
            return None
        told = self.run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", quiet=True)
        return told.decode().strip() or None

    def has_commit(self, sha: str) -> bool:
        """Whether there is a commit of this full hash."""
        if not _HEX.fullmatch(sha):
            return False
        return self.run("cat-file", "-t", sha, quiet=True).strip() == b"commit"

    # -- writing

    def commit(
        self,
        changes: Mapping[str, Content],
        *,
        parents: tuple[str, ...],
        message: str,
        author: Signature,
        committer: Signature,
    ) -> str:
        """A new commit on top of `parents`; no reference is moved. One process."""
        lines = [b"commit refs/scratch/new\nmark :1\n"]
        lines += [f"author {author}\ncommitter {committer}\n".encode()]
        said = message.encode()
        lines += [b"data %d\n%s\n" % (len(said), said)]
        for word, parent in zip(("from", *["merge"] * len(parents)), parents, strict=False):
            lines += [f"{word} {parent}\n".encode()]
        for path, content in changes.items():
            lines.append(_change(path, content))
        lines += [b"get-mark :1\n", b"reset refs/scratch/new\n", f"from {ZERO}\n\n".encode()]
        told = self.run("fast-import", "--quiet", "--force", sent=b"".join(lines))
        return told.decode().strip()

    # -- reading

    def facts(self, sha: str) -> CommitFacts:
        """What a commit says of itself."""
        head, _, message = self._ask("cat-file", "commit", sha).partition(b"\n\n")
        fields: dict[str, list[str]] = {}
        for line in head.decode("utf-8", "replace").splitlines():
            key, _, value = line.partition(" ")
            fields.setdefault(key, []).append(value)
        return CommitFacts(
            sha,
            fields["tree"][0],
            tuple(fields.get("parent", ())),
            _signature(fields["author"][0]),
            _signature(fields["committer"][0]),
            message.decode("utf-8", "replace"),
        )

    def tree(self, sha: str) -> tuple[Blob, ...]:
        """All files of a commit or tree, below its folders too."""
        told = self._ask("ls-tree", "-r", "-z", "-l", sha).decode("utf-8", "surrogateescape")
        return tuple(_blob(line) for line in told.split("\0") if line)

    def blob(self, commit: str, path: str) -> bytes | None:
        """The bytes of a file at a commit, None where there is none."""
        found = next((b for b in self.tree(commit) if b.path == path), None)
        return None if found is None else self.data(found.sha)

    def data(self, sha: str) -> bytes:
        """The bytes of a blob."""
        return self._ask("cat-file", "blob", sha)

    def merge_base(self, one: str, other: str) -> str | None:
        """The commit where two parted."""
        told = self.run("merge-base", one, other, quiet=True) if one != other else one.encode()
        return told.decode().strip() or None

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether going from `old` to `new` is a fast-forward."""
        return self.merge_base(old, new) == old

    def between(self, old: str, new: str) -> tuple[str, ...]:
        """The commits of `new` that `old` lacks, oldest first."""
        return tuple(self._ask("rev-list", "--reverse", f"{old}..{new}").decode().split())

    def history(self, sha: str, most: int = 100) -> tuple[str, ...]:
        """A commit and those before it, newest first."""
        return tuple(self._ask("rev-list", f"--max-count={most}", sha).decode().split())

    def diff(self, old: str, new: str, *, context: int = 3) -> bytes:
        """The diff of two commits as GitHub makes it: renames found, three lines around."""
        return self._ask(
            "diff",
            f"-U{context}",
            "-M",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--full-index",
            old,
            new,
        )

    def merge_tree(self, base: str, head: str) -> str | None:
        """The tree of a clean merge, None if there is a conflict."""
        told = self.run("merge-tree", "--write-tree", base, head, quiet=True)
        return told.decode().split("\n", 1)[0] or None

    def commit_tree(
        self, tree: str, parents: tuple[str, ...], message: str, author: Signature
    ) -> str:
        """A commit of a tree that is there already."""
        head = "".join(f"parent {parent}\n" for parent in parents)
        text = f"tree {tree}\n{head}author {author}\ncommitter {author}\n\n{message}"
        return self.write("commit", text.encode())

    def write(self, kind: str, data: bytes) -> str:
        """Any object; its hash. Trees and commits are checked by git for form."""
        told = self.run("hash-object", "-t", kind, "-w", "--stdin", sent=data)
        return told.decode().strip()

    def make_tree(self, entries: Mapping[str, Content], base: str | None) -> str:
        """A tree, of another one with some paths put, changed or removed."""
        nobody = Signature("x", "x", 0)
        commit = self.commit(
            entries,
            parents=(self.commit_tree(base, (), "", nobody),) if base else (),
            message="",
            author=nobody,
            committer=nobody,
        )
        return self.facts(commit).tree


def _change(path: str, content: Content) -> bytes:
    name = b'"%s"' % path.encode("utf-8", "surrogateescape").replace(b"\\", b"\\\\").replace(
        b'"', b'\\"'
    ).replace(b"\n", b"\\n")
    if content is None:
        return b"D %s\n" % name
    entry = content if isinstance(content, Entry) else Entry(content)
    if entry.mode == "160000":
        return b"M 160000 %s %s\n" % (entry.data, name)
    mode = entry.mode.encode()
    return b"M %s inline %s\ndata %d\n%s\n" % (mode, name, len(entry.data), entry.data)


def _signature(text: str) -> Signature:
    found = re.fullmatch(r"(.*) <(.*)> (\d+) [+-]\d{4}", text)
    if found is None:
        raise GitFailed(f"not a signature: {text}")
    return Signature(found[1], found[2], int(found[3]))


def _blob(line: str) -> Blob:
    told, path = line.split("\t", 1)
    mode, _, sha, size = told.split()
    return Blob(mode, sha, 0 if size == "-" else int(size), path)


def lines_of(data: bytes) -> Iterator[bytes]:
    """The lines of a file, each with its line end, which is b"\\n" only, as git sees them."""
    yield from (line for line in re.split(rb"(?<=\n)", data) if line)
