"""`literature attributes` and `literature mount`: what works say, and where they belong."""

import json
from typing import Any

import click

from reviser.app.commands.headed import HeadedCommand
from reviser.app.commands.lookup_options import lookup_options
from reviser.app.commands.model_options import model_options, model_settings
from reviser.app.commands.options import (
    format_option,
    keeping_options,
    option,
    output_option,
    path_argument,
    reading_options,
    settings_of,
    sources_option,
    together,
    verbose_option,
)
from reviser.app.outcome import CLEAN, NO_CONCLUSION
from reviser.errors import UsageError


@click.command("attributes", cls=HeadedCommand)
@path_argument
@click.option("--key", "keys", multiple=True, metavar="KEY", help="A work to read. Repeatable.")
@click.option("--all", "everything", is_flag=True, help="Read every work of the bibliography.")
@reading_options
@sources_option
@together(*lookup_options(option))
@keeping_options
@together(*model_options(option))
@format_option("text", "json")
@output_option
@verbose_option
@click.pass_context
def attributes_command(
    ctx: click.Context, /, keys: tuple[str, ...], form: str, output: str | None, **_: object
) -> int:
    """Read cited works into trees of notes, each resting on words of the work.

    The chat model that --model names is sent title, abstract and, where --sources or --full-text
    has it, the full text of each work, and nothing of the paper. It says of what kind the work is
    and fills in the template for that kind; a note whose words do not stand in the text is left
    out. The trees are kept in .reviser/ for 'literature mount'. Templates of your own lie in the
    folder of --templates, as attributes/method.toml, theory.toml, benchmark.toml or survey.toml.
    Exit codes: 0, and 3 when no tree could be had.
    """
    from reviser.app.attributes_output import attributes_data, attributes_page
    from reviser.app.attributing import attribute
    from reviser.app.opening import open_paper
    from reviser.app.writing import page_to, write_page
    from reviser.literature.attributes import Tree

    if bool(keys) == ctx.params["everything"]:
        raise UsageError(
            "it is not said which works are to be read",
            hint="Name them, --key smith2020 --key jones2021, or read every one: --all.",
        )
    models = model_settings(ctx.params)
    found = attribute(open_paper(settings_of(ctx)), models, keys)
    if form == "json":
        _write_json(attributes_data(found), output)
    else:
        page = page_to(output)
        attributes_page(page, found, verbose=ctx.params["verbose"])
        write_page(page, output)
    return CLEAN if any(isinstance(tree, Tree) for _, tree in found.found) else NO_CONCLUSION


@click.command("mount", cls=HeadedCommand)
@path_argument
@reading_options
@sources_option
@together(*lookup_options(option))
@keeping_options
@format_option("text", "json")
@output_option
@verbose_option
@click.pass_context
def mount_command(
    ctx: click.Context, /, form: str, output: str | None, verbose: bool, **_: object
) -> int:
    """Put each cited work to the section of the paper it belongs to, with what it offers there.

    By the meaning of title and abstract, on this machine; a work that is like two sections is put
    to none. Datasets, benchmarks, families of methods and limitations are named for each section:
    from trees where 'literature attributes' made them, else by rules from the abstracts.
    """
    from reviser.app.mounting import mount_data, mount_page, mount_paper
    from reviser.app.opening import open_paper
    from reviser.app.writing import page_to, write_page

    found = mount_paper(open_paper(settings_of(ctx)))
    if form == "json":
        _write_json(mount_data(found), output)
    else:
        page = page_to(output)
        mount_page(page, found, verbose=verbose)
        write_page(page, output)
    return CLEAN


def _write_json(data: dict[str, Any], output: str | None) -> None:
    from reviser.app.writing import write_text

    write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", output)
