"""The commands of `reviser reviews`: a file of public reviews to imitate."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reviser.app.commands.options import option
from reviser.app.commands.review_options import reviews_option
from reviser.app.outcome import CLEAN
from reviser.errors import NoConclusion, ReviserError, UsageError

if TYPE_CHECKING:
    from reviser.review.corpus import Corpus, Read

_MOST_FAULTS = 20


@click.group("reviews")
def reviews_command() -> None:
    """Keep public reviews of other papers, whose criteria a review of yours imitates."""


@reviews_command.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@reviews_option
def import_command(files: tuple[str, ...], reviews: str | None) -> int:
    """Read files of notes as OpenReview's API gives them, one JSON object on a line.

    Notes that not everyone may read are left out, and so is all that is neither paper nor review.
    """
    from reviser.app.reviews import read_file, read_notes
    from reviser.text.printable import printable

    path = _target(reviews)
    for name in files:
        content = read_file(Path(name))
        if content is None:
            raise UsageError(f"there is no file {printable(name)}")
        read = read_notes(content)
        _tell_faults(name, read)
        if not (read.corpus.papers or read.corpus.reviews):
            raise NoConclusion(
                f"{printable(name)} holds neither a paper nor a review that can be read",
                hint="It should have one JSON object on each line: OpenReview's notes, with id, "
                "forum and content.",
            )
        _add(path, name, read)
    return CLEAN


@reviews_command.command("fetch")
@click.option("--venue", metavar="ID", help="A venue, for example ICLR.cc/2024/Conference.")
@click.option("--forum", metavar="ID", multiple=True, help="The forum of one paper. Repeatable.")
@click.option(
    "--limit",
    type=click.IntRange(1, 100_000),
    default=200,
    show_default=True,
    help="Papers of the venue at most.",
)
@option(
    "--openreview",
    metavar="URL",
    default="https://api2.openreview.net",
    show_default=True,
    help="OpenReview's API.",
)
@reviews_option
def fetch_command(
    venue: str | None, forum: tuple[str, ...], limit: int, openreview: str, reviews: str | None
) -> int:
    """Get papers and their public reviews from OpenReview, slowly, without logging in.

    Only the names you give are sent; nothing of a paper of yours is. Reviews have licences of
    their own: the file is for you to read criteria from, not for passing on.
    """
    from reviser.adapters.web.openreview import Site, of_forum, of_venue
    from reviser.review.corpus import gathered
    from reviser.text.printable import many

    if not venue and not forum:
        raise UsageError("name what to fetch: --venue ID or --forum ID")
    path, site = _target(reviews), Site(openreview)
    sources = [of_venue(site, venue, limit=limit)] if venue else []
    sources += [of_forum(site, one) for one in forum]
    lines: list[str] = []
    stopped: ReviserError | KeyboardInterrupt | None = None
    try:
        for source in sources:
            for line in source:
                lines.append(line)
                if sys.stderr.isatty():
                    click.echo(f"\r{many(len(lines), 'note')} came", nl=False, err=True)
    except (ReviserError, KeyboardInterrupt) as error:
        stopped = error
    if sys.stderr.isatty() and lines:
        click.echo(err=True)
    read = gathered(enumerate(lines, start=1), public_only=True)
    _tell_faults("OpenReview", read)
    if read.corpus.papers or read.corpus.reviews:
        _add(path, "OpenReview", read)
    if stopped is not None:
        raise stopped
    if not read.corpus.papers:
        raise NoConclusion(
            "OpenReview gave no paper of that name that everyone may read",
            hint="A venue is named as in the address of its page: .../group?id=VENUE",
        )
    return CLEAN


@reviews_command.command("list")
@reviews_option
def list_command(reviews: str | None) -> int:
    """Show the papers whose reviews are kept, and how many of each."""
    from reviser.app.reviews import open_reviews, reviews_file
    from reviser.text.printable import many, printable, shortened

    corpus = open_reviews(reviews)
    path = reviews_file(reviews)
    if corpus is None:
        click.echo(f"No reviews are kept yet; they would be in {printable(str(path))}.")
        return CLEAN
    for paper in corpus.papers:
        number = many(len(corpus.reviews_of.get(paper.id, ())), "review")
        venue = f"  [{shortened(printable(paper.venue), 40)}]" if paper.venue else ""
        click.echo(f"{number:>10}  {paper.id}  {shortened(printable(paper.title), 100)}{venue}")
    forums = {paper.id for paper in corpus.papers}
    without = sum(review.forum not in forums for review in corpus.reviews)
    click.echo(f"{_said(corpus)} in {printable(str(path))}.")
    if without:
        click.echo(f"{many(without, 'review')} of papers that are not there: nothing is like them.")
    return CLEAN


def _target(named: str | None) -> Path:
    from reviser.app.reviews import reviews_file

    return reviews_file(named)


def _add(path: Path, name: str, read: "Read") -> None:
    """Put what was read into the file, and say what that changed."""
    from reviser.app.reviews import add
    from reviser.text.printable import many, printable

    added = add(path, read.corpus)
    others = f", {many(read.others, 'other note')} passed over" if read.others else ""
    click.echo(
        f"{printable(name)}: {many(added.papers, 'paper')} and {many(added.reviews, 'review')} "
        f"added, {added.changed} changed, {added.known} known{others}."
    )
    click.echo(f"{_said(added.corpus)} in {printable(str(path))}.")


def _said(corpus: "Corpus") -> str:
    from reviser.text.printable import many

    return f"{many(len(corpus.papers), 'paper')} and {many(len(corpus.reviews), 'review')}"


def _tell_faults(name: str, read: "Read") -> None:
    """Say which lines were not taken, and why."""
    from reviser.text.printable import many, printable

    for fault in read.faults[:_MOST_FAULTS]:
        click.echo(f"warning: {printable(name)}:{fault.line}: {printable(fault.why)}", err=True)
    more = len(read.faults) - _MOST_FAULTS
    if more > 0:
        click.echo(f"warning: {printable(name)}: {many(more, 'more fault')}", err=True)
