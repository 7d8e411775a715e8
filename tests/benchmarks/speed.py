"""How fast reviser reads and starts, and how large it is, measured on the bundled paper.

Seconds are processor time of this process, or of the children it starts, and medians of several
rounds, so that other work on the machine counts little; cycles are looked for as seldom as the
command line does. Bytes of sources are those of the .tex and .bib files as they are on disk.
"""

import gc
import resource
import subprocess
import sys
import time
import tomllib
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path
from statistics import median

from packaging.requirements import Requirement
from TexSoup import TexSoup

from reviser.app.cli import COLLECT_AFTER
from reviser.latex.tex import read_tex
from reviser.manuscript.files import Memory
from reviser.manuscript.load import load
from reviser.review.rules import run as run_rules
from reviser.text.source import Source
from tests.benchmarks.bars import Bar, at_least, at_most

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "templates" / "demo"
BIG = 2_500_000


MODELS_AND_NUMBERS = ("numpy", "onnxruntime", "tokenizers", "torch")


def measure() -> list[Bar]:
    """All bars of speed, memory and size."""
    with collecting_seldom():
        return [*reading(), *starting()]


def reading() -> list[Bar]:
    """How long reading and the rules take, and how much memory a paper holds."""
    paper = demo()
    size = sum(len(data) for data in paper.values())
    eight = repeated(paper, 8)
    eight_size = sum(map(len, eight.values()))
    one_s, eight_s = timed(lambda: read(paper), rounds=9), timed(lambda: read(eight))
    soup_s, ours_s = against_texsoup(paper)
    big = repeated(paper, BIG // len(paper["sections/retrieval.tex"]), "sections/retrieval.tex")
    big_s = timed(lambda: read(big), rounds=3)
    hundred_pages = repeated(paper, 12)
    loaded = load(Memory(hundred_pages))
    rules_s = timed(lambda: run_rules(loaded), rounds=3)
    slope = (held(eight) - held(paper)) / (eight_size - size)
    return [
        at_least(
            "full reading, MB/s",
            size / 1e6 / one_s,
            1.0,
            f"{megabytes(paper)}, {len(paper['references.bib']) / size:.0%} of it .bib, in "
            f"{one_s:.3f} s; the paper 8 times: "
            f"{eight_size / 1e6 / eight_s:.2f} MB/s; one long section: "
            f"{sum(map(len, big.values())) / 1e6 / big_s:.2f} MB/s",
        ),
        at_least(
            "scan and structure against TexSoup, times as fast",
            soup_s / ours_s,
            30,
            "the same .tex files, without sentences on either side",
        ),
        at_most("a project with a file above 2 MB, seconds", big_s, 3.0, megabytes(big)),
        at_most("8 times the paper, times as long", eight_s / one_s, 9.0, megabytes(eight)),
        at_most("memory slope, bytes a source byte", slope, 60, "what the read paper holds"),
        at_most(
            "rules alone on about 100 pages, seconds",
            rules_s,
            2.0,
            f"{megabytes(hundred_pages)}, {len(loaded.entries)} entries; the reading not counted",
        ),
    ]


def starting() -> list[Bar]:
    """How long the program takes to start, and how large it is with what it requires."""
    help_s, click_s = start_up()
    sizes = installed()
    largest = sorted(sizes, key=lambda name: -sizes[name])[:5]
    return [
        at_most(
            "reviser --help, times as long as importing click",
            help_s / click_s,
            2.5,
            f"{help_s:.3f} s against {click_s:.3f} s, Python's own start in both",
        ),
        at_most(
            "default installation, MB",
            sum(sizes.values()) / 1e6,
            350,
            f"{len(sizes)} distributions as recorded, byte code included where it is: "
            + ", ".join(f"{name} {sizes[name] / 1e6:.0f}" for name in largest),
        ),
        at_most(
            "libraries of numbers or models loaded with the core",
            len(loaded_with("reviser.pipeline.improving") & set(MODELS_AND_NUMBERS)),
            0,
            f"importing reviser.pipeline.improving, of {', '.join(MODELS_AND_NUMBERS)}",
        ),
    ]


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Look for cycles as seldom as `reviser` does on the command line."""
    before = gc.get_threshold()
    gc.set_threshold(*COLLECT_AFTER)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def demo() -> dict[str, bytes]:
    """The bundled paper's files."""
    return {
        path.relative_to(DEMO).as_posix(): path.read_bytes()
        for path in sorted(DEMO.rglob("*"))
        if path.suffix in {".tex", ".bib"}
    }


def repeated(paper: dict[str, bytes], times: int, only: str = "") -> dict[str, bytes]:
    """The paper with its sections' text (or that of one file) many times over."""
    grown = dict(paper)
    for name, data in paper.items():
        if name == only or (not only and (name.startswith("sections/") or name.endswith(".bib"))):
            grown[name] = data * times
    return grown


def megabytes(paper: dict[str, bytes]) -> str:
    """How large the paper's files are, in words."""
    return f"{sum(map(len, paper.values())) / 1e6:.2f} MB"


def read(paper: dict[str, bytes]) -> object:
    """A full reading, nothing remembered from before."""
    return load(Memory(paper))


def timed(job: Callable[[], object], rounds: int = 5) -> float:
    """Median processor seconds of several rounds, after one that does not count."""
    job()
    seconds = []
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        job()
        seconds.append(time.process_time() - start)
    return median(seconds)


def held(paper: dict[str, bytes]) -> int:
    """Bytes that are held when the paper has been read."""
    gc.collect()
    tracemalloc.start()
    kept = load(Memory(paper))
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return size


def against_texsoup(paper: dict[str, bytes]) -> tuple[float, float]:
    """Seconds that TexSoup and our reader take for the same .tex files."""
    sources = [Source.decode(name, data) for name, data in paper.items() if name.endswith(".tex")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = timed(lambda: [TexSoup(source.text) for source in sources], rounds=1)
    return theirs, timed(lambda: [read_tex(source) for source in sources])


def start_up() -> tuple[float, float]:
    """Processor seconds of `reviser --help` and of a Python that imports click, by turns."""
    helps, clicks = [], []
    for _ in range(15):
        helps.append(child_seconds("-m", "reviser", "--help"))
        clicks.append(child_seconds("-c", "import click"))
    return median(helps), median(clicks)


def child_seconds(*arguments: str) -> float:
    """Processor seconds, user's and system's, of a fresh Python with these arguments."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def loaded_with(module: str) -> set[str]:
    """The modules that a fresh Python has after importing `module`."""
    script = f"import sys, {module}; print(*sys.modules)"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return set(done.stdout.split())


def installed() -> dict[str, int]:
    """Bytes of each distribution that a default installation brings, reviser itself first.

    Raises PackageNotFoundError when one of them is not installed here.
    """
    own = (*ROOT.glob("reviser/**/*"), *ROOT.glob("templates/**/*"))
    sizes = {"reviser-bot": sum(path.stat().st_size for path in own if path.is_file())}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting = [Requirement(line) for line in project["dependencies"]]
    while waiting:
        wanted = waiting.pop()
        name = wanted.name.lower().replace("_", "-")
        if name in sizes or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        found = distribution(name)
        files = [Path(str(found.locate_file(file))) for file in found.files or ()]
        sizes[name] = sum(file.stat().st_size for file in files if file.is_file())
        waiting += [Requirement(line) for line in found.requires or ()]
    return sizes
