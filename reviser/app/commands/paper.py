"""Commands about one paper that leave its text alone or bring it back: inspect, baseline, undo."""

import sys
from pathlib import Path

import click

from reviser.app.choices import BASELINE_FILE
from reviser.app.commands.options import (
    checking_options,
    destination_option,
    format_option,
    gathering_options,
    output_option,
    path_argument,
    reading_options,
    settings_of,
)
from reviser.app.outcome import CLEAN


@click.command("inspect")
@path_argument
@reading_options
@gathering_options
@format_option("text", "json")
@output_option
@click.pass_context
def inspect_command(ctx: click.Context, /, form: str, output: str | None, **_: object) -> int:
    """Print what was read of the paper: files, sections, sentences, citations, entries.

    With --lookup and --sources also what was found of the works that it cites.
    """
    from reviser.app.gathering import evidence_of
    from reviser.app.inspect import report
    from reviser.app.inspect_output import inspect_page
    from reviser.app.opening import open_paper
    from reviser.app.ticking import progress
    from reviser.app.works_output import add_works, works_data
    from reviser.app.writing import page_to, write_page, write_text

    opened = open_paper(settings_of(ctx))
    gathered = evidence_of(opened, progress()).gathered
    works = None if gathered is None else works_data(gathered)
    if form == "json":
        import json

        write_text(json.dumps(report(opened.manuscript, works), indent=2) + "\n", output)
        return CLEAN
    page = page_to(output)
    inspect_page(page, opened.manuscript, prefix=opened.prefix)
    if works is not None:
        add_works(page, works)
    write_page(page, output)
    return CLEAN


@click.command("baseline")
@path_argument
@reading_options
@checking_options
@click.pass_context
def baseline_command(ctx: click.Context, /, **_: object) -> int:
    """Accept the findings of today, so that later checks speak of new ones only.

    Writes reviser-baseline.json at the paper's root, or the file named by --baseline.
    """
    from dataclasses import replace

    from reviser.adapters.files import write_all
    from reviser.app.judging import judges_of, options_of
    from reviser.app.locking import locked_of
    from reviser.app.opening import open_paper
    from reviser.app.writing import write_file
    from reviser.pipeline.checking import check
    from reviser.review.baseline import make
    from reviser.text.printable import many, printable

    opened = open_paper(settings_of(ctx))
    # The whole paper, and nothing accepted before: the file is written anew.
    options = replace(options_of(opened, accepted=None), changed=None)
    judges = judges_of(opened, locked=locked_of(opened))
    checked = check(opened.manuscript, options, judges)
    data = make(checked.findings).encode("ascii", "backslashreplace")
    name = opened.settings.baseline
    if name is not None and "baseline" not in opened.settings.from_file:
        write_file(name, data)
    else:
        name = name or BASELINE_FILE
        write_all(opened.project.root, {name: data})
        name = f"{opened.prefix}{name}"
    click.echo(f"{many(len(checked.live), 'finding')} accepted in {printable(name)}")
    return CLEAN


@click.command("undo")
@click.argument("path", default=".", metavar="[PATH]")
@click.option(
    "--patch",
    metavar="FILE",
    callback=destination_option,
    help="Where files were edited since: write the reverse patch here.",
)
def undo_command(path: str, patch: str | None) -> int:
    """Put back every byte that the latest 'improve' has changed."""
    from reviser.adapters.files import locate
    from reviser.adapters.git.changed import tracks
    from reviser.app.own_folder import FOLDER
    from reviser.app.record import ChangedSince, undo
    from reviser.app.writing import write_patch
    from reviser.errors import UsageError
    from reviser.text.printable import many, printable

    root = locate(Path(path)).root
    if tracks(root, FOLDER):
        raise UsageError(
            f"{FOLDER} is under version control, so what it would put back is somebody's word",
            hint=f"Run git rm -r --cached {FOLDER}, and look at what lies in it before you undo.",
        )
    try:
        undone = undo(root)
    except ChangedSince as changed:
        if patch is None or not changed.back:
            raise
        command = write_patch(patch, changed.patch, root)
        changed.hint = f"{command} takes the run's changes back and keeps yours."
        if changed.missed:
            changed.hint += (
                f"\nLeft out, because you edited there: {many(changed.missed, 'change')}."
            )
        raise
    for name in undone.restored:
        click.echo(f"restored {printable(name)}")
    for name in undone.removed:
        click.echo(f"removed {printable(name)}, which was not there before")
    for name in undone.left:
        click.echo(f"left as it is, because it was written since: {printable(name)}")
    for name in undone.untouched:
        click.echo(f"already as before: {printable(name)}")
    sys.stdout.flush()
    return CLEAN


@click.command("explain")
@click.argument("name", metavar="ID")
@click.argument("path", default=".", metavar="[PATH]")
def explain_command(name: str, path: str) -> int:
    """Say why an edit of the latest 'improve' was made or refused, or what became of a point.

    ID is its id or the fingerprint of its finding, or their first characters (at least four).
    """
    from reviser.adapters.files import locate
    from reviser.app.explaining import explain
    from reviser.app.page import page_for, show

    page = page_for(sys.stdout)
    explain(page, locate(Path(path)).root, name)
    show(page, sys.stdout)
    return CLEAN
