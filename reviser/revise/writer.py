"""The writer: from decisions to revise to edits of the paper, a batch at a time.

I&E 3.2 (revise), FIKSurvey C.2 (actions on paragraphs), SGMC 3.2 (the hub cycle); METHODS 4, 7, 10.
The model is shown a paragraph with marks for all that is protected, and answers sentence by
sentence; our code checks the answer, asks once more with the reason where it is wrong, and makes
the edit. Such an edit announces nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reviser.asking import Unusable
from reviser.draft import hub
from reviser.manuscript.model import Manuscript
from reviser.review.model import BLOCKS, Action
from reviser.revise import enhancing, evidenced, restructuring, rewriting
from reviser.revise.block_writer import BlockWriter, Site, site_of
from reviser.revise.citing import habit_of
from reviser.revise.claims import rewrite_claims
from reviser.revise.desk import Desk
from reviser.revise.drafting import NOTHING, Draft, edit_of
from reviser.revise.grounds import Found
from reviser.revise.library import Library
from reviser.revise.placeholders import MARK
from reviser.revise.tasks import Task, apart, around, heading_of, kept, legend, numbered, task_of
from reviser.revise.treatment import Decision, Proposal
from reviser.roles import Question

_NONE = "(none)"


@dataclass(frozen=True, slots=True)
class _Form:
    """How an action is asked for: prompt, form of the reply, what is wrong with one, the draft."""

    prompt: str
    reply: type[Any]
    objection: Callable[[Task, Found, Any], str]
    read: Callable[[Task, Found, Any], Draft]


_FORMS = {
    Action.REWRITE_SENTENCE: _Form(
        rewriting.PROMPT, rewriting.NewSentence, rewriting.objection, rewriting.read
    ),
    Action.ENHANCE_PARAGRAPH: _Form(
        enhancing.PROMPT, enhancing.NewParagraph, enhancing.objection, enhancing.read
    ),
    Action.RESTRUCTURE_PARAGRAPH: _Form(
        restructuring.PROMPT,
        restructuring.Restructured,
        restructuring.objection,
        restructuring.read,
    ),
    Action.REWRITE_WITH_EVIDENCE: _Form(
        evidenced.PROMPT, evidenced.Evidenced, evidenced.objection, evidenced.read
    ),
}


def propose(
    manuscript: Manuscript, decisions: Sequence[Decision], desk: Desk
) -> tuple[Proposal, ...]:
    """A proposal for each decision, in their order; all speak of `manuscript`.

    No two edits are in one paragraph. The questions of a step of the hub cycle are asked side by
    side. Whatever comes to nothing is a proposal without an edit that says why.
    """
    library = Library(manuscript, desk.sources, desk.embedder, desk.beyond)
    sites = [site_of(manuscript, d) if _puts_in_a_block(d) else None for d in decisions]
    tasks = apart(
        [
            "" if site is not None else task_of(manuscript, decision)
            for decision, site in zip(decisions, sites, strict=True)
        ]
    )
    claims: list[Task] = []
    others: list[Task] = []
    for task in tasks:
        if isinstance(task, Task):
            (claims if task.action is Action.REWRITE_CLAIM else others).append(task)
    due = [site for site in sites if isinstance(site, Site)]
    blocks = iter(BlockWriter(manuscript, desk, library).proposals(due))
    drafted = iter(_Batch(manuscript, desk, library, others).proposals())
    rewritten = iter(rewrite_claims(manuscript, claims, desk, library.shelf))
    made = []
    for decision, site, task in zip(decisions, sites, tasks, strict=True):
        if isinstance(site, Site):
            made.append(next(blocks))
        elif isinstance(task, Task):
            made.append(next(rewritten if task.action is Action.REWRITE_CLAIM else drafted))
        else:
            made.append(Proposal(decision, None, site or task))
    return tuple(made)


def _puts_in_a_block(decision: Decision) -> bool:
    return decision.revise and (decision.action or decision.point.action) in BLOCKS


class _Batch:
    """The tasks of one call, with what they share."""

    def __init__(
        self, manuscript: Manuscript, desk: Desk, library: Library, tasks: Sequence[Task]
    ) -> None:
        self._manuscript = manuscript
        self._desk = desk
        self._library = library
        self._shelf = library.shelf
        self._habit = habit_of(manuscript)
        self._tasks = [self._prepared(task) for task in tasks]

    def proposals(self) -> list[Proposal]:
        done = hub.cycle(
            self._tasks,
            self._locate,
            self._redraft,
            lambda draft: draft.text,
            most=self._desk.most,
            once=lambda task: not task.grounded,
        )
        return [self._proposal(task, one) for task, one in zip(self._tasks, done, strict=True)]

    def _prepared(self, task: Task) -> Task:
        dropped: tuple[tuple[int, str], ...] = ()
        if task.action is Action.REWRITE_WITH_EVIDENCE:
            dropped = evidenced.misfits(self._manuscript, task.sheet, self._desk.known)
        return replace(task, keys=self._keys(task), dropped=dropped)

    def _keys(self, task: Task) -> tuple[str, ...]:
        """The works whose passages may be shown: those of the paragraph, then of its section; of
        the whole bibliography where that is wanted, or where nothing else is to be had."""
        if not task.grounded or (task.action is Action.ENHANCE_PARAGRAPH and not self._habit):
            return ()
        shelf, paragraph = self._shelf, task.sheet.paragraph
        near = shelf.cited_in_paragraph(paragraph)
        near += shelf.cited_in(self._manuscript.paragraphs[paragraph].section)
        if self._desk.whole or not near:
            near += shelf.all()
        return tuple(dict.fromkeys(near))

    def _locate(self, asked: Sequence[tuple[Task, Draft | None]]) -> list[Found]:
        found = []
        for task, draft in asked:
            said = draft.sentences if draft else tuple(line.text for line in task.sheet.lines)
            texts = [*(MARK.sub(" ", text) for text in said), task.asked]
            if task.action is Action.REWRITE_WITH_EVIDENCE and self._habit is not None:
                # The paragraph itself is the query (SurveyX 3.2).
                self._library.seek(" ".join(texts))
                found.append(self._library.near(texts, evidenced.PASSAGES, evidenced.PER_WORK))
            else:
                found.append(self._shelf.nearest(texts, task.keys))
        return found

    def _redraft(self, turns: Sequence[hub.Turn[Task, Found, Draft]]) -> list[Draft | Unusable]:
        questions = [self._question(turn) for turn in turns]
        answers = self._desk.writer.ask_each(questions)
        drafts: list[Draft | Unusable] = []
        for turn, answer in zip(turns, answers, strict=True):
            if isinstance(answer, Unusable):
                drafts.append(answer)
            else:
                read = _FORMS[turn.item.action].read
                drafts.append(read(turn.item, turn.found, answer.value))
        return drafts

    def _question(self, turn: hub.Turn[Task, Found, Draft]) -> Question[Any]:
        task, found = turn.item, turn.found
        form = _FORMS[task.action]
        return Question(
            form.prompt,
            self._values(turn),
            form.reply,
            lambda reply: form.objection(task, found, reply),
        )

    def _values(self, turn: hub.Turn[Task, Found, Draft]) -> dict[str, str]:
        task = turn.item
        alone = task.action is Action.REWRITE_SENTENCE
        lines = [task.line] if alone else list(task.sheet.lines)
        values = {
            "heading": heading_of(task) or _NONE,
            "around": around(task, task.line if alone else None),
            "marks": legend(lines, self._names(task)),
            "keep": kept(lines),
            "passages": turn.found.text,
            "task": task.asked,
            "draft": _draft(turn.last, alone=alone),
        }
        if task.action is Action.REWRITE_WITH_EVIDENCE:
            values["dropped"] = evidenced.told(self._manuscript, task)
        if alone:
            return values | {"sentence": task.line.text}
        return values | {"sentences": numbered(lines)}

    def _names(self, task: Task) -> dict[str, str]:
        """What the citations among the marks stand for, by the works they name."""
        inside = {
            c.at.span.start: c
            for c in self._manuscript.citations
            if c.at.path == task.sheet.at.path
        }
        names = {}
        for line in task.sheet.lines:
            for piece in line.pieces:
                citation = inside.get(piece.start)
                if piece.what and citation is not None:
                    said = [self._shelf.name(k.name) or "a work" for k in citation.keys]
                    names[piece.shown] = f"{citation.form} citation of {'; '.join(said)}"[:300]
        return names

    def _proposal(self, task: Task, done: hub.Cycled[Found, Draft]) -> Proposal:
        if done.draft is None or done.found is None:
            grounds = () if done.found is None else done.found.told
            return Proposal(task.decision, None, done.stopped, grounds=grounds)
        edit = edit_of(task, done.draft, done.found, self._habit)
        cited = [key for one in done.draft.new for key in one.keys]
        if task.action is Action.REWRITE_WITH_EVIDENCE:
            edit = evidenced.with_lists(edit, task, done.draft, self._habit)
            cited += [key for _, key in done.draft.joined]
        brought = self._library.brought(cited)
        parts = (*edit.replacements, *(one.replacement for one in brought))
        if not parts:
            return Proposal(task.decision, None, NOTHING, done.drafts, done.found.told)
        edit = replace(edit, replacements=parts)
        return Proposal(
            task.decision, edit, drafts=done.drafts, grounds=done.found.told, brought=brought
        )


def _draft(last: Draft | None, *, alone: bool) -> str:
    """The draft before, as far as it is the writer's to change."""
    if last is None:
        return _NONE
    return " ".join(last.rewordings[0].texts) if alone else last.text
