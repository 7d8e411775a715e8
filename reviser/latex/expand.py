"""Reading one use of the paper's own macros: what their bodies do with the arguments given."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reviser.latex.commands import HEADINGS
from reviser.latex.definitions import Parameter
from reviser.latex.dialect import UserCommand, WrappedCitation, WrappedText
from reviser.latex.elements import (
    BibliographyUse,
    Citation,
    Footnote,
    Heading,
    Include,
    Key,
    Label,
    Reference,
    Skipped,
)
from reviser.latex.scan import Argument
from reviser.latex.uses import Reader, Reading, Use
from reviser.text.source import Place, Span

_HASH = re.compile(r"#([1-9])")
_TOKEN = re.compile(r"\\(?:[A-Za-z]+|[\s\S])|[^\s{}\\]")
_LONGEST = 400
_FARTHEST = 2000


class _Value(NamedTuple):
    """An argument as given: its braces' or brackets' place if it has any, and its words."""

    argument: Argument | None
    words: str


def user_command(command: UserCommand) -> Reader:
    """A reader of the paper's own macro `command`."""

    def read(reading: Reading, use: Use) -> None:
        given = _arguments(reading, use, command.parameters)
        if given is None:
            return
        values, stop = given
        place = reading.place(use.start, stop)
        for number in sorted(command.discards):
            argument = values[number - 1].argument if number <= len(values) else None
            if argument is not None:
                reading.dead.append(argument.span)
                inner = Place(reading.path, argument.inner)
                reading.skipped.append(Skipped(inner, "discarded argument"))
        _add_citations(reading, use, command.citations, values, stop)
        for reference in command.references:
            names = tuple(_keys(reading, use, reference.names, values, stop))
            if names:
                reading.references.append(Reference(place, use.name, names))
        for key in _keys(reading, use, command.labels, values, stop):
            reading.labels.append(Label(place, key))
        for wanted in command.includes:
            folder = _filled(wanted.folder, values)
            for name in wanted.names:
                target = _filled(name, values)
                reading.includes.append(Include(place, wanted.command, target, folder))
        for wanted in command.bibliographies:
            for name in wanted.names:
                target = _filled(name, values)
                reading.bibliographies.append(BibliographyUse(place, wanted.command, target))
        _add_texts(reading, use, command, values, place)

    return read


def _add_citations(
    reading: Reading,
    use: Use,
    wrapped: Sequence[WrappedCitation],
    values: Sequence[_Value],
    stop: int,
) -> None:
    starred = reading.scan.text.startswith("*", use.stop) and stop > use.stop
    for citation in wrapped:
        keys = tuple(_keys(reading, use, citation.keys, values, stop))
        if not keys:
            continue
        notes = (_filled(note, values) for note in citation.notes)
        reading.citations.append(
            Citation(
                at=reading.place(use.start, stop),
                command=use.name + "*" * starred,
                form=citation.form,
                keys=keys,
                notes=tuple(note for note in notes if note),
                via=citation.command,
            )
        )


def _add_texts(
    reading: Reading, use: Use, command: UserCommand, values: Sequence[_Value], place: Place
) -> None:
    for footnote in command.footnotes:
        for inner in _inner(reading, footnote, values):
            reading.footnotes.append(Footnote(place, inner))
    for heading in command.headings:
        for inner in _inner(reading, heading, values):
            level = HEADINGS[heading.command]
            reading.headings.append(Heading(place, heading.command, level, inner, heading.starred))
    for caption in command.captions:
        for inner in _inner(reading, caption, values):
            reading.captions.append((use.parent, inner))


def _inner(reading: Reading, text: WrappedText, values: Sequence[_Value]) -> Iterator[Place]:
    argument = values[text.argument - 1].argument if text.argument <= len(values) else None
    if argument is not None:
        yield Place(reading.path, argument.inner)


def _keys(
    reading: Reading, use: Use, templates: Sequence[str], values: Sequence[_Value], stop: int
) -> Iterator[Key]:
    whole = reading.place(use.start, stop)
    for template in templates:
        number = _HASH.fullmatch(template)
        value = values[int(number.group(1)) - 1] if number and _has(values, number) else None
        if value is not None and value.argument is not None:
            yield from reading.keys(use, value.argument, stop)
            continue
        for name in _filled(template, values).split(","):
            if name.strip():
                yield Key(name.strip(), whole, editable=False)


def _has(values: Sequence[_Value], number: re.Match[str]) -> bool:
    return int(number.group(1)) <= len(values)


def _filled(template: str, values: Sequence[_Value]) -> str:
    """`template` with the arguments in the places of #1 … #9."""
    if "#" not in template:
        return template
    return _HASH.sub(
        lambda number: (
            values[int(number.group(1)) - 1].words if _has(values, number) else number.group()
        ),
        template,
    )[:_LONGEST]


def _arguments(
    reading: Reading, use: Use, parameters: Sequence[Parameter]
) -> tuple[list[_Value], int] | None:
    """What is given for `parameters`, and where that ends; None where TeX would complain."""
    values: list[_Value] = []
    at = use.stop
    for parameter in parameters:
        read = _argument(reading, at, parameter)
        if read is None:
            return None
        value, at = read
        values.append(value)
    return values, at


def _argument(reading: Reading, at: int, parameter: Parameter) -> tuple[_Value, int] | None:
    scan = reading.scan
    if parameter.kind == "s":
        start = scan.after_gap(at)
        marked = bool(parameter.opening) and scan.text.startswith(parameter.opening, start)
        end = start + len(parameter.opening) if marked else at
        return _Value(None, scan.text[start:end] if marked else ""), end
    if parameter.kind in "od":
        mark = parameter.opening if parameter.opening in ("[", "(", "<") else ""
        argument = scan.argument(at, mark) if mark else None
        if argument is None:
            return _Value(None, parameter.default), at
        return _Value(argument, reading.words(argument, _LONGEST)), argument.span.stop
    if parameter.kind == "r":
        return _between(reading, at, parameter)
    argument = scan.argument(at, "{")
    if argument is not None:
        return _Value(argument, reading.words(argument, _LONGEST)), argument.span.stop
    token = _TOKEN.match(scan.text, scan.after_gap(at))
    return (_Value(None, token.group()), token.end()) if token else None


def _between(reading: Reading, at: int, parameter: Parameter) -> tuple[_Value, int] | None:
    """An argument of a \\def with delimiters: from `opening` to the next `closing`."""
    scan = reading.scan
    opening, closing = parameter.opening.strip(), parameter.closing.strip()
    if opening:
        at = scan.after_gap(at)
        if not scan.text.startswith(opening, at):
            return None
        at += len(opening)
    if not closing:
        return _argument(reading, at, Parameter("m"))
    group = scan.argument(at, "{")
    after = scan.after_gap(group.span.stop) if group else at
    if group is not None and scan.text.startswith(closing, after):
        return _Value(group, reading.words(group, _LONGEST)), after + len(closing)
    end = scan.text.find(closing, at, at + _FARTHEST)
    if end < 0:
        return None
    inner = Span(at, end)
    argument = Argument(opening, inner, inner)
    return _Value(argument, scan.text[at:end][:_LONGEST]), end + len(closing)
