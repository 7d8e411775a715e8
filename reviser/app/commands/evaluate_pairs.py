"""The command `evaluate pairs`: verdicts on labelled pairs of claim and source."""

from collections.abc import Callable
from pathlib import Path

import click

from reviser.app.choices import DATASETS
from reviser.app.commands.headed import HeadedCommand
from reviser.app.commands.options import (
    format_option,
    nli_option,
    output_option,
    together,
    verifiers_of,
    verifying_options,
)


def _set_options(function: Callable[..., object]) -> Callable[..., object]:
    """Which set of pairs, in which form."""
    return together(
        click.option(
            "--dataset",
            type=click.Choice(DATASETS),
            default=DATASETS[0],
            show_default=True,
            help="The form of FILE: our own, or a published set's as its authors distribute it.",
        ),
        click.option(
            "--corpus",
            metavar="FILE",
            type=click.Path(path_type=Path),
            help="The cited texts, where the set keeps them apart (scifact, citation-integrity).",
        ),
        click.option(
            "--choose-on",
            metavar="FILE",
            type=click.Path(path_type=Path),
            help="Choose the verifier's limits on this file of the same set, and report FILE at "
            "them.",
        ),
    )(function)


@click.command("pairs", cls=HeadedCommand)
@click.argument("file", type=click.Path(path_type=Path))
@_set_options
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
