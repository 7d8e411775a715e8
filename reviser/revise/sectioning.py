"""A new section or subsection: the question, and what makes an answer wrong (FIKSurvey C.2)."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from reviser.latex.orders import gives_orders
from reviser.revise.block_shape import shape_of
from reviser.revise.blocks import Block, Said
from reviser.revise.cells import heading_fault
from reviser.revise.drafting import shapeless
from reviser.revise.grounds import Found
from reviser.revise.wording import foreign, unstated
from reviser.text.visible import visible

PROMPT = "write-section"
PASSAGES, PER_WORK = 24, 3
LEAST_WORKS = 2
"""Works that a new section must cite."""
LEAST_CITED = 0.5
"""The share of its sentences that must cite something."""
MOST_TITLE = 14


class SentenceSaid(BaseModel):
    """A sentence, and the keys of the works that it rests on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(min_length=1, max_length=600)
    cites: tuple[str, ...] = Field(max_length=4)


class ParagraphSaid(BaseModel):
    """A paragraph of a new section."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentences: tuple[SentenceSaid, ...] = Field(min_length=1, max_length=10)


class NewSection(BaseModel):
    """A reply: a section with its title."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(min_length=3, max_length=120)
    paragraphs: tuple[ParagraphSaid, ...] = Field(min_length=1, max_length=4)


def read(reply: NewSection, found: Found) -> Block:
    """The block of a reply; keys as the bibliography spells them."""
    spelt = {key.lower(): key for key in found.keys}
    return Block(
        title=visible(reply.title).rstrip(".:"),
        paragraphs=tuple(
            tuple(
                Said(
                    visible(one.text),
                    tuple(dict.fromkeys(spelt.get(key.lower(), key) for key in one.cites)),
                )
                for one in paragraph.sentences
            )
            for paragraph in reply.paragraphs
        ),
    )


def objection(reply: NewSection, found: Found, known: frozenset[str], titles: Sequence[str]) -> str:
    """What is wrong with a reply, or ""; `known` are stems of the paper's words and `titles` those
    of its sections."""
    block = read(reply, found)
    wrong = _title_fault(block, known, titles)
    if wrong:
        return f"the title: {wrong}"
    said = [one for paragraph in block.paragraphs for one in paragraph]
    for one in said:
        wrong = _sentence_fault(one, found)
        if wrong:
            return f"{one.text[:60]!r}: {wrong}"
    if len({one.text.lower() for one in said}) < len(said):
        return "a sentence stands there twice"
    if len(block.keys) < LEAST_WORKS:
        return f"it rests on fewer than {LEAST_WORKS} works"
    if sum(bool(one.keys) for one in said) < LEAST_CITED * len(said):
        return "too few of its sentences name the works they rest on"
    return ""


def _title_fault(block: Block, known: frozenset[str], titles: Sequence[str]) -> str:
    title = block.title
    if not title[:1].isupper() or len(title.split()) > MOST_TITLE or gives_orders(title):
        return f"it is a short phrase of at most {MOST_TITLE} words that begins with a capital"
    if title.lower() in {one.lower() for one in titles}:
        return "the paper has a section of this name"
    if isinstance(shape_of(f"\n\n\\section{{{title}}}\n\nA word."), str):
        return "it is of plain words, without LaTeX and special signs"
    said = [one.text for paragraph in block.paragraphs for one in paragraph]
    return heading_fault(title, known, said)


def _sentence_fault(one: Said, found: Found) -> str:
    unknown = next((key for key in one.keys if key not in found.keys), None)
    if unknown is not None:
        return f"the key {unknown!r} is not among those whose sentences were given"
    absent = unstated(one.text, found.words(one.keys))
    if absent:
        return f"the number {absent[0]} does not stand in the works that it names"
    return shapeless(one.text) or foreign(one.text)
