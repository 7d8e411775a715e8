"""Write the figures of a run of `make bench` into the README, between two markers.

python -m tests.benchmarks.table [BENCH.json]
"""

import json
import re
import sys
from pathlib import Path

BEGIN = "<!-- figures: written by tests/benchmarks/table.py -->"
END = "<!-- end of figures -->"
HEAD = ("| figure | measured | 95% interval | counted from | bar |", "|---|---|---|---|---|")
README = Path(__file__).parents[2] / "README.md"
LEFT_OUT = "edit"
"""A word of the finer figures that the report has and the table has not."""


def table(bench: dict) -> list[str]:
    """The lines between the markers."""
    rates = {rate["name"]: rate for rate in bench["faults"]["rates"]}
    bars = {bar["name"]: bar for bar in bench["truth"]}
    rows = [_row(rate, bars.get(name)) for name, rate in rates.items() if _shown(rate)]
    rows += [_plain(bar) for name, bar in bars.items() if name not in rates]
    rows += [_plain(bar) for bar in (*bench["reading"], *bench["speed"])]
    return ["", *_said(bench), "", *HEAD, *rows, ""]


def _said(bench: dict) -> list[str]:
    """What the figures were counted from, and what they are not."""
    papers = [_named(name) for name in bench["papers"]]
    faults = bench["faults"]
    others = f" and of {', '.join(papers)}" if papers else ""
    seeds = {1: "once", 2: "twice"}.get(bench["seeds"], f"{bench['seeds']} times")
    harm = f"{faults['harmful']} of {faults['accepted']} edits that passed the gate"
    return [
        f"Faults of known truth were put {seeds} into copies of the bundled survey (its own",
        f"faults mended){others},",
        f"with no verifier model ({bench['machine']}). The limits of the verdicts were set on",
        "these same papers, so the rates are in-sample: expect somewhat worse on yours.",
        f"{harm} touched a citation that was right.",
        "Intervals resample cited keys (the rule of three where all or none were hit); a dash says",
        "that there was nothing to count.",
    ]


def _named(paper: str) -> str:
    """A paper checked out as OWNER+NAME is a public repository; another is named as it is."""
    repository = paper.replace("+", "/", 1)
    return f"[{repository}](https://github.com/{repository})" if "+" in paper else paper


def _shown(rate: dict) -> bool:
    return not (rate["name"].startswith("  ") and LEFT_OUT in rate["name"])


def _row(rate: dict, bar: dict | None) -> str:
    interval = rate["interval"]
    value = _number(interval["value"])
    bounds = _bounds(interval, rate["count"])
    wanted = _wanted(bar) if bar is not None else ""
    return f"| {rate['name'].strip()} | {value} | {bounds} | {rate['count']} | {wanted} |"


def _bounds(interval: dict, count: int) -> str:
    """The bootstrap's, or the rule of three where all or none were hit and it knows no spread."""
    if interval["low"] is None or not count:
        return ""
    if interval["low"] == interval["high"] == interval["value"] and interval["value"] in (0, 1):
        far = min(1.0, 3 / count)
        return f"0 to {far:.3f}" if interval["value"] == 0 else f"{1 - far:.3f} to 1"
    return f"{interval['low']:.3f} to {interval['high']:.3f}"


def _plain(bar: dict) -> str:
    counted = re.split(r"[:;]| in 0", bar["detail"])[0]
    return f"| {bar['name']} | {_number(bar['figure'])} |  | {counted} | {_wanted(bar)} |"


def _wanted(bar: dict) -> str:
    sign = bar["bar"].replace(">=", "≥").replace("<=", "≤")
    return sign + {True: "", False: ", falls short", None: ", not measured"}[bar["holds"]]


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if abs(value) <= 1 and value != int(value) else f"{value:.3g}"


def replaced(readme: str, lines: list[str]) -> str:
    """The README with `lines` between its markers. Raises ValueError without exactly one pair."""
    if readme.count(BEGIN) != 1 or readme.count(END) != 1:
        raise ValueError(f"the README must have {BEGIN} and {END} once each")
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n".join([before + BEGIN, *lines, END]) + after


def main() -> None:
    """Read the results, write the README."""
    source = Path(sys.argv[1] if len(sys.argv) > 1 else "build/bench.json")
    bench = json.loads(source.read_text(encoding="utf-8"))
    readme = README.read_text(encoding="utf-8")
    README.write_text(replaced(readme, table(bench)), encoding="utf-8")
    print(f"{README.name} has the figures of {source}")


if __name__ == "__main__":
    main()
