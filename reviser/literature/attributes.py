"""A work as a tree of notes, each resting on words of the work: SurveyX's AttributeTree (3.1.2).

A helper says of what kind the work is and fills in that kind's template. What it notes counts only
where code finds the words it quotes in what it was shown, and no number is noted that those words
do not have; else the note is dropped, with its reason. So whatever is written from a tree can be
followed to a passage.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict
from pydantic import Field as Member

from reviser.asking import Answered, Unusable
from reviser.latex.orders import gives_orders
from reviser.latex.quoting import folded, quoted_in
from reviser.literature.attribute_templates import Field, Template, bundled_templates
from reviser.literature.reading_parts import readable, split_in_parts
from reviser.roles import TOO_LONG, Question, Role
from reviser.text.visible import visible

PROMPTS = ("classify-work", "extract-attributes")
CLASSIFY, EXTRACT = PROMPTS
MOST_PARTS = 12
"""Parts of one work that are read; what is behind them is not."""
LARGEST_PART = 6_000
"""Tokens of a part, where the helper's context has room for more: notes on a long text get thin."""
REPLY_TOKENS = 4_000
"""Tokens that the notes on one part may have."""
FEWEST_WORDS = 4
MOST_WORDS = 80
"""Words of a quotation: fewer stand anywhere, more point at nothing."""
LONGEST_NOTE = 400
"""Characters of a note."""

ORDERS = "its text gives orders to whoever reads it, so no model was shown it"
NO_TEXT = "there is no text of it"
NOTHING = "nothing was noted that its text bears out"

_BEGINNING = 1_500
"""Tokens of a work by which its kind is told."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"[^\W\d_]*[A-Z][^\W\d_]*[A-Z]\w*(?:-\w+)*")


@dataclass(frozen=True, slots=True)
class Reading:
    """What is at hand of a work: `work` names it (a citation key, or `Paper.identity`), `text` is
    its abstract or its full text, as `where` says."""

    work: str
    title: str
    text: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Leaf:
    """What a work says on one matter. `quote` are the words it rests on, as the text has them."""

    path: tuple[str, ...]
    text: str
    quote: str

    @property
    def name(self) -> str:
        """Its path as people read it: `problem > definition`."""
        return " > ".join(self.path)


@dataclass(frozen=True, slots=True)
class Tree:
    """The notes on one work, in the order of its kind's template, whose label is `template`.

    `where` says what was read. `dropped` are the reasons why notes of the model were left out,
    `unread` says why parts of the text were not read or not understood; both may repeat.
    """

    work: str
    kind: str
    leaves: tuple[Leaf, ...]
    title: str = ""
    where: str = ""
    template: str = ""
    dropped: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    def under(self, *path: str) -> tuple[Leaf, ...]:
        """The notes at a path and below it: `under("experiments", "data")`."""
        return tuple(leaf for leaf in self.leaves if leaf.path[: len(path)] == path)


class Classified(BaseModel):
    """The kind of a work."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["method", "theory", "benchmark", "survey"]


class Note(BaseModel):
    """A note on the field of that number, and the words it rests on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    field: int = Member(ge=1, le=100)
    quote: str = Member(max_length=4_000)
    text: str = Member(max_length=4_000)


class Noted(BaseModel):
    """The notes on a text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    notes: tuple[Note, ...] = Member(max_length=150)


def extract(
    readings: Sequence[Reading],
    helper: Role,
    templates: Mapping[str, Template] | None = None,
    *,
    most_parts: int = MOST_PARTS,
) -> tuple[Tree | Unusable, ...]:
    """The tree of each work, in their order, or why there is none.

    Asks one question for each work, then one for each part of its text. Text that gives orders is
    shown to no model. Raises ReviserError when the endpoint answers nobody.
    """
    forms = bundled_templates() if templates is None else templates
    texts = [readable(reading.text) for reading in readings]
    shown = [n for n, text in enumerate(texts) if text]
    kinds = {n: _classify(readings[n], texts[n], helper, forms) for n in shown}
    # Leave is asked for all of it, not for the first and cheapest step alone.
    fullest = max(forms.values(), key=lambda form: len(_listed(form)))
    foreseen = [
        _noting(readings[n], text, fullest, helper)
        for n in shown
        for text in _parts(readings[n], texts[n], helper, fullest)[:most_parts]
    ]
    helper.model.expect([*map(helper.request, kinds.values()), *map(helper.request, foreseen)])
    answers = dict(zip(kinds, helper.ask_each(list(kinds.values())), strict=True))
    form_of = {n: forms[a.value.kind] for n, a in answers.items() if isinstance(a, Answered)}
    parts = {n: _parts(readings[n], texts[n], helper, form) for n, form in form_of.items()}
    asked = [(n, text) for n, pieces in parts.items() for text in pieces[:most_parts]]
    notes = helper.ask_each([_noting(readings[n], text, form_of[n], helper) for n, text in asked])
    said: dict[int, list[tuple[str, Answered[Noted] | Unusable]]] = {n: [] for n in form_of}
    for (number, text), note in zip(asked, notes, strict=True):
        said[number].append((text, note))
    found: list[Tree | Unusable] = []
    for number, reading in enumerate(readings):
        answer = answers.get(number)
        if answer is None:
            found.append(Unusable(ORDERS if visible(reading.text) else NO_TEXT))
        elif isinstance(answer, Unusable):
            found.append(answer)
        else:
            left = len(parts[number]) - most_parts
            unread = [f"{left} of {len(parts[number])} parts were not read"] if left > 0 else []
            if not parts[number]:
                unread = [f"{TOO_LONG} ({helper.context:,} tokens)"]
            found.append(_grown(reading, form_of[number], said[number], unread))
    return tuple(found)


