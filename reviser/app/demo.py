"""Run `improve` on a copy of the bundled paper, and show what a reader should look at."""

import re
import sys
import tempfile
from importlib.resources.abc import Traversable
from pathlib import Path

from reviser.app.improve_output import add_edit, add_reasons
from reviser.app.improving import Wish, improve_paper
from reviser.app.judging import judges_of, options_of
from reviser.app.opening import Opened, baseline_of, open_paper
from reviser.app.outcome import CLEAN
from reviser.app.page import Page, Piece, Style, page_for, show
from reviser.app.settings import SETTINGS_FILE, Settings
from reviser.app.text_output import SHOWN_ID, add_verdicts
from reviser.errors import UsageError
from reviser.manuscript.model import Manuscript
from reviser.pipeline.checking import check
from reviser.pipeline.improving import Improved
from reviser.revise.gate import Gate
from reviser.templates import template
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.source import Place, Span
from reviser.verify.model import Label

_CARELESS = (
    (re.compile(r" not "), " ", "a word is saved, and the sentence says the contrary"),
    (
        re.compile(r"\b\d+(?= (?:percent|points|datasets|hours|seconds|times))"),
        "99",
        "a new number",
    ),
    (re.compile(r"~\\citep\{[^{}]+\}"), "", "a tidier sentence, without its source"),
)
_ACCUSED = (Label.OFF_TOPIC, Label.CONTRADICTED, Label.SILENT)


CANNED = (
    "What follows is canned: the review, the drafts, the verifier's words and the judge's grades "
    "come from a file, and no model is asked. Prompts, checks, gate, budget and record are the "
    "real ones."
)


def run_demo(folder: Path | None, *, verbose: bool, scripted: bool = False) -> int:
    """Copy, improve, tell; the exit code is 0 whatever the paper still lacks, since it is a show.
    `scripted` adds the model half, played with canned replies.

    Raises UsageError when `folder` is there and not empty.
    """
    target = folder if folder is not None else Path(tempfile.mkdtemp(prefix="reviser-demo-"))
    copy_demo(target)
    opened = open_paper(Settings(path=target))
    page = page_for(sys.stdout)
    page.add(
        Piece("A survey with faults put in on purpose", Style.HEADING),
        f", copied to {target}. First what its citations are worth, then what improve does.",
        hang=2,
    )
    options, judges = options_of(opened, accepted=baseline_of(opened)), judges_of(opened)
    checked = check(opened.manuscript, options, judges)
    bench = None
    if scripted:
        from reviser.app.scripted import canned_bench

        bench = canned_bench(opened.manuscript, judges.progress)
        page.gap()
        page.add(Piece(CANNED, Style.WARNING), hang=2)
    else:
        labels = tuple(Label) if verbose else _ACCUSED
        add_verdicts(page, checked, labels=labels, prefix=opened.prefix)
    page.blank()
    show(page, sys.stdout)
    improved = improve_paper(opened, checked, options, judges, Wish(verbose=verbose), bench=bench)
    page = page_for(sys.stdout)
    page.blank()
    if not scripted:
        add_trials(page, improved.after.manuscript, opened)
    page.heading("Try")
    for command, what in (
        (f"reviser check {target}", "what is left, with its evidence"),
        (f"reviser check -v {target}", "every verdict, also the good ones"),
        (f"reviser undo {target}", "the paper as it was, byte for byte"),
        (f"reviser improve -i {target}", "edit by edit, after undo"),
    ):
        page.add(Piece(command, Style.PLACE), f": {what}", indent=2, hang=6)
    _add_explained(page, improved, target)
    page.add(f"{target / 'FAULTS.toml'} lists every fault that was put in.", indent=2, hang=6)
    show(page, sys.stdout)
    return CLEAN


def _add_explained(page: Page, improved: Improved, target: Path) -> None:
    """How to have the first edit for a point explained, where there are points."""
    rounds = improved.advice.rounds if improved.advice is not None else ()
    treated = [t for one in rounds for t in one.treated if t.verdict is not None]
    if treated:
        command = f"reviser explain {treated[0].decision.point.id[:SHOWN_ID]} {target}"
        what = "what an edit had to pass, layer by layer"
        page.add(Piece(command, Style.PLACE), f": {what}", indent=2, hang=6)


def add_trials(page: Page, manuscript: Manuscript, opened: Opened) -> None:
    """Show the gate refusing: edits as a careless writer makes them, offered and never made."""
    page.heading("The gate, tried with edits that must not pass")
    gate = Gate(opened.reread)
    for edit in careless_edits(manuscript):
        verdict = gate.judge(manuscript, edit)
        add_edit(page, edit, manuscript.sources, prefix=opened.prefix)
        add_reasons(page, verdict)


def careless_edits(manuscript: Manuscript) -> tuple[Edit, ...]:
    """The first sentence of the body that offers itself, for each of `_CARELESS`."""
    edits = []
    for number, (pattern, after, why) in enumerate(_CARELESS, 1):
        for sentence in manuscript.sentences:
            found = (
                pattern.search(manuscript.text(sentence.at)) if sentence.kind == "body" else None
            )
            if found is not None:
                start = sentence.at.span.start + found.start()
                at = Place(sentence.at.path, Span(start, start + len(found[0])))
                parts = (Replacement(at, found[0], after),)
                edits.append(Edit(f"careless-{number}", "demo", parts, Purpose.RULE_FIX, why))
                break
    return tuple(edits)


def copy_demo(folder: Path) -> None:
    """Copy the bundled paper into `folder`, which must be new or empty.

    It gets a settings file, so that it is a project of its own wherever the folder lies.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already", hint="Name a folder that is new or empty.")
    _copy(template("demo"), folder)
    (folder / SETTINGS_FILE).write_bytes(template(SETTINGS_FILE).read_bytes())


def _copy(found: Traversable, target: Path) -> None:
    if found.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        for child in found.iterdir():
            _copy(child, target / child.name)
    else:
        target.write_bytes(found.read_bytes())
