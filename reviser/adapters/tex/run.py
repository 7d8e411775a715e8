"""TeX, run on a copy of a paper's project so that it can do no harm.

The paper is anybody's text, and TeX is a programming language. So: no shell escape, paranoid rules
on which files may be read and written, nothing of the user's environment, limits on time, memory
and sizes, and never a run in the paper's own folder. Engine and BibTeX are started without a shell.
What does more with a paper is not run: LuaTeX and biber are programmable by it, and latexmk puts
names out of the log, which the paper writes, into commands for a shell.
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

from reviser.adapters.tex.log import MOST, bibliography_faults, faults, is_fatal
from reviser.ports import ProjectFiles, Refused, Typeset

SIZE_LIMIT = 300_000_000
"""Bytes of a project that is copied."""
LOG_LIMIT = 20_000_000
"""Bytes of a log, or of what one pass writes for the next, that are read."""
TIMEOUT = 180.0
PASSES = 5
_MEGABYTES_WRITTEN = 50
_GIGABYTES_USED = 4

_PASSED_ON = re.compile(r"\.(?:aux|out|toc|lof|lot|bbl)\Z")
_MADE = re.compile(r"\.(?:aux|out|toc|lof|lot|log|fls|fdb_latexmk|blg|bcf|run\.xml|fmt)\Z")
_SETTINGS = frozenset({"latexmkrc", "texmf.cnf", "texmfcnf.lua", "pdftex.cfg"})
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+ -]{0,150}\.(?:tex|ltx|TEX)")
_LOADS = rb"^[^%\n]*\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{[^}]*"
_ASKS = rb"^%\s*!\s*TEX\s+(?:TS-)?program\s*=\s*"
_XELATEX = re.compile(
    _LOADS + rb"(?:fontspec|unicode-math|xeCJK|mathspec)|" + _ASKS + rb"xe(?:la)?tex",
    re.IGNORECASE | re.MULTILINE,
)
_LUATEX = re.compile(
    _LOADS + rb"(?:luacode|luatexja)|" + _ASKS + rb"lua(?:la)?tex", re.IGNORECASE | re.MULTILINE
)
_LIMITED = (
    f"ulimit -f {_MEGABYTES_WRITTEN * 2048}; ulimit -v {_GIGABYTES_USED * 1_048_576}; ulimit -c 0; "
    'exec "$@" </dev/null >/dev/null 2>&1'
)
"""Words of ours alone; the command follows as arguments, which this shell does not read."""


def installed() -> bool:
    """Whether there is anything to run."""
    return shutil.which("pdflatex") is not None


class TeX:
    """A `Typesetter` for one paper: `main` is its main file in `files`.

    The project is copied once, to a folder that `close` removes; each run has a copy of that copy,
    with what the passes of the first one wrote for the next, so that one or two are enough. Safe to
    share between threads, one run at a time.
    """

    def __init__(self, files: ProjectFiles, main: str, *, timeout: float = TIMEOUT) -> None:
        """Nothing is copied or run yet; `timeout` is the seconds that a run may take."""
        self._files = files
        self._main = PurePosixPath(main)
        self._timeout = timeout
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._name = ""
        self.left_out: tuple[str, ...] = ()
        """Files of the project that were not copied, and why; known after the first run."""

    @property
    def name(self) -> str:
        """The engine with its version."""
        if not self._name:
            self._name = _version("pdflatex")
        return self._name

    def typeset(self, changed: Mapping[str, bytes]) -> Typeset:
        """What TeX complains of when these files stand in the place of the paper's own."""
        with self._lock:
            try:
                return self._typeset(changed)
            except OSError as error:
                return Typeset((), f"it could not be run ({error.strerror or 'system error'})")

    def close(self) -> None:
        """Remove the copies."""
        with self._lock:
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._folder = None

    def _typeset(self, changed: Mapping[str, bytes]) -> Typeset:
        for name in changed:
            if _leads_out(name):
                return Typeset((), f"{name!r} is no file of the project")
        if not _NAME.fullmatch(self._main.name):
            return Typeset((), "the name of the main file has characters that TeX may read as code")
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="reviser-tex-"))
            why = self._copy(self._folder / "project")
            if why:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._folder = None
                return Typeset((), why)
        run, passed_on = self._folder / "run", self._folder / "passed-on"
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(self._folder / "project", run)
        if passed_on.is_dir():
            shutil.copytree(passed_on, run, dirs_exist_ok=True)
        for name, content in changed.items():
            _write(run / name, content)
        found = _Run(run, self._main, self._timeout).typeset()
        if not found.why and not passed_on.is_dir():
            self._pass_on(run, passed_on)
        return found

    def _pass_on(self, run: Path, folder: Path) -> None:
        """Keep what TeX wrote for its next pass, beside the project's own files."""
        folder.mkdir()
        for path in _passed_on(run):
            name = path.relative_to(run)
            if self._folder is not None and not (self._folder / "project" / name).exists():
                _write(folder / name, path.read_bytes())

    def _copy(self, folder: Path) -> str:
        """Copy the project; why it cannot be copied, or ""."""
        left_out: list[str] = []
        size = 0
        for name in self._files.names():
            parts = PurePosixPath(name).parts
            if _leads_out(name) or any(part.startswith(".") for part in parts):
                continue
            if parts[-1].lower() in _SETTINGS or _MADE.search(name):
                continue
            content = self._files.read(name)
            if isinstance(content, Refused):
                left_out.append(f"{name}: {content.why}")
            elif content is not None:
                size += len(content)
                if size > SIZE_LIMIT:
                    return f"the project has more than {SIZE_LIMIT // 1_000_000} MB"
                _write(folder / name, content)
        self.left_out = tuple(left_out)
        return "" if (folder / self._main).is_file() else f"{self._main} is not there"


