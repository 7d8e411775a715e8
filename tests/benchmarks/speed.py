"""How fast the reading is, as ratios measured in one run on the bundled paper and copies of it."""

import gc
import subprocess
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median

from TexSoup import TexSoup

from reviser.latex.tex import read_tex
from reviser.manuscript.files import Memory
from reviser.manuscript.load import load
from reviser.review.rules import run as run_rules
from reviser.text.source import Source
from tests.benchmarks.bars import Bar, at_least, at_most

DEMO = Path(__file__).parents[2] / "templates" / "demo"
BIG = 2_500_000


def measure() -> list[Bar]:
    """All bars of speed and memory."""
    paper = demo()
    size = sum(len(data) for data in paper.values())
    eight = repeated(paper, 8)
    one_s, eight_s = timed(lambda: read(paper)), timed(lambda: read(eight), rounds=3)
    soup_s, ours_s = against_texsoup(paper)
    big = repeated(paper, BIG // len(paper["sections/retrieval.tex"]), "sections/retrieval.tex")
    big_s = timed(lambda: read(big), rounds=1)
    hundred_pages = repeated(paper, 12)
    loaded = load(Memory(hundred_pages))
    rules_s = timed(lambda: list(run_rules(loaded).findings), rounds=1)
    slope = (peak(eight) - peak(paper)) / (sum(map(len, eight.values())) - size)
    return [
        at_least("full reading, MB/s", size / 1e6 / one_s, 1.0),
        at_least("scan and structure against TexSoup, times as fast", soup_s / ours_s, 30),
        at_most("a project with a file above 2 MB, seconds", big_s, 3.0),
        at_most("8 times the paper, times as long", eight_s / one_s, 9.0),
        at_most("memory slope, bytes a source byte", slope, 60),
        at_most("reviser --help, times as long as importing click", start_up(), 2.5),
        at_most("rules alone on about 100 pages, seconds", rules_s, 2.0),
    ]


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


def read(paper: dict[str, bytes]) -> object:
    """A full reading, nothing remembered from before."""
    return load(Memory(paper))


def timed(job: Callable[[], object], rounds: int = 5) -> float:
    """Median seconds of several rounds, after one that does not count."""
    job()
    seconds = []
    for _ in range(rounds):
        gc.collect()
        start = time.perf_counter()
        job()
        seconds.append(time.perf_counter() - start)
    return median(seconds)


def peak(paper: dict[str, bytes]) -> int:
    """Bytes that are held when the paper has been read."""
    gc.collect()
    tracemalloc.start()
    kept = load(Memory(paper))
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return held


def against_texsoup(paper: dict[str, bytes]) -> tuple[float, float]:
    """Seconds that TexSoup and our reader take for the same .tex files."""
    sources = [Source.decode(name, data) for name, data in paper.items() if name.endswith(".tex")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = timed(lambda: [TexSoup(source.text) for source in sources], rounds=1)
    return theirs, timed(lambda: [read_tex(source) for source in sources])


def start_up() -> float:
    """How many times as long `reviser --help` takes as a Python that imports click."""

    def seconds(*arguments: str) -> float:
        command = [sys.executable, *arguments]
        return timed(lambda: subprocess.run(command, check=True, capture_output=True), rounds=7)

    return seconds("-m", "reviser", "--help") / seconds("-c", "import click")
