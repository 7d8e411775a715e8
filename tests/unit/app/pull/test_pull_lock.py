"""The lockfile on pull requests: the merge base's is believed, the change's own is not."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from reviser.app.cli import cli
from reviser.app.pull.locked import CHANGED, SUPPLIED
from reviser.deliver.plan import Conclusion, Supplied, conclude
from reviser.verify.lock import read, write
from reviser.verify.model import Label

MAIN = r"""\documentclass{article}
\begin{document}
Cats sleep for most of the day and hunt when it is dark \citep{miller2001}.

Throttled pumps waste energy as heat in the valve \citep{ito2010}.
\bibliography{refs}
\end{document}
"""
TEXTS = {
    "miller2001": "Cats sleep for sixteen hours a day and hunt when it is dark. We watched forty "
    "cats in a quiet house for a year, and wrote down when each of them was asleep.",
    "ito2010": "Valves turn the surplus head of a centrifugal pump into heat. We measured the "
    "losses of ten throttled pumps at partial load in a test rig.",
}
NEW = r"Purring cats hunt at dusk in quiet houses for many hours \citep{miller2001}."


def bib(*, abstracts: bool) -> str:
    made = ""
    for key, text in TEXTS.items():
        abstract = f", abstract = {{{text}}}" if abstracts else ""
        made += (
            f"@article{{{key}, author = {{A B}}, title = {{On {key}}}, year = 2001{abstract}}}\n"
        )
    return made


def lock_of(folder: Path, main: str) -> bytes:
    """What `reviser lock --update` writes where the abstracts are at hand."""
    folder.mkdir()
    (folder / "main.tex").write_text(main)
    (folder / "refs.bib").write_text(bib(abstracts=True))
    done = CliRunner().invoke(cli, ["lock", str(folder), "--update"])
    assert done.exit_code == 0, done.output
    return (folder / "reviser.lock").read_bytes()


@pytest.fixture
def known(tmp_path):
    return lock_of(tmp_path / "known", MAIN)


@pytest.fixture
def more(tmp_path):
    """A lockfile that knows the new sentence as well."""
    return lock_of(tmp_path / "more", MAIN.replace(r"\bibliography", f"{NEW}\n\\bibliography"))


def start(clone, lock: bytes | None, *, abstracts: bool = False) -> None:
    clone.commit({"main.tex": MAIN, "refs.bib": bib(abstracts=abstracts)})
    if lock is not None:
        clone.commit({"reviser.lock": lock})


def with_new() -> str:
    return MAIN.replace(r"\bibliography", f"{NEW}\n\\bibliography")


def test_verdicts_of_the_merge_base_hold(clone, planned, known):
    start(clone, known)
    clone.commit({"main.tex": MAIN.replace("Throttled", "\nThrottled")}, branch="topic")
    plan = planned(verify=True).plan
    assert (plan.whole.total, plan.whole.checked) == (2, 2)
    assert not plan.supplied


def test_without_a_lock_nothing_is_known(clone, planned):
    start(clone, None)
    clone.commit({"main.tex": MAIN.replace("Throttled", "\nThrottled")}, branch="topic")
    assert planned(verify=True).plan.whole.checked == 0


def test_a_verdict_that_the_change_brings_counts_as_unchecked(clone, planned, known, more):
    start(clone, known)
    clone.commit({"main.tex": with_new(), "reviser.lock": more}, branch="topic")
    plan = planned(verify=True).plan
    assert (plan.coverage.total, plan.coverage.checked) == (1, 0)
    assert plan.coverage.not_checked == ((SUPPLIED, 1),)
    assert Supplied("verdict", "miller2001", "reviser.lock") in plan.supplied
    assert CHANGED in plan.notes
    assert conclude(plan) is not Conclusion.FAILURE


@pytest.mark.parametrize("label", [Label.SUPPORTED, Label.OFF_TOPIC, Label.CONTRADICTED])
def test_a_forged_verdict_neither_supports_nor_accuses(clone, planned, known, more, label):
    start(clone, known)
    lock = read(more)
    forged = [line.model_copy(update={"label": label}) for line in lock.verdicts]
    data = write([*lock.works, *forged])
    clone.commit({"main.tex": with_new(), "reviser.lock": data}, branch="topic")
    plan = planned(verify=True).plan
    assert not [n for n in plan.findings if n.finding.rule.startswith("citation-")]
    assert plan.coverage.not_checked == ((SUPPLIED, 1),)
    # What the base knows is not replaced by what the change says of it.
    assert plan.whole.checked == 2


def test_where_the_text_is_at_hand_the_verdict_is_given_anew(clone, planned, known, more):
    start(clone, known, abstracts=True)
    lock = read(more)
    forged = [line.model_copy(update={"label": Label.OFF_TOPIC}) for line in lock.verdicts]
    data = write([*lock.works, *forged])
    clone.commit({"main.tex": with_new(), "reviser.lock": data}, branch="topic")
    plan = planned(verify=True).plan
    assert (plan.coverage.total, plan.coverage.checked) == (1, 1)
    assert not [n for n in plan.findings if n.finding.rule.startswith("citation-")]


def test_a_change_of_the_lock_alone_is_told_and_fails_nobody(clone, planned, known, more):
    start(clone, known)
    clone.commit({"reviser.lock": more}, branch="topic")
    plan = planned(verify=True).plan
    assert CHANGED in plan.notes
    assert not [n for n in plan.findings if n.introduced]
    assert conclude(plan) is not Conclusion.FAILURE
    assert plan.whole.checked == 2


@pytest.mark.parametrize(
    "data", [b"<<<<<<< ours\n", b"\xff\x00{\n", b'{"claim": 1}\n', b"[" * 90_000], ids=str
)
def test_a_broken_lock_of_the_change_costs_nothing(clone, planned, known, data):
    start(clone, known)
    clone.commit({"main.tex": with_new(), "reviser.lock": data}, branch="topic")
    plan = planned(verify=True).plan
    assert plan.whole.checked == 2
    assert any("reviser.lock" in note for note in plan.notes)


def test_a_broken_lock_of_the_base_is_told(clone, planned, known):
    start(clone, b"<<<<<<< ours\n")
    clone.commit({"main.tex": with_new(), "reviser.lock": known}, branch="topic")
    plan = planned(verify=True).plan
    assert plan.whole.checked == 0
    assert any("of the merge base" in note for note in plan.notes)


def test_a_whole_branch_believes_its_own_lock(clone, planned, known):
    start(clone, known)
    clone.commit({}, branch="topic")
    assert planned(base=None, verify=True).plan.whole.checked == 2


def test_the_lock_can_be_switched_off(clone, planned, known):
    start(clone, known)
    clone.commit({"main.tex": with_new()}, branch="topic")
    assert planned(verify=True, lock="off").plan.whole.checked == 0


def test_the_plan_as_json_names_what_was_supplied(clone, tmp_path, known, more):
    start(clone, known)
    clone.commit({"main.tex": with_new(), "reviser.lock": more}, branch="topic")
    out = tmp_path / "plan.json"
    done = CliRunner().invoke(
        cli,
        ["plan", str(clone.folder), "--head", "topic", "--base", "main", "--out", str(out)],
    )
    assert done.exit_code in {0, 1}, done.output
    told = json.dumps(json.loads(out.read_text()))
    assert '"kind": "verdict", "name": "miller2001"' in told
