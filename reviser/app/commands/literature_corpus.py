"""`literature search`, `expand`, `add` and `status`: the corpus of works a paper can draw on."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reviser.app.commands.headed import HeadedCommand
from reviser.app.commands.lookup_options import corpus_option, lookup_options
from reviser.app.commands.model_options import model_options, model_settings
from reviser.app.commands.options import (
    format_option,
    keeping_options,
    option,
    output_option,
    path_argument,
    settings_of,
    sources_option,
    together,
)
from reviser.app.outcome import CLEAN, FOUND, NO_CONCLUSION
from reviser.errors import UsageError

if TYPE_CHECKING:
    from reviser.app.opening import Opened
    from reviser.roles import Role

_topic = click.argument("topic", metavar="TOPIC")
_judging = click.option(
    "--judge",
    is_flag=True,
    help="Let the chat model of --model say of each work whether it matters to the topic: it is "
    "sent the topic, titles and abstracts.",
)


@click.command("search", cls=HeadedCommand)
@_topic
@path_argument
@click.option(
    "--most", type=click.IntRange(1, 1000), default=20, show_default=True,
    help="Works that are shown at most.",
)  # fmt: skip
@_judging
@sources_option
@corpus_option(option)
@together(*lookup_options(option))
@keeping_options
@together(*model_options(option))
@format_option("text", "json", "bibtex")
@output_option
@click.pass_context
def search_command(
    ctx: click.Context, /, *, topic: str, judge: bool, form: str, output: str | None, **given: Any
) -> int:  # fmt: skip
    """Find works on TOPIC in the corpus, by their words and their meaning.

    The corpus is the bibliography of the paper at PATH, its lockfile, the exports that --sources
    names, and all that was ever found or added; with
    --lookup services are asked as well, and what they find is kept in it. Nothing but TOPIC is
    sent. Exit codes: 0, and 3 when nothing was found.
    """
    from reviser.app.literature_output import bibtex, search_data, search_page
    from reviser.app.searching import search
    from reviser.app.writing import page_to, write_page, write_text
    from reviser.text.printable import printable

    opened = _opened(ctx, topic)
    found = search(opened, topic, given["most"], _helper(ctx, opened) if judge else None)
    if form == "json":
        _write_json(search_data(found), output)
    elif form == "bibtex":
        relevant = None if found.judged is None else {j.paper for j in found.judged.relevant}
        works = [held for held in found.works if relevant is None or held.paper in relevant]
        text, left_out = bibtex(works)
        for why in left_out:
            click.echo(f"warning: no entry for {printable(why)}", err=True)
        write_text(text, output)
    else:
        page = page_to(output)
        search_page(page, found)
        write_page(page, output)
    return CLEAN if found.works else NO_CONCLUSION


@click.command("expand", cls=HeadedCommand)
@_topic
@path_argument
@click.option(
    "--keyword", "keywords", multiple=True, metavar="WORDS",
    help="What is searched for first, in the place of TOPIC. Repeatable.",
)  # fmt: skip
@click.option(
    "--documents", type=click.IntRange(1, 100_000), default=1000, show_default=True,
    help="Papers on the topic after which it ends.",
)  # fmt: skip
@click.option(
    "--searches", type=click.IntRange(1, 10_000), default=60, show_default=True,
    help="Questions put to services in this run at most, all of them together.",
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(1, 86_400), default=900.0, show_default=True,
    help="Seconds after which no search is begun.",
)  # fmt: skip
@click.option("--anew", is_flag=True, help="Begin again with TOPIC; papers that came stay.")
@click.option(
    "--name-by-model", is_flag=True,
    help="Let the chat model of --model name the keywords: it is sent the topic, titles and "
    "abstracts. Without it they are counted out of the papers.",
)  # fmt: skip
@corpus_option(option)
@together(*lookup_options(option))
@keeping_options
@together(*model_options(option))
@format_option("text", "json")
@output_option
@click.pass_context
def expand_command(
    ctx: click.Context, /, topic: str, form: str, output: str | None, **given: Any
) -> int:
    """Fill the corpus with the literature on TOPIC, from the services that --lookup names.

    What is found is sorted by meaning into groups, each group gets a keyword, and the keyword that
    is near the topic and far from those searched for is searched for next. What came is kept at
    once: another run goes on where this one ended. Services are sent TOPIC and these keywords.
    """
    from reviser.app.literature_output import expand_data, expand_page
    from reviser.app.searching import expand_topic
    from reviser.app.writing import page_to, write_page
    from reviser.literature.expand import NOBODY, Limits

    opened = _opened(ctx, topic)
    limits = Limits(given["documents"], given["searches"], given["seconds"])
    helper = _helper(ctx, opened) if given["name_by_model"] else None
    found = expand_topic(opened, topic, given["keywords"], limits, helper, anew=given["anew"])
    if form == "json":
        _write_json(expand_data(found), output)
    else:
        page = page_to(output)
        expand_page(page, found)
        write_page(page, output)
    return NO_CONCLUSION if found.expansion.stopped == NOBODY else CLEAN


@click.command("add")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--to", "path", default=".", metavar="PATH", help="The paper whose corpus it is. [default: .]"
)
@corpus_option(option)
@click.pass_context
def add_command(ctx: click.Context, /, files: tuple[str, ...], path: str, **_: object) -> int:
    """Put the works of files into the corpus: .bib with abstracts, .ris, CSL-JSON, folders of them,
    or what 'search' wrote as JSON.

    Each work is kept once, whoever describes it; only texts that are new are embedded. Exit code 1
    when a work was left out because it has the identifier of another.
    """
    from reviser.app.collecting import collect
    from reviser.app.literature_output import collected_page
    from reviser.app.writing import page_to, write_page

    ctx.params["path"] = Path(path)
    found = collect(_opened(ctx, " "), files)
    page = page_to(None)
    collected_page(page, found)
    write_page(page, None)
    return FOUND if any(added.odd for _, added in found.files) else CLEAN


@click.command("status")
@path_argument
@corpus_option(option)
@format_option("text", "json")
@output_option
@click.pass_context
def status_command(ctx: click.Context, /, form: str, output: str | None, **_: object) -> int:
    """Say what is in the corpus and what brought it."""
    from reviser.app.literature_output import status_data, status_page
    from reviser.app.searching import status
    from reviser.app.writing import page_to, write_page

    found = status(_opened(ctx, " "))
    if form == "json":
        _write_json(status_data(found), output)
    else:
        page = page_to(output)
        status_page(page, found)
        write_page(page, output)
    return CLEAN


def _opened(ctx: click.Context, topic: str) -> "Opened":
    from reviser.app.opening import open_folder

    if not topic:
        raise UsageError("the topic is empty", hint="Say what the works should be about.")
    return open_folder(settings_of(ctx))


def _helper(ctx: click.Context, opened: "Opened") -> "Role":
    from reviser.app.chatting import helper_of
    from reviser.app.consent import Kind

    return helper_of(opened, model_settings(ctx.params), Kind.WORKS).helper


def _write_json(data: dict[str, Any], output: str | None) -> None:
    from reviser.app.writing import write_text

    write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", output)
