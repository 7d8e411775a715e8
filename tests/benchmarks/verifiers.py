"""Verdicts on labelled pairs, for every verifier at hand, from small samples or whole sets.

    python -m tests.benchmarks.verifiers [--folder FOLDER] [--nli MODEL] [--model NAME] [--base-url]

Without a folder the bundled samples are judged. A folder may hold scifact-dev.jsonl and
citation-integrity-dev.jsonl in our own form, and the published files wice_dev.jsonl,
healthver_dev.csv and aggrefact.csv; a file ending in -train of the same form is what a verifier's
limits are chosen on.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from reviser.app.evaluating_pairs import Named, Verifier, evaluate_pairs, verifier_of
from reviser.app.model_settings import ModelSettings
from tests.benchmarks.bars import Bar, at_most, show

SAMPLES = Path(__file__).with_name("samples")
FILES = {
    "scifact-dev.jsonl": "pairs",
    "citation-integrity-dev.jsonl": "pairs",
    "wice_dev.jsonl": "wice",
    "healthver_dev.csv": "healthver",
    "aggrefact.csv": "aggrefact",
    "scifact.jsonl": "pairs",
    "citation-integrity.jsonl": "pairs",
}
FALSE = "false accusations: supported, called off topic or contradicted"
TOLD = (
    FALSE,
    "AUROC of closeness, supported against silent",
    "AUROC of closeness, supported against unsupported",
    "macro-F1, no answer counts as wrong",
    "balanced accuracy, supported or not",
    "AUROC of entailment, supported against the others",
)


def measure(folder: Path = SAMPLES, verifying: Sequence[Verifier] = (Verifier(),)) -> list[Bar]:
    """The figures of each set in the folder by each verifier; false accusations have a bar."""
    bars: list[Bar] = []
    for verifier in verifying:
        who = "embedded" if verifier.entailment is None else verifier.entailment.name
        for title, dataset in FILES.items():
            file = folder / title
            if not file.is_file():
                continue
            train = folder / title.replace("-dev", "-train")
            fitted = train if verifier.entailment is not None and train != file else None
            fitted = fitted if fitted is not None and fitted.is_file() else None
            report, _ = evaluate_pairs(Named(file, dataset), verifier, choose_on=fitted)
            for rate in report.rates:
                if rate.name not in TOLD or rate.interval.value is None:
                    continue
                name = f"{file.stem}, {who}: {rate.name.partition(':')[0]}"
                figure, detail = rate.interval.value, f"of {rate.count} pairs"
                bars.append(
                    at_most(name, figure, 0.02, detail)
                    if rate.name == FALSE
                    else Bar(name, figure, "none", None, detail)
                )
    return bars


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=SAMPLES)
    parser.add_argument("--nli")
    parser.add_argument("--model")
    parser.add_argument("--base-url", default="http://localhost:11434/v1")
    asked = parser.parse_args()
    verifying = [Verifier()]
    if asked.nli:
        verifying.append(verifier_of(asked.nli, None, asked.folder))
    if asked.model:
        llm = ModelSettings(
            model=asked.model, base_url=asked.base_url, temperature=0.0, reply_tokens=1024,
            context=8192, timeout=60.0, parallel=8, max_cost=1.0, max_calls=10_000,
            max_total_tokens=20_000_000, max_minutes=120.0, price="0/0", yes=True,
        )  # fmt: skip
        verifying.append(verifier_of(None, llm, asked.folder))
        if asked.nli:
            verifying.append(verifier_of(asked.nli, llm, asked.folder))
    show("Verifiers on labelled pairs", measure(asked.folder, verifying))


if __name__ == "__main__":
    main()
