"""Review a pull request or a whole branch: plan, and carry the plan out where that is allowed."""

from reviser.app.outcome import CLEAN
from reviser.app.pull.bench import Bench
from reviser.app.pull.making import Commits, Made, Models, make
from reviser.app.pull.reporting import exit_code, leave, set_down, write_made
from reviser.deliver.delivered import Delivered, Ending
from reviser.deliver.event import WholePaper, concerns
from reviser.deliver.execute import deliver
from reviser.deliver.forge import PullRequest
from reviser.deliver.ledger import Ledger
from reviser.deliver.plan import Target
from reviser.deliver.standing import summaries
from reviser.deliver.state import decode
from reviser.deliver.story import Story

_ENDINGS = {
    Ending.MOVED: "The branch is at another commit by now, whose own run will speak.",
    Ending.CLOSED: "The pull request is closed or waits in a merge queue, so nothing is said.",
    Ending.UNREAD: "GitHub could not be read, so nothing was posted.",
}


def review_pull(
    bench: Bench, number: int, head: str, *, writable: bool, asked: bool = False
) -> int:
    """Review pull request `number`, if it is still at `head`; its exit code.

    Where the run's token can write nothing (`writable` is False), plan, patch and job summary are
    all that comes of it; such a run has no key either, and asks no model that writes. In the stage
    "plan" the plan is all, and the exit code is left to whoever delivers it. `asked`: a person
    asked for a review by a model.
    """
    pull = bench.forge.pull(number)
    why = left_alone(pull, head)
    if why:
        bench.tell(why)
        return CLEAN
    commits = bench.pull_commits(pull)
    if not _concerned(bench, commits):
        bench.tell(f"Pull request {number} changes no file that is looked at.")
        return CLEAN
    made = planned(bench, pull, commits, _models(writable=writable, asked=asked))
    write_made(made, bench.wanted)
    if not writable:
        story = Story(
            made.plan,
            made.sources,
            remembered(pull, bench.paper),
            bench.wishes,
            bench.server,
            bench.run_url,
        )
        return exit_code(leave(bench, story, suggested=0, annotate=True))
    if bench.stage == "plan":
        set_down(bench, made.plan)
        return CLEAN
    delivered = deliver(
        bench.forge,
        made.plan,
        made.sources,
        commits.patches,
        bench.wishes,
        server=bench.server,
        run_url=bench.run_url,
    )
    return finished(bench, delivered)


def planned(
    bench: Bench, pull: PullRequest, commits: Commits, models: Models = Models.NONE
) -> Made:
    """The plan for a pull request."""
    target = bench.pull_target(pull, commits.base)
    at = bench.reviewing_at if models is Models.REVIEW else bench.settings_at
    with bench.quiet():
        return make(commits, target, at, bench.room, models)


def _models(*, writable: bool, asked: bool) -> Models:
    if asked:
        return Models.REVIEW
    return Models.AS_SET if writable else Models.WITHHELD


def finished(bench: Bench, delivered: Delivered) -> int:
    """Leave the report of a delivery; the exit code."""
    if delivered.ending is not Ending.DONE:
        bench.tell(_ENDINGS[delivered.ending])
    if delivered.ending is Ending.MOVED:
        return CLEAN
    unsaid = delivered.forbidden or not delivered.told
    conclusion = leave(bench, delivered.story, suggested=delivered.suggested, annotate=unsaid)
    return CLEAN if delivered.ending is Ending.CLOSED else exit_code(conclusion)


def left_alone(pull: PullRequest, head: str) -> str:
    """Why a pull request is not looked at now, "" where it is."""
    if pull.state != "open":
        return f"Pull request {pull.number} is {pull.state}, so nothing is said."
    if pull.queued:
        return f"Pull request {pull.number} waits in a merge queue, so nothing is said."
    if pull.head != head:
        return _ENDINGS[Ending.MOVED]
    return ""


def review_branch(bench: Bench, asked: WholePaper) -> int:
    """Look at the whole paper on a branch, and propose its edits as one pull request."""
    if bench.stage != "all":
        bench.tell("The stages are for pull requests; a whole branch is looked at in one job.")
        return CLEAN
    commits = bench.branch_commits(asked.head)
    target = Target(
        repository=bench.repository,
        number=None,
        head=asked.head,
        base="",
        branch=asked.branch,
        paper=bench.paper,
    )
    with bench.quiet():
        made = make(commits, target, bench.settings_at, bench.room)
    write_made(made, bench.wanted)
    delivered = deliver(
        bench.forge,
        made.plan,
        made.sources,
        (),
        bench.wishes,
        server=bench.server,
        run_url=bench.run_url,
    )
    if delivered.ending is Ending.MOVED:
        bench.tell(_ENDINGS[Ending.MOVED])
        return CLEAN
    conclusion = leave(
        bench, delivered.story, suggested=delivered.suggested, annotate=delivered.forbidden
    )
    return exit_code(conclusion)


def _concerned(bench: Bench, commits: Commits) -> bool:
    names = {name for patch in commits.patches for name in (patch.path, patch.old_path)}
    return concerns(sorted(names), bench.paths)


def remembered(pull: PullRequest, paper: str) -> Ledger:
    """What earlier runs know of the pull request's points."""
    remarks = summaries(pull, paper)
    return decode(remarks[0].body) if remarks else Ledger()
