"""Whole deliveries through PyGithub: faults of the line lose nothing and double nothing, and a run
asks for little."""

import pytest

from reviser.adapters.github.forge import GitHub
from reviser.deliver.delivered import Ending
from reviser.deliver.execute import deliver
from reviser.deliver.marker import read_marks
from reviser.deliver.plan import Target
from reviser.deliver.report import job_summary
from reviser.deliver.story import Wishes
from reviser.text.patch import read_patch
from tests.fakes.toy import plan_of, sources_of

LINES = [f"line {n}" for n in range(1, 61)]
SUGGEST = Wishes(check_run=True)
FOLLOW = Wishes(mode="follow-up-pr")
COMMIT = Wishes(mode="commit")


def text(**changed):
    """The paper with some lines replaced: l5="..."."""
    told = {int(name[1:]): words for name, words in changed.items()}
    return "".join(f"{told.get(n, line)}\n" for n, line in enumerate(LINES, 1)).encode()


FIRST = text(l5="a badword", l9="oddity here", l15="a badpear", l20="a badplum", l25="a badfig")
SECOND = text(l6="a badword", l15="a badpear", l30="a badnut", l40="something quite odd again")


@pytest.fixture
def paper(github):
    paper = github.repository("ada/survey")
    paper.can_approve = True
    paper.commit("main", {"paper.tex": text()})
    paper.branch("topic")
    paper.commit("topic", {"paper.tex": FIRST}, author="eve")
    paper.open_pull("topic", author="eve")
    return paper


def run(github, paper, wishes, *, read_only=False):
    """One run of the workflow: what is found is foreseen, what is sent is real."""
    scopes = {"read_only": True} if read_only else {"contents": "write", "checks": "write"}
    token = github.token("ada/survey", **scopes)
    forge = GitHub(token, github.api_url, "ada/survey", pace=0, patience=2, pause=0.01)
    pull = paper.pulls[1]
    base = paper.merge_base(pull)
    target = Target("ada/survey", 1, pull.head, base, "topic")
    patches = read_patch(paper.store.diff(base, pull.head))
    head = {"paper.tex": paper.store.blob(pull.head, "paper.tex")}
    plan = plan_of(head, {"paper.tex": text()}, patches, target)
    return deliver(
        forge, plan, sources_of(head), patches, wishes, server="https://github.com",
        run_url=f"https://github.com/ada/survey/actions/runs/{len(github.log)}",
    )  # fmt: skip


def marked(paper):
    """The points of our comments in the diff, repeats and all."""
    opened = [thread.comments[0].body for thread in paper.pulls[1].threads]
    return [point for body in opened for point in read_marks(body)[-1].data["points"]]


def summaries(paper):
    told = [c.body for c in paper.pulls[1].remarks]
    return [b for b in told if any(m.kind == "summary" for m in read_marks(b))]


def follow_ups(paper):
    return [pull for pull in paper.pulls.values() if pull.number != 1]


def lost(paper, done):
    """Findings and edits that are told nowhere."""
    texts = [job_summary(done.story), *summaries(paper)]
    texts += [thread.comments[0].body for thread in paper.pulls[1].threads]
    told = "\n".join(texts)
    names = [n.finding.fingerprint for n in done.story.plan.findings if n.introduced]
    missing = [name for name in names if name[:8] not in told]
    known = [name for name in ("topic", "reviser/pull-1") if paper.tip(name)]
    branches = [paper.read(name, "paper.tex") or b"" for name in known]
    for verdict in done.story.plan.accepted:
        words = [part.after for part in verdict.edit.replacements]
        carried = any(all(word.encode() in data for word in words) for data in branches)
        if not carried and not all(word in told for word in words):
            missing.append(verdict.edit.id)
    return missing


HOWS = ("403", "422", "429", "secondary", "502", "502 after", "drop after")
# Which writes a run makes, in their order, as patterns of the fake's paths.
WRITES = {
    "first": [r"/pulls/1/reviews$", r"/check-runs$", r"/issues/1/comments$"],
    "second": [r"/pulls/1/reviews$", r"/pulls/comments/\d+$", r"/issues/comments/\d+$"],
    "commit": [r"/graphql/.*createCommitOnBranch"],
    "follow-up": [r"/git/refs$", r"/graphql/.*createCommitOnBranch", r"/pulls$"],
    "follow-up again": [r"/git/refs", r"/graphql/.*createCommitOnBranch", r"/pulls/\d+$"],
}
MODES = {"commit": COMMIT, "follow-up": FOLLOW, "follow-up again": FOLLOW}