class _Run:
    """One run: passes of the engine, and BibTeX between them, until nothing changes any more."""

    def __init__(self, project: Path, main: PurePosixPath, timeout: float) -> None:
        self._main = project / main
        self._folder = self._main.parent
        self._home = project.parent / "home"
        self._home.mkdir(exist_ok=True)
        self._ends = time.monotonic() + timeout
        self._timeout = timeout

    def typeset(self) -> Typeset:
        """What there is to complain of after the last pass."""
        engine = _engine(self._main.read_bytes())
        if engine is None:
            return Typeset((), "the paper wants LuaTeX, which is not run")
        program = shutil.which(engine[0])
        if program is None:
            return Typeset((), f"{engine[0]} is not installed")
        known = self._state()
        for _ in range(PASSES):
            why = self._ran([program, *engine[1:], f"./{self._main.name}"])
            if why:
                return Typeset((), why)
            if self._cites():
                why = self._bibtex()
                if why:
                    return Typeset((), why)
            now = self._state()
            if now == known or is_fatal(self._read(".log")):
                break
            known = now
        return self._complaints()

    def _complaints(self) -> Typeset:
        log = self._read(".log")
        if not log:
            return Typeset((), "the engine wrote no log")
        found = [*faults(log), *bibliography_faults(self._read(".blg"))]
        if self._made(".bcf").is_file():
            # biber is not run, so every citation is undefined and a new one is no fault.
            found = [fault for fault in found if not fault.startswith("citation ")]
        if is_fatal(log):
            return Typeset(tuple(found[:MOST]), "the engine gave up before the end of the paper")
        return Typeset(tuple(found[:MOST]))

    def _cites(self) -> bool:
        return "\\bibdata{" in self._read(".aux")

    def _bibtex(self) -> str:
        program = shutil.which("bibtex")
        return self._ran([program, self._main.stem]) if program else ""

    def _ran(self, command: list[str]) -> str:
        """Run a command with its limits; why it came to no end, or ""."""
        process = subprocess.Popen(  # noqa: S603 - a shell of fixed words, for its limits
            ["/bin/sh", "-c", _LIMITED, "sh", *command],
            cwd=self._folder,
            env=_environment(self._home),
            start_new_session=True,
        )
        try:
            process.wait(max(0.0, self._ends - time.monotonic()))
        except subprocess.TimeoutExpired:
            return f"it took more than {self._timeout:g} seconds"
        finally:
            # Its children too.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return f"it was ended by signal {-process.returncode}" if process.returncode < 0 else ""

    def _state(self) -> dict[str, bytes]:
        """Digests of what a pass writes for the next."""
        return {str(path): sha256(path.read_bytes()).digest() for path in _passed_on(self._folder)}

    def _made(self, ending: str) -> Path:
        return self._folder / f"{self._main.stem}{ending}"

    def _read(self, ending: str) -> str:
        """The text of what the run made; "" for nothing, and for what is no plain file."""
        path = self._made(ending)
        if not path.is_file() or path.is_symlink():
            return ""
        with path.open("rb") as file:
            return file.read(LOG_LIMIT).decode("utf-8", "replace")


def _engine(main: bytes) -> tuple[str, ...] | None:
    """The engine for a main file with its options; None for what is not run."""
    if _LUATEX.search(main):
        return None
    common = ("-no-shell-escape", "-no-parse-first-line", "-interaction=nonstopmode",
              "-file-line-error")  # fmt: skip
    if _XELATEX.search(main):
        return ("xelatex", "-no-pdf", *common)
    return ("pdflatex", "-draftmode", *common)


def _environment(home: Path) -> dict[str, str]:
    """Nothing of the user's: not a home, not a search path, not a secret."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "TMPDIR": str(home),
        "TEXMFHOME": str(home / "texmf"),
        "TEXMFVAR": str(home / "texmf-var"),
        "TEXMFCONFIG": str(home / "texmf-config"),
        "LC_ALL": "C",
        "openin_any": "p",
        "openout_any": "p",
        "shell_escape": "f",
        "max_print_line": "10000",
        "SOURCE_DATE_EPOCH": "0",
        "FORCE_SOURCE_DATE": "1",
    }


def _passed_on(folder: Path) -> list[Path]:
    """What passes write for the next one, of a size that may be read."""
    return sorted(
        path
        for path in folder.rglob("*")
        if _PASSED_ON.search(path.name)
        and path.is_file()
        and not path.is_symlink()
        and path.stat().st_size <= LOG_LIMIT
    )


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _leads_out(name: str) -> bool:
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name


def _version(program: str) -> str:
    """The line in which a program tells its version."""
    try:
        said = subprocess.run(  # noqa: S603 - a fixed name
            [shutil.which(program) or program, "--version"],
            capture_output=True,
            timeout=20,
            check=False,
            stdin=subprocess.DEVNULL,
        ).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.TimeoutExpired):
        return program
    return next((line.strip() for line in said.splitlines() if line.strip()), program)
