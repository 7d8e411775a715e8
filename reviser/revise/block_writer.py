"""The writer of blocks: from a decision to a new section, a table or a timeline, as an edit.

FIKSurvey C.2 (the actions), SGMC 3.2 (the hub cycle, for sections), SurveyX 3.1.2 and 3.2 (tables
and timelines out of attribute trees). The model gives data; `block_text` writes the LaTeX. What a
section rests on is located against each draft, in the bibliography and beyond it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reviser.asking import Unusable
from reviser.draft import hub
from reviser.latex.orders import gives_orders
from reviser.literature.attributes import Reading, Tree, extract
from reviser.literature.forest import rendered
from reviser.manuscript.model import Manuscript
from reviser.review import withheld
from reviser.review.model import Action
from reviser.revise import sectioning, tabling
from reviser.revise.block_places import (
    NO_SECTION,
    SUBSECTION,
    end_of_paragraph,
    end_of_section,
    frame,
    host_of_section,
    host_of_subsection,
)
from reviser.revise.block_style import style_of
from reviser.revise.block_text import latex_of, plain_name
from reviser.revise.blocks import Block
from reviser.revise.cells import LEAST_ROWS
from reviser.revise.desk import Desk
from reviser.revise.drafting import named
from reviser.revise.grounds import Found
from reviser.revise.layout import layout_of
from reviser.revise.library import Library
from reviser.revise.surroundings import heading, surroundings
from reviser.revise.tasks import NOT_ENGLISH
from reviser.revise.treatment import Decision, Proposal
from reviser.roles import Question
from reviser.text.edit import Edit, Ground, Purpose, Replacement
from reviser.text.source import Place
from reviser.text.visible import visible
from reviser.verify.words import content_words

NO_PLACE = "there is no paragraph behind which it could stand"
ADDRESSED = "its section gives orders to whoever reads it, so no model was shown it"
FEW_WORKS = "too few works with a text are at hand to write it from"

_TABLES = frozenset({Action.ADD_TABLE, Action.ADD_TIMELINE})
_PROSE = frozenset({"body", "abstract", "item"})
_AROUND = 1_200
"""Tokens of the section behind which a block stands, at most."""
_TREE = 500
"""Tokens of what one work is shown with in a question about a table."""


@dataclass(frozen=True, slots=True)
class Site:
    """A block that is due: the decision, where it is to stand, behind which section's words, on
    which level, and what is shown of that section."""

    decision: Decision
    action: Action
    place: Place
    section: int
    level: int
    text: str

    @property
    def asked(self) -> str:
        """What the editor asks, in words."""
        return self.decision.asked


def site_of(manuscript: Manuscript, decision: Decision) -> Site | str:
    """Where the block of a decision is to stand, or why nowhere."""
    action = decision.action or decision.point.action
    if manuscript.language != "en":
        return NOT_ENGLISH
    if action is None:
        return NO_PLACE
    found = _table_place(manuscript, decision) if action in _TABLES else None
    if action not in _TABLES:
        found = _section_place(manuscript, decision, action)
    if found is None or isinstance(found, str):
        return found or NO_PLACE
    place, section, level = found
    text = surroundings(manuscript, [decision.point], _AROUND) or ""
    if gives_orders(visible(text)) or withheld.marked(manuscript, decision.point.place):
        return ADDRESSED
    return Site(decision, action, place, section, level, text)


def _section_place(
    manuscript: Manuscript, decision: Decision, action: Action
) -> tuple[Place, int, int] | str:
    own = decision.point.section
    sub = action is Action.INSERT_SUBSECTION
    host = (host_of_subsection if sub else host_of_section)(manuscript, own)
    if host is None:
        return NO_SECTION
    place = end_of_section(manuscript, host)
    level = SUBSECTION if sub else manuscript.sections[host].level
    return place if isinstance(place, str) else (place, host, level)


def _table_place(manuscript: Manuscript, decision: Decision) -> tuple[Place, int, int] | str | None:
    """Behind the paragraph of the point, else behind the first of its section that can be had."""
    point = decision.point
    at = point.place
    near = [
        (p.section != point.section, not p.at.span.covers(at.span), number)
        for number, p in enumerate(manuscript.paragraphs)
        if p.kind in _PROSE and p.at.path == at.path and p.section == point.section
    ]
    for *_, number in sorted(near):
        place = end_of_paragraph(manuscript, number)
        if not isinstance(place, str):
            return place, point.section, 0
    return None


class BlockWriter:
    """The blocks of one batch, with what they share."""

    def __init__(self, manuscript: Manuscript, desk: Desk, library: Library) -> None:
        self._manuscript = manuscript
        self._desk = desk
        self._library = library
        self._known = frozenset(
            word for sentence in manuscript.sentences for word in content_words(sentence.plain)
        )
        self._titles = [s.title for s in manuscript.sections if s.title.strip()]

    def proposals(self, sites: Sequence[Site]) -> list[Proposal]:
        """A proposal for each site, in their order."""
        sections = [site for site in sites if site.action not in _TABLES]
        written = iter(self._sections(sections))
        return [self._table(site) if site.action in _TABLES else next(written) for site in sites]

    # Sections: the hub cycle over the bibliography and what lies beyond it.

    def _sections(self, sites: Sequence[Site]) -> list[Proposal]:
        done = hub.cycle(sites, self._locate, self._redraft, _words, most=self._desk.most)
        return [
            Proposal(site.decision, None, one.stopped, grounds=one.found.told if one.found else ())
            if one.draft is None or one.found is None
            else self._proposal(site, one.draft, one.found, one.drafts)
            for site, one in zip(sites, done, strict=True)
        ]

    def _locate(self, asked: Sequence[tuple[Site, Block | None]]) -> list[Found]:
        found = []
        for site, draft in asked:
            said = [one.text for part in draft.paragraphs for one in part] if draft else []
            query = f"{draft.title} {' '.join(said)}" if draft else site.asked
            self._library.seek(query)
            texts = [*said, site.asked, *self._own_sentences(site)]
            found.append(self._library.near(texts, sectioning.PASSAGES, sectioning.PER_WORK))
        return found

    def _own_sentences(self, site: Site) -> list[str]:
        """What the point's section says itself: new words are to go with it."""
        section = site.decision.point.section
        return [
            sentence.plain
            for sentence in self._manuscript.sentences
            if sentence.section == section and sentence.kind in _PROSE
        ]

    def _redraft(self, turns: Sequence[hub.Turn[Site, Found, Block]]) -> list[Block | Unusable]:
        enough = [turn for turn in turns if len(turn.found.keys) >= sectioning.LEAST_WORKS]
        answers = iter(self._desk.writer.ask_each([self._question(turn) for turn in enough]))
        drafts: list[Block | Unusable] = []
        for turn in turns:
            answer = next(answers) if turn in enough else Unusable(FEW_WORKS)
            if isinstance(answer, Unusable):
                drafts.append(answer)
            else:
                drafts.append(sectioning.read(answer.value, turn.found))
        return drafts

    def _question(self, turn: hub.Turn[Site, Found, Block]) -> Question[sectioning.NewSection]:
        site, found = turn.item, turn.found
        kind = "subsection" if site.action is Action.INSERT_SUBSECTION else "section"
        return Question(
            sectioning.PROMPT,
            {
                "kind": f"a new {kind}",
                "heading": heading(self._manuscript, site.section),
                "titles": self._outline(),
                "around": site.text,
                "passages": found.text,
                "task": site.asked,
                "draft": _told(turn.last),
            },
            sectioning.NewSection,
            lambda reply: sectioning.objection(reply, found, self._known, self._titles),
            max_tokens=max(self._desk.writer.reply_tokens, 2_400),
        )

    # Tables: one question about a few works, each shown as its attribute tree.

    def _table(self, site: Site) -> Proposal:
        self._library.seek(site.asked)
        texts = [site.asked, *self._own_sentences(site)]
        found = self._library.near(texts, 8 * tabling.MOST_ASKED, 8)
        keys = found.keys[: tabling.MOST_ASKED]
        if len(keys) < LEAST_ROWS:
            return Proposal(site.decision, None, FEW_WORKS, grounds=found.told)
        shown = self._shown(keys, found)
        matter = tabling.Matter(keys, self._library.passages, self._year, self._known)
        drafted = (
            self._timeline(site, shown, matter)
            if site.action is Action.ADD_TIMELINE
            else self._comparison(site, shown, matter)
        )
        if isinstance(drafted, Unusable):
            return Proposal(site.decision, None, drafted.why, grounds=found.told)
        return self._proposal(site, drafted, found, 1)

    def _comparison(self, site: Site, shown: str, matter: tabling.Matter) -> Block | Unusable:
        answer = self._desk.writer.ask(self._about_table(site, shown, matter))
        if isinstance(answer, Unusable):
            return answer
        return tabling.read(answer.value, matter)[0]

    def _timeline(self, site: Site, shown: str, matter: tabling.Matter) -> Block | Unusable:
        answer = self._desk.writer.ask(self._about_events(site, shown, matter))
        if isinstance(answer, Unusable):
            return answer
        return tabling.read_timeline(answer.value, matter)[0]

    def _about_table(
        self, site: Site, shown: str, matter: tabling.Matter
    ) -> Question[tabling.NewTable]:
        return Question(
            tabling.TABLE_PROMPT,
            self._values(site, shown),
            tabling.NewTable,
            lambda reply: tabling.fault(*tabling.read(reply, matter), self._known),
            max_tokens=max(self._desk.writer.reply_tokens, 3_000),
        )

    def _about_events(
        self, site: Site, shown: str, matter: tabling.Matter
    ) -> Question[tabling.NewTimeline]:
        return Question(
            tabling.TIMELINE_PROMPT,
            self._values(site, shown),
            tabling.NewTimeline,
            lambda reply: tabling.fault(*tabling.read_timeline(reply, matter), self._known),
            max_tokens=max(self._desk.writer.reply_tokens, 2_000),
        )

    def _values(self, site: Site, shown: str) -> dict[str, str]:
        return {
            "heading": heading(self._manuscript, site.section),
            "around": site.text,
            "works": shown,
            "task": site.asked,
        }

    def _shown(self, keys: Sequence[str], found: Found) -> str:
        """Each work as its attribute tree, or, where it gave none, as its nearest sentences."""
        readings = []
        for key in keys:
            work, passages = self._library.work(key), self._library.passages(key)
            text = " ".join(passage.text for passage in passages)
            readings.append(Reading(key, work.title if work else "", text, passages[0].where))
        trees = extract(readings, self._desk.helper)
        lines = []
        for key, tree in zip(keys, trees, strict=True):
            said = " ".join(p.text for p in found.passages if p.key == key)
            told = rendered(tree, _TREE, name=key) if isinstance(tree, Tree) else ""
            year = self._year(key)
            lines.append(f"{told or f'[{key}] {said}'}{f' (year: {year})' if year else ''}")
        return "\n".join(lines)

    def _year(self, key: str) -> str:
        work = self._library.work(key)
        return work.year if work is not None and work.year.isdigit() else ""

    # Both.

    def _proposal(self, site: Site, block: Block, found: Found, drafts: int) -> Proposal:
        """The edit of a block, with the entries of works that are new to the bibliography."""
        manuscript, path = self._manuscript, site.place.path
        style = style_of(manuscript, path)
        if style.habit is None:
            why = "the paper has no citation to take the manner of"
            return Proposal(site.decision, None, why, drafts, found.told)
        paragraph = next(
            n for n, p in enumerate(manuscript.paragraphs) if p.at.path == path and p.kind in _PROSE
        )
        text = latex_of(
            manuscript,
            block,
            style,
            layout_of(manuscript, paragraph),
            level=site.level,
            names={key: self._name(key) for key in block.keys},
            frame=frame(manuscript, site.place),
        )
        brought = self._library.brought(block.keys)
        parts = (Replacement(site.place, "", text), *(one.replacement for one in brought))
        point = site.decision.point
        edit = Edit(
            id=named("block", point.id, parts),
            rule=point.rule,
            replacements=parts,
            purpose=Purpose.POINT,
            why=point.message,
            evidence=tuple(p.text for p in found.passages if p.key in block.keys)[:12],
            answers=(point.id,),
            grounds=_grounds(block),
        )
        return Proposal(site.decision, edit, drafts=drafts, grounds=found.told, brought=brought)

    def _name(self, key: str) -> str:
        work = self._library.work(key)
        return "" if work is None else plain_name(work.entry_author, len(work.authors) > 1)

    def _outline(self) -> str:
        said = [title for title in self._titles if not gives_orders(title)]
        return "; ".join(visible(title) for title in said) or "(none)"


def _grounds(block: Block) -> tuple[Ground, ...]:
    rows = block.table.rows if block.table is not None else ()
    return tuple(
        Ground(cell.text, row.key, cell.where, cell.quote)
        for row in rows
        for cell in row.cells
        if cell.text and cell.quote
    )


def _words(draft: Block) -> str:
    return " ".join([draft.title, *(one.text for part in draft.paragraphs for one in part)])


def _told(draft: Block | None) -> str:
    """The draft before, for the writer."""
    if draft is None:
        return "(none)"
    said = [
        " ".join(f"{one.text} [{', '.join(one.keys)}]" if one.keys else one.text for one in part)
        for part in draft.paragraphs
    ]
    return "\n".join([draft.title, *said])
