"""How fast a corpus is built and searched, and how much memory it takes.

    python -m tests.benchmarks.corpus [--abstracts N] [--works N]

Works are made up: words of a vocabulary by Zipf's law with an exponent of 1.05, abstracts of 165
words in the median (log-normal), titles of 12; each work belongs to one of 400 subjects, which have
60 words of their own that make up a fifth of its text. Vectors are given where the search is
measured: a direction for the subject and one of the work's own. Questions are 25 words of a work.
What is embedded to measure the building is English: sentences of the bundled paper's bibliography,
drawn until there are 230 words, as many as abstracts of biomedical papers have.

Seconds are processor time, so that other work on the machine counts little: of a search it is what
passes on an idle machine, since it runs on one core; of embedding two texts at once on two idle
cores half of it passes. Memory is the most that a process holds that only opens and searches.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles

import numpy as np

from reviser.adapters.embedding import MiniLM
from reviser.adapters.index.sqlite import SqliteIndex
from reviser.adapters.workers import Threads
from reviser.latex.bib import read_bib
from reviser.latex.sentences import split
from reviser.literature.corpus import Corpus
from reviser.literature.index import Held
from reviser.literature.joining import names_of
from reviser.literature.paper import Author, Paper
from reviser.text.source import Source
from tests.benchmarks.bars import Bar, at_most, show
from tests.benchmarks.speed import DEMO

VOCABULARY = 120_000
SUBJECTS = 400
OWN_WORDS = 60
SIZE = 384
QUESTIONS = 200
ALL_ABSTRACTS = 30_000


class Given:
    """`Vectors` that a text's subject and the text itself decide."""

    identity, size = "given", SIZE

    def __init__(self) -> None:
        self._subjects = np.random.default_rng(5).standard_normal((SUBJECTS, SIZE))

    def vectors(self, texts: Sequence[str], told: object = None) -> Sequence[bytes]:
        found = []
        for text in texts:
            digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
            own = np.random.default_rng(int.from_bytes(digest)).standard_normal(SIZE)
            vector = self._subjects[_subject(text)] + own
            found.append((vector / np.linalg.norm(vector)).astype("<f4").tobytes())
        return found


def works(count: int, seed: int = 1) -> Iterator[Paper]:
    """Made-up works."""
    draw = np.random.default_rng(seed)
    chances = 1 / np.arange(1, VOCABULARY + 1) ** 1.05
    steps = np.cumsum(chances / chances.sum())
    vocabulary = np.array([_word(number) for number in range(VOCABULARY)])
    own = draw.integers(500, VOCABULARY, (SUBJECTS, OWN_WORDS))
    for number in range(count):
        length = 12 + int(np.clip(draw.lognormal(5.1, 0.4), 30, 500))
        ids = np.minimum(np.searchsorted(steps, draw.random(length)), VOCABULARY - 1)
        subject = int(draw.integers(SUBJECTS))
        mine = draw.random(length) < 0.2
        ids[mine] = own[subject][draw.integers(0, OWN_WORDS, int(mine.sum()))]
        words = vocabulary[ids]
        yield Paper(
            source="made-up", id=f"s{subject}-{number}",
            title=f"{' '.join(words[:12])} s{subject}w", abstract=f"{' '.join(words[12:])}.",
            authors=(Author("Kim", "J."), Author("Oh", "S.")), year=1990 + number % 35,
            doi=f"10.5555/{number}", venue="Journal of Words", cited_by=number % 50,
            cites=tuple(f"doi:10.5555/{(number * 7 + k) % count}" for k in range(20)),
        )  # fmt: skip


def english(count: int, words: int = 230, seed: int = 2) -> list[Paper]:
    """Works whose abstracts are sentences of the bundled paper's bibliography."""
    bib = read_bib(Source.decode("refs.bib", next(DEMO.glob("*.bib")).read_bytes()))
    texts = [entry.get("abstract") for entry in bib.entries]
    sentences = [text[span.start : span.stop] for text in texts for span in split(text)]
    draw = np.random.default_rng(seed)
    found = []
    for number in range(count):
        abstract: list[str] = []
        while len(abstract) < words:
            abstract += sentences[int(draw.integers(len(sentences)))].split()
        title = f"Work of number {number}: {' '.join(abstract[:8])}"
        found.append(Paper("made-up", str(number), title, abstract=" ".join(abstract[:words])))
    return found


