"""The command `evaluate`: how often is reviser wrong, measured where the truth is known."""

from pathlib import Path

import click

from reviser.app.commands.evaluate_models import (
    ablation_command,
    procedure_command,
    references_command,
    survey_command,
)
from reviser.app.commands.evaluate_pairs import pairs_command
from reviser.app.commands.headed import HeadedCommand
from reviser.app.commands.options import (
    format_option,
    nli_option,
    output_option,
    settings_at,
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


evaluate_command.add_command(pairs_command)
evaluate_command.add_command(procedure_command)
evaluate_command.add_command(ablation_command)
evaluate_command.add_command(survey_command)
evaluate_command.add_command(references_command)
