"""Write one entry in the habits of its file."""

from collections.abc import Sequence
from dataclasses import dataclass

from reviser.latex.bibstyle import Style, case_of

_DOUBLED = frozenset({"title", "booktitle", "journal", "journaltitle", "publisher", "series"})


@dataclass(frozen=True, slots=True)
class Value:
    """A field to be written. `text` is escaped and has no delimiters; `raw`, where it is given, is
    written as it is instead, delimiters included."""

    name: str
    text: str
    raw: str = ""


def composed(style: Style, kind: str, key: str, values: Sequence[Value]) -> str:
    """The entry's text, with the file's line ends, from its @ to its closing delimiter."""
    layout = style.layout
    by_name = {value.name: value for value in values}
    parts = [f"@{_cased(style, kind, layout.kind)}{layout.opening}{key}"]
    lead = layout.lead
    for name in style.ordered(by_name, kind):
        written = _cased(style, name, layout.name)
        value = by_name[name]
        said = value.raw or delimited(style, value)
        parts.append(f"{lead}{written}{layout.spacing.around(written)}{said}")
        lead = layout.between
    parts.append(layout.tail + (")" if "(" in layout.opening else "}"))
    return "".join(parts).replace("\n", style.newline)


def delimited(style: Style, value: Value) -> str:
    """The value between the delimiters that the file gives this field."""
    shape = style.shapes.get(value.name, style.shape)
    if shape == "bare" and value.text.isdecimal():
        return value.text
    if shape == "double" and value.name in _DOUBLED:
        return f"{{{{{value.text}}}}}"
    return (
        f'"{value.text}"' if style.shape == "quotes" and shape != "braces" else f"{{{value.text}}}"
    )


def _cased(style: Style, word: str, case: str) -> str:
    spelt = style.spelt.get(word, "")
    if spelt and (
        case_of(spelt) == case or spelt[1:] not in {spelt[1:].lower(), spelt[1:].upper()}
    ):
        return spelt
    return {"lower": word.lower(), "UPPER": word.upper()}.get(case, word[:1].upper() + word[1:])