def building(abstracts: int) -> list[Bar]:
    """How long abstracts take with the embedded model, and adding them again."""
    papers = english(abstracts)
    with tempfile.TemporaryDirectory() as folder:
        index = SqliteIndex(Path(folder) / "c.db", MiniLM(workers=Threads(2)), print)
        corpus = Corpus(index)
        corpus.add(english(4, seed=3), "the model is loaded")
        wall, began = time.perf_counter(), time.process_time()
        corpus.add(papers, "bench")
        wall, seconds = time.perf_counter() - wall, (time.process_time() - began) / 2
        began = time.process_time()
        again = corpus.add(papers, "bench")
        known = time.process_time() - began
        index.close()
    detail = f"{len(papers) / seconds:.1f} a second ({len(papers) / wall:.1f} while others worked)"
    scale = ALL_ABSTRACTS / len(papers) / 60
    name = "30,000 abstracts at this rate, minutes"
    return [
        at_most(f"building {name}", seconds * scale, 30, detail),
        at_most(f"adding again {name}", known * scale, 1, f"{again.embedded} embedded"),
    ]


def searching(count: int) -> list[Bar]:
    """How long a search takes among many works whose vectors are given, and the memory of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.db"
        index = SqliteIndex(path, Given(), print)
        batch: list[Held] = []
        questions = []
        for number, paper in enumerate(works(count)):
            batch.append(Held(paper, names_of(paper), ("bench",)))
            if number % max(1, count // QUESTIONS) == 0:
                subject = f"s{_subject(paper.title)}w"
                questions.append(f"{' '.join(paper.abstract.split()[:25])} {subject}")
            if len(batch) == 2000:
                index.put(batch)
                batch = []
        index.put(batch)
        index.close()
        (Path(folder) / "questions.json").write_text(json.dumps(questions))
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.corpus", "--ask", folder],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        size = path.stat().st_size / 1e6
    told = json.loads(done.stdout)
    name = f"searching {count:,} works"
    return [
        at_most(f"{name}, median, ms", told["median"], 50, f"{QUESTIONS} questions of 25 words"),
        at_most(f"{name}, 95th percentile, ms", told["p95"], 50, f"first one {told['first']:.0f}"),
        at_most(f"{name}, memory of the process, MB", told["megabytes"], 1000,
                f"the file has {size:.0f} MB"),
    ]  # fmt: skip


def ask(folder: Path) -> None:
    """Search as a process of its own, and print how long it took and how much memory."""
    questions = json.loads((folder / "questions.json").read_text())
    index = SqliteIndex(folder / "c.db", Given(), print)
    corpus = Corpus(index)
    seconds = []
    for question in [questions[0], *questions]:
        began = time.process_time()
        found = corpus.ranked(question, 10)
        seconds.append(1000 * (time.process_time() - began))
        assert len(found) == 10
    index.close()
    told = {
        "first": seconds[0],
        "median": median(seconds[1:]),
        "p95": quantiles(seconds[1:], n=20)[-1],
        "megabytes": _most_held(),
    }
    print(json.dumps(told))


def measure(abstracts: int = 300, count: int = 100_000) -> list[Bar]:
    """All bars of the corpus."""
    return [*building(abstracts), *searching(count)]


def _word(number: int) -> str:
    letters = ""
    number += 26
    while number:
        letters += chr(97 + number % 26)
        number //= 26
    return f"{letters}q"


def _most_held() -> float:
    """Megabytes: Linux counts them anew for a new program, which getrusage does not."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1000


def _subject(text: str) -> int:
    marks = [word for word in text.split() if word[0] == "s" and word.rstrip(".")[1:-1].isdigit()]
    return int(marks[0].rstrip(".")[1:-1]) if marks else 0


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--abstracts", type=int, default=300)
    parser.add_argument("--works", type=int, default=100_000)
    parser.add_argument("--ask", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.ask is not None:
        ask(asked.ask)
    else:
        show("The corpus", measure(asked.abstracts, asked.works))


if __name__ == "__main__":
    main()