@pytest.mark.parametrize(
    ("scenario", "write", "how"),
    # Every fault on the first run; elsewhere those that leave most in doubt.
    [
        (name, write, how)
        for name, writes in WRITES.items()
        for write in writes
        for how in (HOWS if name == "first" else ("422", "502 after"))
    ],
)
def test_a_fault_of_any_write_loses_nothing_and_doubles_nothing(
    github, paper, scenario, write, how
):
    wishes = MODES.get(scenario, SUGGEST)
    if scenario in {"second", "follow-up again"}:
        run(github, paper, wishes)
        paper.commit("topic", {"paper.tex": SECOND}, author="eve")
    github.fail("", write, how=how, retry_after=0 if how == "429" else 600)
    done = run(github, paper, wishes)
    assert not [f for f in github.faults if not f.hits], "the fault never struck"
    github.heal()
    assert lost(paper, done) == []
    assert len(marked(paper)) == len(set(marked(paper)))
    assert len(summaries(paper)) <= 1
    after = run(github, paper, wishes)
    assert after.ending is Ending.DONE
    assert after.told
    assert lost(paper, after) == []
    if scenario == "commit":
        run(github, paper, wishes)  # on the commit that the run before it made
    github.log.clear()
    run(github, paper, wishes)
    assert github.log.writes == []
    assert len(marked(paper)) == len(set(marked(paper)))
    assert len(summaries(paper)) == 1
    assert len(follow_ups(paper)) <= 1


def test_a_first_run_with_five_comments_and_a_rerun_ask_for_little(github, paper):
    github.log.clear()
    done = run(github, paper, SUGGEST)
    assert done.posted == 5
    assert len(github.log) <= 8
    github.log.clear()
    assert run(github, paper, SUGGEST).told
    assert github.log.writes == []
    assert len(github.log) <= 2


def test_a_token_that_only_reads_leaves_everything_to_the_job_summary(github, paper):
    github.log.clear()
    done = run(github, paper, SUGGEST, read_only=True)
    assert done.forbidden
    assert not done.told
    assert lost(paper, done) == []
    assert len(github.log.writes) == 3
    assert marked(paper) == []


def test_the_authors_button_closes_the_point_with_the_commit(github, paper):
    run(github, paper, SUGGEST)
    opened = paper.pulls[1].threads
    thread = next(t for t in opened if "goodplum" in t.comments[0].body)
    sha = paper.apply_suggestion(thread.comments[0], by="eve")
    assert paper.read("topic", "paper.tex") == FIRST.replace(b"badplum", b"goodplum")
    done = run(github, paper, SUGGEST)
    accepted = [p for p in done.story.ledger.points if p.commit]
    assert [p.commit for p in accepted] == [sha]
    assert done.posted == done.retired == 0


def test_a_follow_up_is_never_closed_by_being_rebuilt(github, paper):
    first = run(github, paper, FOLLOW)
    paper.commit("topic", {"paper.tex": SECOND}, author="eve")
    second = run(github, paper, FOLLOW)
    assert first.story.follow_up == second.story.follow_up
    assert [pull.state for pull in follow_ups(paper)] == ["open"]
    assert paper.read("reviser/pull-1", "paper.tex") == SECOND.replace(b"bad", b"good")
    assert paper.tip("reviser/pull-1-next") is None


def test_where_actions_may_open_no_pull_request_the_edits_are_suggested(github, paper):
    paper.can_approve = False
    done = run(github, paper, FOLLOW)
    assert done.suggested == 4
    assert "lets GitHub Actions create" in " ".join(done.story.undelivered)
    assert paper.tip("reviser/pull-1") is None
    again = run(github, paper, FOLLOW)
    assert (again.posted, again.told) == (0, True)
    assert len(summaries(paper)) == 1
