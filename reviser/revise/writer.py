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
from reviser.review.model import Action
from reviser.revise import enhancing, restructuring, rewriting
from reviser.revise.citing import habit_of
from reviser.revise.claims import rewrite_claims
from reviser.revise.desk import Desk
from reviser.revise.drafting import Draft, edit_of
from reviser.revise.grounds import Found, Shelf
from reviser.revise.placeholders import MARK
from reviser.revise.tasks import Task, apart, around, heading_of, kept, legend, numbered, task_of
from reviser.revise.treatment import Decision, Proposal
from reviser.roles import Question
from reviser.verify.evidence import works

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
}


def propose(
    manuscript: Manuscript, decisions: Sequence[Decision], desk: Desk
) -> tuple[Proposal, ...]:
    """A proposal for each decision, in their order; all speak of `manuscript`.

    No two edits are in one paragraph. The questions of a step of the hub cycle are asked side by
    side. Whatever comes to nothing is a proposal without an edit that says why.
    """
    tasks = apart([task_of(manuscript, decision) for decision in decisions])
    shelf = Shelf(manuscript, works(manuscript, desk.sources), desk.embedder)
    claims: list[Task] = []
    others: list[Task] = []
    for task in tasks:
        if isinstance(task, Task):
            (claims if task.action is Action.REWRITE_CLAIM else others).append(task)
    drafted = iter(_Batch(manuscript, desk, shelf, others).proposals())
    rewritten = iter(rewrite_claims(manuscript, claims, desk, shelf))
    return tuple(
        Proposal(decision, None, task)
        if isinstance(task, str)
        else next(rewritten if task.action is Action.REWRITE_CLAIM else drafted)
        for task, decision in zip(tasks, decisions, strict=True)
    )


class _Batch:
    """The tasks of one call, with what they share."""

    def __init__(
        self, manuscript: Manuscript, desk: Desk, shelf: Shelf, tasks: Sequence[Task]
    ) -> None:
        self._manuscript = manuscript
        self._desk = desk
        self._shelf = shelf
        self._habit = habit_of(manuscript)
        self._tasks = [replace(task, keys=self._keys(task)) for task in tasks]

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
            texts = [MARK.sub(" ", text) for text in said]
            found.append(self._shelf.nearest([*texts, task.asked], task.keys))
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
        return Proposal(task.decision, edit, drafts=done.drafts, grounds=done.found.told)


def _draft(last: Draft | None, *, alone: bool) -> str:
    """The draft before, as far as it is the writer's to change."""
    if last is None:
        return _NONE
    return " ".join(last.rewordings[0].texts) if alone else last.text
