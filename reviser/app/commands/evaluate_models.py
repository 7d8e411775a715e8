"""What `evaluate` measures with models: procedures beside one another, versions of a survey."""

import json
from pathlib import Path
from typing import Any

import click

from reviser.app.commands.headed import HeadedCommand
from reviser.app.commands.model_options import model_options, model_settings
from reviser.app.commands.options import (
    checking_options,
    evaluating_options,
    format_option,
    keeping_options,
    option,
    output_option,
    path_argument,
    reading_options,
    reviewing_options,
    settings_at,
    settings_of,
    together,
    writing_options,
)


@click.command("procedure", cls=HeadedCommand)
@path_argument
@reading_options
@checking_options
@reviewing_options
@writing_options
@evaluating_options
@format_option("text", "json")
@output_option
@click.pass_context
def procedure_command(ctx: click.Context, /, **_: object) -> int:
    """Run reviser's procedure and the published one on a paper, and compare.

    Accepted edits, questions, tokens, the evaluator's scores, recall and precision, side by side.
    No file of the paper is changed.
    """
    from reviser.app.evaluating_procedures import BOTH

    return _procedures(ctx, BOTH)


@click.command("ablation", cls=HeadedCommand)
@path_argument
@click.option(
    "--only",
    "names",
    multiple=True,
    metavar="NAME",
    help="Only this procedure: reviser, no-imitation, no-gate, one-by-one, no-rebut, linear, "
    "published, self-refine or rarr. Repeatable.",
)
@reading_options
@checking_options
@reviewing_options
@writing_options
@evaluating_options
@format_option("text", "json")
@output_option
@click.pass_context
def ablation_command(ctx: click.Context, /, names: tuple[str, ...], **_: object) -> int:
    """Run reviser's procedure without one part after the other, and compare.

    Self-Refine and RARR run beside it. All of it stays within one budget; no file is changed.
    """
    return _procedures(ctx, names)


def _procedures(ctx: click.Context, names: tuple[str, ...]) -> int:
    from reviser.app.evaluating_procedures import (
        evaluate_procedures,
        procedures_data,
        procedures_lines,
    )

    ctx.params["review"] = True
    found = evaluate_procedures(settings_of(ctx), names)
    _write(ctx, procedures_data(found), procedures_lines(found))
    return 0


@click.command("survey", cls=HeadedCommand)
@click.option(
    "--before",
    required=True,
    metavar="PATH",
    type=click.Path(exists=True, path_type=Path),
    help="One version of the survey.",
)
@click.option(
    "--after",
    required=True,
    metavar="PATH",
    type=click.Path(exists=True, path_type=Path),
    help="The other one.",
)
@reading_options
@checking_options
@reviewing_options
@writing_options
@evaluating_options
@format_option("text", "json")
@output_option
@click.pass_context
def survey_command(ctx: click.Context, /, before: Path, after: Path, **_: object) -> int:
    """Score two versions of a survey: content by the evaluator, citations by the verifier.

    The evaluator is not told which version it reads. Without --model no content is graded.
    """
    from reviser.app.evaluating_survey import evaluate_survey, survey_data, survey_lines

    ctx.params["review"] = bool(ctx.params.get("model"))
    found = evaluate_survey(before, after, lambda path: settings_at(ctx, path))
    _write(ctx, survey_data(found), survey_lines(found))
    return 0


@click.command("references", cls=HeadedCommand)
@click.argument("found", type=click.Path(exists=True, path_type=Path))
@click.argument("human", type=click.Path(exists=True, path_type=Path))
@click.option("--topic", default="", help="What they are about (default: the paper's own words).")
@keeping_options
@together(*model_options(option))
@format_option("text", "json")
@output_option
@click.pass_context
def references_command(
    ctx: click.Context, /, found: Path, human: Path, topic: str, **_: object
) -> int:
    """Compare a set of references with the one people chose, and both with the topic.

    FOUND and HUMAN are each a .bib, what 'literature search --format json' writes, or a paper,
    whose cited works are meant and whose title and abstract are the topic. Intersection over
    union, precision and recall, and the mean cosine with the topic are counted here; the chat
    model that --model names is asked, work by work, whether it matters to the topic.
    """
    from reviser.app.evaluating_references import (
        evaluate_references,
        references_data,
        references_lines,
    )

    models = model_settings(ctx.params) if ctx.params.get("model") else None
    said = evaluate_references(found, human, topic, models, lambda path: settings_at(ctx, path))
    _write(ctx, references_data(said), references_lines(said))
    return 0


def _write(ctx: click.Context, data: dict[str, Any], lines: list[str]) -> None:
    from reviser.app.writing import write_text

    shown = ctx.params["form"] == "json"
    text = (
        json.dumps(data, indent=2, ensure_ascii=False, default=sorted)
        if shown
        else "\n".join(lines)
    )
    write_text(text + "\n", ctx.params["output"])
