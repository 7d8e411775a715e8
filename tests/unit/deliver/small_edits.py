"""A small language for tests of delivery: sources, edits and verdicts from plain text."""

from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.diff import patch
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.patch import read_patch
from reviser.text.source import Place, Source, Span


def sources(**texts):
    """`sources(main="a\\n")` is a paper with the file main.tex."""
    return {f"{name}.tex": Source(f"{name}.tex", text) for name, text in texts.items()}


def replacement(files, path, before, after, *, nth=0):
    """Put `after` in the place of the `nth` `before` in a file."""
    start = -1
    for _ in range(nth + 1):
        start = files[path].text.index(before, start + 1)
    return Replacement(Place(path, Span(start, start + len(before))), before, after)


def verdict(*replacements, name="e1", answers=("f" * 12,), outcome=Outcome.ACCEPTED, reasons=()):
    """What the gate said of an edit made of these replacements."""
    edit = Edit(
        name, "bib/duplicate", tuple(replacements), Purpose.RULE_FIX, "why", answers=answers
    )
    layer = Layer.EVIDENCE if outcome is Outcome.ACCEPTED else Layer.INVARIANTS
    return Verdict(edit, outcome, layer, reasons)


def diff(path, before, after):
    """What a diff says of one file."""
    return read_patch(patch(path, before.encode(), after.encode()))
