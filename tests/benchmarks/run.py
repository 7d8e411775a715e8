"""Measure speed and truth, print each bar with its figure, and keep them as JSON.

    python -m tests.benchmarks.run [--output FILE] [--seeds N] [PAPER ...]

Without papers the truth is measured on the bundled one alone, which lends nobody works of another
field; name more papers whose bibliographies have abstracts for figures that mean something.
"""

import argparse
import json
import platform
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks import (
    again,
    asking,
    corpus,
    groups,
    keys,
    matching,
    planted,
    procedures,
    pull_requests,
    speed,
    truth,
    verifiers,
)
from tests.benchmarks.bars import show


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", nargs="*", type=Path, metavar="PAPER")
    parser.add_argument("--output", type=Path, default=Path("build/bench.json"))
    parser.add_argument("--seeds", type=int, default=3)
    asked = parser.parse_args()
    fast = [
        *speed.measure(),
        *again.measure([speed.DEMO, *asked.papers]),
        *pull_requests.measure(),
        *asking.measure(),
        *corpus.measure(),
        *matching.measure(),
    ]
    show("Speed and size", fast)
    gated = [*groups.measure(), *planted.measure(), *procedures.measure()]
    show("The gate before simulated judges", gated)
    judged = verifiers.measure()
    show("The embedded verdicts on samples of labelled pairs", judged)
    read = keys.measure([speed.DEMO, *asked.papers])
    show("Reading", read)
    true, report = truth.measure(speed.DEMO, asked.papers, asked.seeds)
    show(f"Truth, {report.papers} papers, {report.trials} trials", true)
    data = {
        "schema": "reviser.bench/1",
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "papers": [path.resolve().name for path in asked.papers],
        "seeds": asked.seeds,
        "speed": [asdict(bar) for bar in fast],
        "gate": [asdict(bar) for bar in gated],
        "pairs": [asdict(bar) for bar in judged],
        "reading": [asdict(bar) for bar in read],
        "truth": [asdict(bar) for bar in true],
        "faults": asdict(report),
    }
    asked.output.parent.mkdir(parents=True, exist_ok=True)
    asked.output.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    print(f"\nAll figures: {asked.output}")


if __name__ == "__main__":
    main()
