"""The command `evaluate`: how often is reviser wrong, measured where the truth is known."""

from pathlib import Path

import click

from reviser.app.choices import DATASETS
from reviser.app.commands.evaluate_models import (
    ablation_command,
    procedure_command,
    survey_command,
)
from reviser.app.commands.headed import HeadedCommand
from reviser.app.commands.options import (
    format_option,
    nli_option,
    output_option,
    settings_at,
    verifiers_of,
    verifying_options,
)


@click.group("evaluate")
def evaluate_command() -> None:
    """Measure how often verdicts and repairs are right."""


@evaluate_command.command("faults", cls=HeadedCommand)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--seeds", default=3, show_default=True, type=click.IntRange(1, 1000), help="Trials per paper."
)
@click.option(
    "--share",
    default=0.15,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="How many of the citations with evidence become faulty.",
)
@nli_option
@verifying_options
@format_option("text", "json")
@output_option
@click.pass_context
def faults_command(
    ctx: click.Context,
    /,
    paths: tuple[Path, ...],
    *,
    seeds: int,
    share: float,
    form: str,
    output: str | None,
    **_: object,
) -> int:
    """Put faults of known truth into copies of papers, run improve, and count.

    PATHS are papers whose bibliographies have abstracts; each lends the others works of another
    field. No file of theirs is changed.
    """
    from reviser.app.evaluating import evaluate_faults, report_data, report_lines
    from reviser.app.writing import write_text

    report = evaluate_faults(paths, lambda path: settings_at(ctx, path), seeds=seeds, share=share)
    if form == "json":
        import json

        text = json.dumps(report_data(report), indent=2, ensure_ascii=False)
    else:
        text = "\n".join(report_lines(report))
    write_text(text + "\n", output)
    return 0


@evaluate_command.command("regressions")
@click.argument("file", default=".reviser/false-positives.jsonl", metavar="[FILE]")
def regressions_command(file: str) -> int:
    """Judge the findings kept by 'report-false-positive' again, by today's limits.

    Exit code 1 when any of them would still be accused.
    """
    from reviser.app.false_positives import replay
    from reviser.app.outcome import CLEAN, FOUND
    from reviser.text.printable import printable

    lines, again = replay(file)
    for line in lines:
        click.echo(printable(line))
    return FOUND if again else CLEAN


@evaluate_command.command("pairs", cls=HeadedCommand)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--dataset",
    type=click.Choice(DATASETS),
    default=DATASETS[0],
    show_default=True,
    help="The form of FILE: our own, or that of a published set as its authors distribute it.",
)
@click.option(
    "--corpus",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The cited texts, where the set keeps them apart (scifact, citation-integrity).",
)
@click.option(
    "--choose-on",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Choose the verifier's limits on this file of the same set, and report FILE at them.",
)
@nli_option
@verifying_options
@format_option("text", "json")
@output_option
@click.pass_context
def pairs_command(
    ctx: click.Context,
    /,
    file: Path,
    *,
    dataset: str,
    corpus: Path | None,
    choose_on: Path | None,
    form: str,
    output: str | None,
    **_: object,
) -> int:
    """Judge labelled pairs of claim and source, and count.

    FILE is JSON Lines: claim, passages (sentences of the source), label (supported, contradicted,
    silent, or unsupported where it is not known which of the two), and if known id and title; or a
    published set, see --dataset. Rows that are wrong are named and skipped. Verdicts are those of
    the shipped limits, unless others are chosen.
    """
    from reviser.app.evaluating_pairs import (
        Named,
        evaluate_pairs,
        pairs_data,
        pairs_lines,
        verifier_of,
    )
    from reviser.app.writing import write_text

    nli, llm = verifiers_of(ctx.params)
    report, left_out = evaluate_pairs(
        Named(file, dataset, corpus),
        verifier_of(nli, llm, file.resolve().parent),
        choose_on=choose_on,
    )
    if form == "json":
        import json

        text = json.dumps(pairs_data(report), indent=2, ensure_ascii=False)
    else:
        text = "\n".join(pairs_lines(report, left_out))
    write_text(text + "\n", output)
    return 0


evaluate_command.add_command(procedure_command)
evaluate_command.add_command(ablation_command)
evaluate_command.add_command(survey_command)
