"""What our own pull requests carry, say and remember: edits onto an author's branch."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reviser.deliver.branch import Change, Proposal, Proposed, change, propose, record, wanted
from reviser.deliver.delivered import Delivered, Ending
from reviser.deliver.forge import Forbidden, Forge, ForgeError, OwnPull, PullRequest
from reviser.deliver.ledger import Ledger, Status, dismiss, point_of, put
from reviser.deliver.marker import mark
from reviser.deliver.plan import Plan
from reviser.deliver.reconcile import reconcile
from reviser.deliver.report import pull_body
from reviser.deliver.state import decode, encode
from reviser.deliver.story import Story, Wishes
from reviser.deliver.suggestion import Elsewhere
from reviser.revise.verdict import Verdict
from reviser.text.source import Source

WHOLE = "this run looked at the whole paper, not at a pull request"
_OBSOLETE = (
    "Nothing is left to propose here: the edits are in, or what they mended is gone, or somebody "
    "said no to them. This pull request can be closed."
)


def follow_up_branch(number: int, paper: str) -> str:
    """The branch that carries edits for pull request `number`."""
    return f"reviser/pull-{number}{suffix(paper)}"


def whole_branch(branch: str, paper: str) -> str:
    """The branch that carries edits of the whole paper on `branch`."""
    return f"reviser/{branch}{suffix(paper)}"


def suffix(paper: str) -> str:
    """Tells the papers of one repository apart, in characters that a branch or an artifact may
    have; "" for the top of the repository."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in paper).strip("-")
    if not paper:
        return ""
    return f"--{plain or 'paper'}"


@dataclass(frozen=True)
class Followed:
    """A proposal's fate, and the ledger as it is by then."""

    proposed: Proposed
    ledger: Ledger
    verdicts: tuple[Verdict, ...] = ()


def refused(ledger: Ledger, pulls: Sequence[OwnPull]) -> Ledger:
    """The ledger with what a person said no to by closing our last pull request unmerged."""
    last = next((pull for pull in pulls if pull.ours), None)
    if last is None or last.state != "closed":
        return ledger
    for point in decode(last.body).having(Status.SUGGESTED):
        known = ledger.by_name.get(point.id, point)
        if known.status is not Status.DISMISSED:
            ledger = dismiss(ledger, known, "", f"pull request {last.number} was closed")
    return ledger


def follow(forge: Forge, story: Story, name: str, onto: str, pulls: Sequence[OwnPull]) -> Followed:
    """Propose the wanted edits of the story's plan as a pull request from `name` onto `onto`."""
    plan = story.plan
    made = change(wanted(plan, story.ledger), story.sources, plan.target.root)
    ledger = _proposing(story.ledger, plan, made)
    proposal = Proposal(
        name=name,
        onto=onto,
        head=plan.target.head,
        paper=plan.target.paper,
        change=made,
        title=_title(made),
    )
    text = _text(replace(story, ledger=ledger), proposal)
    return Followed(propose(forge, proposal, text, pulls), ledger, made.verdicts)


def _title(made: Change) -> str:
    count = len(made.verdicts)
    if not count:
        return "reviser: nothing left to propose"
    return f"reviser: {'one checked edit' if count == 1 else f'{count} checked edits'}"


def _text(story: Story, proposal: Proposal) -> Callable[[str], str]:
    """The body of our pull request; what it proposes is remembered in it."""

    def text(tip: str) -> str:
        mine = {v.edit.id for v in proposal.change.verdicts}
        carried = replace(
            story,
            elsewhere=tuple(e for e in story.elsewhere if e.verdict.edit.id in mine),
            commit=tip,
        )
        said = pull_body(carried) if tip else _OBSOLETE
        marked = mark("pull", record(proposal, tip))
        return f"{said}\n\n{marked}\n{encode(story.ledger)}"

    return text


def _proposing(ledger: Ledger, plan: Plan, made: Change) -> Ledger:
    """The ledger in which exactly what the pull request carries is open to a person's no."""
    carried = set(made.points)
    for point in ledger.having(Status.SUGGESTED):
        if not point.inline and not carried.intersection(point.names):
            ledger = put(ledger, replace(point, status=Status.RAISED))
    for noted in plan.findings:
        name = noted.finding.fingerprint
        if name in carried:
            known = ledger.by_name.get(name) or point_of(noted, plan.target.root)
            if not known.settled:
                ledger = put(ledger, replace(known, status=Status.SUGGESTED))
    return ledger


def whole_paper(
    forge: Forge,
    plan: Plan,
    sources: Mapping[str, Source],
    wishes: Wishes,
    *,
    server: str,
    run_url: str,
) -> Delivered:
    """Carry out a plan that speaks of a branch: its edits as one pull request from a branch of
    ours. In mode "patch" nothing is sent."""
    target = plan.target
    elsewhere = tuple(Elsewhere(verdict, WHOLE) for verdict in plan.accepted)
    story = Story(plan, sources, Ledger(), wishes, server, run_url, elsewhere)
    if wishes.mode == "patch":
        return Delivered(Ending.DONE, story)
    name = whole_branch(target.branch, target.paper)
    try:
        if forge.tip(target.branch) != target.head:
            return Delivered(Ending.MOVED, story)
        pulls = forge.pulls_from(name, onto=target.branch)
    except ForgeError as error:
        said = replace(story, undelivered=(UNREAD,))
        return Delivered(Ending.UNREAD, said, forbidden=isinstance(error, Forbidden))
    ledger = _remembered(plan, sources, pulls)
    live = {v.edit.id for v in wanted(plan, ledger)}
    story = replace(
        story, ledger=ledger, elsewhere=tuple(e for e in elsewhere if e.verdict.edit.id in live)
    )
    followed = follow(forge, story, name, target.branch, pulls)
    done = followed.proposed
    story = replace(story, ledger=followed.ledger, follow_up=done.url, undelivered=done.why)
    ending = Ending.MOVED if done.moved else Ending.DONE
    return Delivered(ending, story, told=done.told, forbidden=done.forbidden)


UNREAD = "GitHub could not be read, so nothing was posted; the job summary holds everything."


def _remembered(plan: Plan, sources: Mapping[str, Source], pulls: Sequence[OwnPull]) -> Ledger:
    """What earlier pull requests of ours tell of the points, as of now."""
    last = next((pull for pull in pulls if pull.ours), None)
    ledger = refused(Ledger() if last is None else decode(last.body), pulls)
    return reconcile(ledger, plan, sources, _nowhere(plan), lambda _: False).ledger


def _nowhere(plan: Plan) -> PullRequest:
    """A pull request without threads: the points of a branch stand in no diff."""
    target = plan.target
    return PullRequest(
        target.repository,
        0,
        "open",
        draft=False,
        locked=False,
        queued=False,
        author="",
        labels=(),
        head=target.head,
        head_branch=target.branch,
        head_repository=target.repository,
        base=target.base,
        base_branch=target.branch,
    )
