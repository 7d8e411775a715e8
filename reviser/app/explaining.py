"""Why an edit of the last run was made or refused: its certificate, out of the run's record."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reviser.app.page import Page, Piece, Style
from reviser.app.record import RunRecord, read_record, runs
from reviser.errors import UsageError
from reviser.text.printable import many, printable, shortened

FEWEST = 4
"""Characters of an id that name an edit or a point."""
_STYLES = {
    "accepted": Style.GOOD,
    "revised": Style.GOOD,
    "superseded": Style.FAINT,
    "rejected": Style.WARNING,
    "refused": Style.WARNING,
    "undecided": Style.WARNING,
}
_LONG = 2_000


def explain(page: Page, root: Path, name: str) -> None:
    """Tell what is known of the edits and points of the last run whose id begins with `name`.

    Raises UsageError when there is no run, or nothing in it is called so.
    """
    if len(name) < FEWEST:
        raise UsageError(
            f"{printable(name)!r} is too short to name one edit or point",
            hint=f"Give at least {FEWEST} characters of its id, as the report shows it.",
        )
    kept = runs(root)
    if not kept:
        raise UsageError(
            "there is no run to explain here",
            hint="Runs are kept in .reviser/ at the paper's root; name that folder.",
        )
    record = read_record(root, kept[-1])
    points = [point for point in _points(record) if str(point.get("id", "")).startswith(name)]
    edits = [edit for edit in record["edits"] if _is_meant(edit, name, points)]
    if not points and not edits:
        raise UsageError(
            f"nothing in the last run is called {printable(name)}",
            hint=f"It has {many(len(record['edits']), 'edit')} and "
            f"{many(len(list(_points(record))), 'point')}; reviser improve --format json lists "
            "the ids of both.",
        )
    page.add(
        Piece(f"Run of {printable(record['time'])}, {printable(record['state'])}", Style.FAINT)
    )
    for point in points:
        _add_point(page, point)
    for edit in edits:
        _add_edit(page, edit)
    shown = {str(edit.get("id")) for edit in edits}
    for point in points:
        told = _object(point.get("certificate"))
        if told and str(told.get("edit")) not in shown:
            page.heading(f"Edit {printable(str(told.get('edit')))}, as it was first judged")
            _add_certificate(page, told, "scores_before", "scores_after")


def _is_meant(edit: Mapping[str, Any], name: str, points: Sequence[Mapping[str, Any]]) -> bool:
    answers = [str(answer) for answer in _list(edit.get("answers"))]
    named = {str(point.get("id")) for point in points}
    return str(edit.get("id", "")).startswith(name) or any(
        answer.startswith(name) or answer in named for answer in answers
    )


def _points(record: RunRecord) -> Iterator[Mapping[str, Any]]:
    advice = record["advice"] or {}
    for one in _list(advice.get("rounds")):
        for point in _list(_object(one).get("points")):
            yield {**_object(point), "round": _object(one).get("number")}


def _add_point(page: Page, point: Mapping[str, Any]) -> None:
    page.heading(f"Point {_said(point, 'id')}, round {_said(point, 'round')}")
    page.add(
        Piece(f"{_said(point, 'path')}:{_said(point, 'line')}", Style.PLACE),
        f" {_said(point, 'severity')} {_said(point, 'rule')}: {_said(point, 'message')}",
        indent=2,
        hang=4,
    )
    page.add(Piece(f'"{_said(point, "quote")}"', Style.QUOTE), indent=2, hang=4)
    fate = _said(point, "fate")
    page.add(
        Piece(fate, _STYLES.get(fate, Style.NOTE)),
        f": {_said(point, 'why')}" if point.get("why") else "",
        indent=2,
        hang=4,
    )
    for name, label in (
        ("needs", "It takes"),
        ("instruction", "Asked of the writer"),
        ("rebuttal", "For your answer"),
        ("diagnosis", "Diagnosis"),
    ):
        if point.get(name):
            page.add(f"{label}: {_said(point, name)}", indent=2, hang=4)
    if point.get("drafts"):
        page.add(f"Drafts: {_said(point, 'drafts')}", indent=2, hang=4)


def _add_edit(page: Page, edit: Mapping[str, Any]) -> None:
    page.heading(f"Edit {_said(edit, 'id')}: {_said(edit, 'purpose')}")
    page.add(_said(edit, "why"), indent=2, hang=4)
    for part in map(_object, _list(edit.get("replacements"))):
        page.add(
            Piece(f"{_said(part, 'path')} ", Style.PLACE),
            Piece(_said(part, "before") or "(nothing)", Style.LOST),
            " -> ",
            Piece(_said(part, "after") or "(nothing)", Style.GAINED),
            indent=2,
            hang=4,
        )
    for words in _list(edit.get("evidence")):
        page.add(Piece(f'"{_text(words)}"', Style.QUOTE), indent=2, hang=4)
    for ground in map(_object, _list(edit.get("grounds"))):
        page.add(
            f"{_said(ground, 'said')}: {_said(ground, 'key')}, {_said(ground, 'where')}: ",
            Piece(f'"{_said(ground, "quote")}"', Style.QUOTE),
            indent=2,
            hang=4,
        )
    for allowed in map(_object, _list(edit.get("allows"))):
        change = " -> ".join(_text(allowed.get(n)) or "(nothing)" for n in ("lost", "gained"))
        page.add(f"It may change: {_said(allowed, 'kind')} {change}", indent=2, hang=4)
    _add_certificate(page, edit, "scores before", "scores after")


def _add_certificate(page: Page, told: Mapping[str, Any], before: str, after: str) -> None:
    outcome = _said(told, "outcome")
    page.add(
        Piece(outcome, _STYLES.get(outcome, Style.NOTE)), f" by {_said(told, 'layer')}", indent=2
    )
    steps = [_object(step) for step in _list(told.get("steps"))]
    for step in steps:
        word = _said(step, "outcome")
        page.add(
            f"{_said(step, 'layer'):<10} ",
            Piece(word, _STYLES.get(word, Style.NOTE)),
            f": {_said(step, 'said')}",
            indent=4,
            hang=6,
        )
    if not steps:
        for reason in _list(told.get("reasons")):
            page.add(_text(reason), indent=4, hang=6)
    later = {str(s.get("name")): s for s in map(_object, _list(told.get(after)))}
    for score in map(_object, _list(told.get(before))):
        now = later.pop(str(score.get("name")), {})
        page.add(f"{_said(score, 'name')}: {_figure(score)} -> {_figure(now)}", indent=4, hang=6)
    for score in later.values():
        page.add(f"{_said(score, 'name')}: {_figure(score)} after", indent=4, hang=6)
    for name, label in (("together", "Scored with"), ("holds", "It holds")):
        if told.get(name):
            page.add(f"{label}: {', '.join(map(_text, _list(told.get(name))))}", indent=4, hang=6)
    shadow = _object(told.get("shadow"))
    if shadow:
        page.add(
            Piece("The published rule", Style.HEADING),
            f" ({_said(shadow, 'rule')}): {_said(shadow, 'outcome')}; {_said(shadow, 'why')}",
            indent=4,
            hang=6,
        )


def _figure(score: Mapping[str, Any]) -> str:
    value, spread = score.get("value"), score.get("spread")
    if not isinstance(value, int | float):
        return _said(score, "why") or "unknown"
    return f"{value:.2f}" + (f" (spread {spread:.2f})" if isinstance(spread, int | float) else "")


def _said(data: Mapping[str, Any], name: str) -> str:
    return _text(data.get(name))


def _text(value: object) -> str:
    return "" if value is None else shortened(printable(str(value)), _LONG)


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
