"""Improve a paper on disk: ask where asked to, write all or nothing, keep the record, report."""

import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import click

from reviser.app.advice_json import advice_data, as_record
from reviser.app.diff_output import add_diff
from reviser.app.improve_output import add_edit, improve_page
from reviser.app.interactive import choose
from reviser.app.json_output import as_json, improve_data
from reviser.app.judging import judges_of, options_of
from reviser.app.locking import Locked, locked_of
from reviser.app.opening import Opened, baseline_of, open_paper
from reviser.app.record import apply_revision
from reviser.app.recorded_edit import Json
from reviser.app.settings import Settings
from reviser.app.ticking import progress
from reviser.app.typesetting import compiled_of
from reviser.app.writing import page_to, write_page, write_patch, write_text
from reviser.pipeline.advising import Bench
from reviser.pipeline.checking import Checked, Judges, Options, check
from reviser.pipeline.improving import Improved, improve
from reviser.text.diff import patch
from reviser.text.edit import Edit, apply
from reviser.text.printable import printable


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to become of the accepted edits, and how it is told."""

    dry_run: bool = False
    patch: str | None = None
    interactive: bool = False
    form: str = "text"
    output: str | None = None
    verbose: bool = False


def improve_as_set(settings: Settings, wish: Wish) -> Improved:
    """Open, check and improve the paper that the settings speak of, with models where they say
    so."""
    opened, seen = open_paper(settings), progress()
    options = options_of(opened, accepted=baseline_of(opened))
    bench = chats = None
    if settings.review is not None:
        from reviser.app.benching import bench_of

        bench, chats = bench_of(opened, settings.review, seen)
    locked = locked_of(opened)
    judges = judges_of(opened, chats=chats, seen=seen, locked=locked)
    before = check(opened.manuscript, options, judges)
    return improve_paper(opened, before, options, judges, wish, bench=bench, locked=locked)


def improve_paper(
    opened: Opened,
    before: Checked,
    options: Options,
    judges: Judges,
    wish: Wish,
    *,
    bench: Bench | None = None,
    locked: Locked | None = None,
) -> Improved:
    """Improve the paper and tell what was done; what is known of the cited works goes into the
    lockfile with the edits. The files are written before anything is told,
    so that a reader who leaves (`| head`) leaves nothing half done."""
    improved = improve(
        before,
        options,
        judges,
        reread=opened.reread,
        choose=_chooser(opened) if wish.interactive else None,
        bench=bench,
        compiled=compiled_of(opened),
    )
    applied = False
    done = "would be made (dry run)"
    if wish.patch is not None:
        command = write_patch(wish.patch, partial(_patch, improved), opened.project.root)
        done = f"written to {printable(wish.patch)}, not made ({printable(command)})"
    elif not wish.dry_run:
        applied = bool(improved.revision.after)
        done = "made ('reviser undo' takes them back)"
        # A run whose every edit was refused is kept as well: the reasons are worth having.
        lock = None if locked is None else _lock(locked, judges, opened, improved)
        if improved.verdicts or improved.advice is not None or lock is not None:
            _apply(opened, improved, lock)
    if wish.patch == "-" and wish.output in {None, "", "-"}:
        return improved  # two things in one stream would be no patch
    if wish.form == "json":
        data = improve_data(improved, opened.settings.fail_on, applied=applied)
        write_text(as_json(data), wish.output)
    else:
        page = page_to(wish.output)
        improve_page(page, improved, done=done, verbose=wish.verbose, prefix=opened.prefix)
        write_page(page, wish.output)
    return improved


def _patch(improved: Improved, prefix: str) -> bytes:
    revision = improved.revision
    return b"".join(
        patch(prefix + path, revision.before[path].encode(), source.encode())
        for path, source in sorted(revision.after.items())
    )


def _lock(
    locked: Locked, judges: Judges, opened: Opened, improved: Improved
) -> tuple[bytes | None, bytes] | None:
    """The lockfile before and after, None where nothing changes in it."""
    papers = (opened.manuscript, improved.after.manuscript)
    before, after = locked.after(judges, papers, improved.before.brought)
    nothing = before is None and not locked.keeping.lines
    return None if nothing or before == after else (before, after)


def _apply(
    opened: Opened, improved: Improved, lock: tuple[bytes | None, bytes] | None = None
) -> None:
    settings = hashlib.sha256(repr(opened.settings).encode("utf-8", "replace")).hexdigest()
    apply_revision(
        opened.project.root,
        improved.revision,
        when=datetime.now(UTC),
        settings=settings,
        findings=[finding.fingerprint for finding in improved.before.live],
        figures={"before": _figures(improved, False), "after": _figures(improved, True)},
        advice=as_record(advice_data(improved)),
        lock=lock,
    )


def _figures(improved: Improved, after: bool) -> Mapping[str, Json]:
    checked = improved.after if after else improved.before
    return {figure.name: figure.value for figure in checked.figures}


def _chooser(opened: Opened) -> Callable[[Sequence[Edit]], Sequence[Edit]]:
    def chosen(edits: Sequence[Edit]) -> Sequence[Edit]:
        def show(number: int, edit: Edit) -> None:
            page = page_to(None)
            page.blank()
            page.heading(f"Edit {number + 1} of {len(edits)}")
            sources = opened.manuscript.sources
            add_edit(page, edit, sources, prefix=opened.prefix)
            for path, after in sorted(apply(sources, [edit]).items()):
                add_diff(page, sources[path], after, prefix=opened.prefix, indent=2)
            write_page(page, None)

        return choose(edits, show=show, ask=_ask, tell=click.echo)

    return chosen


def _ask(question: str) -> str:
    click.echo(question, nl=False)
    line = sys.stdin.readline()
    if not line:
        click.echo()
        raise EOFError
    return line