def _classify(
    reading: Reading, text: str, helper: Role, forms: Mapping[str, Template]
) -> Question[Classified]:
    kinds = "\n".join(f"{form.kind}: {form.what}" for form in forms.values())

    def question(shown: str) -> Question[Classified]:
        values = {"kinds": kinds, "title": _title(reading), "text": shown}
        return Question(CLASSIFY, values, Classified)

    room = min(_BEGINNING, helper.room(question("")))
    beginning = split_in_parts(text, max(1, room))[:1]
    return question("".join(beginning))


def _noting(reading: Reading, text: str, form: Template, helper: Role) -> Question[Noted]:
    values = {"fields": _listed(form), "title": _title(reading), "text": text}
    return Question(EXTRACT, values, Noted, max_tokens=min(REPLY_TOKENS, helper.context // 3))


def _listed(form: Template) -> str:
    return "\n".join(
        f"{number}. {field.name} ({'1 note' if field.most == 1 else f'up to {field.most} notes'}): "
        f"{field.asks}"
        for number, field in enumerate(form.fields, start=1)
    )


def _title(reading: Reading) -> str:
    title = visible(reading.title)[:LONGEST_NOTE]
    return "(withheld)" if gives_orders(title) else title or "(unknown)"


def _parts(reading: Reading, text: str, helper: Role, form: Template) -> list[str]:
    """The text in parts that the helper's context has room for; none where it has none at all."""
    room = min(LARGEST_PART, helper.room(_noting(reading, "", form, helper)))
    return split_in_parts(text, room) if room > 0 else []


def _grown(
    reading: Reading,
    form: Template,
    answers: Sequence[tuple[str, Answered[Noted] | Unusable]],
    left_out: Sequence[str],
) -> Tree | Unusable:
    """What the notes on its parts bear out; the first notes of a field stand."""
    title = "" if gives_orders(visible(reading.title)) else visible(reading.title)
    leaves: dict[int, list[Leaf]] = {}
    dropped: list[str] = []
    unread = list(left_out)
    for text, answer in answers:
        if isinstance(answer, Unusable):
            unread.append(answer.why)
            continue
        for note in answer.value.notes:
            leaf = _leaf(note, form.fields, title, text)
            if isinstance(leaf, str):
                dropped.append(leaf)
                continue
            there = leaves.setdefault(note.field, [])
            alike = any(folded(leaf.text).text == folded(one.text).text for one in there)
            if len(there) < form.fields[note.field - 1].most and not alike:
                there.append(leaf)
    if not leaves:
        return Unusable(unread[0] if unread and not dropped else NOTHING, "; ".join(dropped[:5]))
    ordered = tuple(leaf for field in sorted(leaves) for leaf in leaves[field])
    return Tree(
        reading.work,
        form.kind,
        ordered,
        title,
        reading.where,
        form.label,
        tuple(dropped),
        tuple(unread),
    )


def _leaf(note: Note, fields: Sequence[Field], title: str, text: str) -> Leaf | str:
    """A note as a leaf, or why it is dropped. Its names may be from anywhere in title and text."""
    if note.field > len(fields):
        return "it is on a field that was not asked for"
    said = visible(note.text)
    at = quoted_in(text, note.quote.strip().strip("\"“”„«»'‘’"))
    if at is None:
        return "the words it quotes do not stand in the text"
    quote = visible(text[at.start : at.stop])
    names = _NAME.findall(said)
    near = folded(f"{title}\n{text}").text.casefold()
    checks = (
        (not FEWEST_WORDS <= len(quote.split()) <= MOST_WORDS, "it quotes too little or too much"),
        (not 0 < len(said) <= LONGEST_NOTE, "it says nothing, or too much"),
        (gives_orders(said) or gives_orders(quote), "it gives orders"),
        (
            not _numbers(said) <= _numbers(quote),
            "it has a number that the words it quotes do not have",
        ),
        (
            any(folded(name).text.casefold() not in near for name in names),
            "it has a name that the text does not have",
        ),
    )
    wrong = next((why for fails, why in checks if fails), "")
    if wrong:
        return wrong
    return Leaf(fields[note.field - 1].path, said, quote)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(number.replace(",", "") for number in _NUMBER.findall(text))
