import json

import pytest

from reviser.adapters.files import Folder, locate
from reviser.app.judging import judges_of
from reviser.app.pull.local import local_commits
from reviser.app.pull.origins import Origins, renewed, there
from reviser.app.pull.sides import change, open_side
from reviser.app.settings import Settings, read_settings
from reviser.deliver.plan import Conclusion, Origin, Supplied, conclude
from reviser.errors import NoConclusion, UsageError
from reviser.findings import Finding, Severity
from reviser.pipeline.checking import Options, check
from reviser.revise.verdict import Outcome
from tests.unit.app.pull.conftest import BIB, MAIN


def from_file(path):
    """Settings with the paper's own settings file, as the command line gives them."""
    found = read_settings(Folder(locate(path).root))
    values = {name.replace("-", "_"): value for name, value in found.values.items()}
    return Settings(
        path=path, verify=False, cache=False, ignores=found.ignores,
        from_file=frozenset(values), **values,
    )  # fmt: skip


def origins(plan):
    return {(n.finding.rule, n.subject): n.origin for n in plan.findings}


def test_a_finding_on_a_changed_line_is_the_change_s_own(clone, planned):
    clone.commit({"main.tex": MAIN.replace("Cats", "Cats~\\cite{typo}")}, branch="topic")
    plan = planned().plan
    assert origins(plan)["undefined-citation", "typo"] is Origin.HERE
    assert origins(plan)["undefined-reference", "sec:old"] is Origin.BEFORE
    assert conclude(plan) is Conclusion.FAILURE


def test_what_a_removed_entry_breaks_elsewhere_is_caused_by_the_change(clone, planned):
    clone.commit({"refs.bib": BIB[BIB.index("@misc{wolf") :]}, branch="topic")
    plan = planned().plan
    assert origins(plan)["undefined-citation", "miller2001"] is Origin.CAUSED
    assert conclude(plan) is Conclusion.FAILURE


def test_old_findings_alone_fail_nobody_even_when_their_lines_moved(clone, planned):
    moved = MAIN.replace("Cats sleep", "A new line.\n\nCats sleep")
    clone.commit({"main.tex": moved}, branch="topic")
    plan = planned().plan
    assert origins(plan)["undefined-reference", "sec:old"] is Origin.BEFORE
    assert conclude(plan) is Conclusion.SUCCESS


def test_of_findings_that_are_alike_as_many_are_old_as_there_were(clone, planned):
    again = "Birds sing, see Section~\\ref{sec:old}.\n"
    clone.commit({"main.tex": MAIN.replace("Cats", again + "Cats")}, branch="topic")
    told = [n.origin for n in planned().plan.findings if n.subject == "sec:old"]
    assert sorted(told) == sorted([Origin.HERE, Origin.BEFORE])


def test_a_renamed_file_keeps_its_old_findings(clone, planned):
    clone.git("checkout", "-q", "-b", "topic")
    clone.git("mv", "main.tex", "paper.tex")
    clone.commit({})
    assert origins(planned().plan)["undefined-reference", "sec:old"] is Origin.BEFORE


def test_a_moved_folder_is_found_under_its_old_name(clone, planned):
    clone.git("checkout", "-q", "-b", "topic")
    for name in ("main.tex", "refs.bib"):
        (clone.folder / "paper").mkdir(exist_ok=True)
        clone.git("mv", name, f"paper/{name}")
    clone.commit({})
    plan = planned("paper").plan
    assert plan.target.paper == "paper"
    assert origins(plan)["undefined-reference", "sec:old"] is Origin.BEFORE
    assert plan.notes == ()


OLD = "Dogs bark at strangers, see Section~\\ref{sec:old}.\n"


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"main.tex": MAIN.replace(OLD, "\\input{part}\n"), "part.tex": OLD}, "moved out"),
        ({"main.tex": MAIN.replace("\n", "\r\n")}, "other line ends"),
        ({"main.tex": MAIN.replace("strangers, see", "strangers,\n  see")}, "broken elsewhere"),
        ({"main.tex": MAIN.replace("Dogs bark", "Most dogs bark")}, "other words of its line"),
    ],
)
def test_a_finding_that_only_moved_is_an_old_one(clone, planned, files, why):
    clone.commit(files, branch="topic")
    plan = planned().plan
    assert origins(plan)["undefined-reference", "sec:old"] is Origin.BEFORE, why
    assert conclude(plan) is Conclusion.SUCCESS


def test_a_finding_is_the_change_s_own_where_the_words_around_it_are(clone, planned):
    other = OLD.replace("see Section~", "as told in ").replace("old}.", "old} and elsewhere.")
    clone.commit({"main.tex": MAIN.replace(OLD, other)}, branch="topic")
    assert origins(planned().plan)["undefined-reference", "sec:old"] is Origin.HERE


def test_a_sorted_bibliography_is_not_a_new_one(clone, planned):
    first, second = BIB[: BIB.index("@misc{wolf")], BIB[BIB.index("@misc{wolf") :]
    bib = f"{first}{second}\n@article{{x1,\n  title = {{Owls}},\n  year = 2000\n}}\n\n"
    cited = MAIN.replace("Cats", "Cats~\\cite{x1}")
    clone.commit({"refs.bib": bib, "main.tex": cited})
    last = bib[bib.index("@article") :]
    clone.commit({"refs.bib": last + second + "\n" + first}, branch="topic")
    plan = planned().plan
    assert {n.finding.rule for n in plan.findings} >= {"unused-entry", "entry-missing-field"}
    assert {n.origin for n in plan.findings} == {Origin.BEFORE}


def test_notes_that_are_told_once_a_file_are_old_in_a_new_file_too(clone, planned):
    notes = [f"\\todo{{look at number {n} again}}\nCats sleep.\n" for n in range(3)]
    both = MAIN.replace(OLD, notes[0] + OLD + notes[1])
    clone.commit({"main.tex": both})
    moved = both.replace(notes[1], "\\input{part}\n")
    clone.commit({"main.tex": moved, "part.tex": notes[1]}, branch="topic")
    told = [n for n in planned().plan.findings if n.finding.rule == "todo-in-prose"]
    assert [n.origin for n in told] == [Origin.BEFORE] * 2
    clone.commit({"part.tex": notes[2]})
    told = [n.origin for n in planned().plan.findings if n.finding.rule == "todo-in-prose"]
    assert sorted(told) == [Origin.BEFORE, Origin.HERE]


def test_of_two_entries_that_changed_places_neither_is_new(clone, planned):
    twice = [
        f"@misc{{{key},\n  title = {{On Owls and {more}}},\n  year = 2000\n}}\n\n"
        for key, more in (("owl", "Mice"), ("owl", "Rats"), ("bat", "Bats"), ("bat", "Moths"))
    ]
    clone.commit({"refs.bib": BIB + "".join(twice[:2])})
    clone.commit({"refs.bib": BIB + twice[1] + twice[0]}, branch="topic")
    told = [n for n in planned().plan.findings if n.finding.rule == "duplicate-bib-key"]
    assert [n.origin for n in told] == [Origin.BEFORE]
    clone.commit({"refs.bib": BIB + twice[1] + twice[0] + twice[2] + twice[3]})
    told = [n for n in planned().plan.findings if n.finding.rule == "duplicate-bib-key"]
    assert {n.subject: n.origin for n in told} == {"owl": Origin.BEFORE, "bat": Origin.HERE}


CLAIM = "The price of copper fell in London~\\cite{miller2001}.\n"


@pytest.mark.parametrize(
    ("part", "origin"),
    [
        (CLAIM, Origin.BEFORE),
        (CLAIM.replace(" fell", "\n  fell"), Origin.BEFORE),
        (CLAIM.replace("copper", "silver"), Origin.HERE),
        (CLAIM.replace("miller2001", "miller"), Origin.HERE),
    ],
)
def test_the_verdict_on_a_citation_that_only_moved_is_an_old_one(clone, tmp_path, part, origin):
    old = MAIN.replace(OLD, CLAIM)
    clone.commit({"main.tex": old, "refs.bib": BIB + BIB.replace("miller2001", "miller")})
    new = {"main.tex": old.replace(CLAIM, "\\input{part}\n"), "part.tex": part}
    clone.commit(new, branch="topic")
    told = local_commits(str(clone.folder), "main", "topic")
    base, head = (
        open_side(told.repository, commit, tmp_path / name, "", from_file)
        for commit, name in ((told.base, "base"), (told.head, "head"))
    )
    changed = change(told.patches, "")
    paper = head.opened.manuscript
    checked = check(paper, Options(verify=False), judges_of(head.opened))
    origins_ = Origins(checked, changed, there(base, head, changed), renewed(base, head))
    (at,) = (key.at for c in paper.citations for key in c.keys if key.at.path == "part.tex")
    finding = Finding("citation-off-topic", at, "", "", Severity.WARNING)
    assert origins_.of([finding]) == (origin,)


ENTRY = "  title = {The sleep of cats}"


@pytest.mark.parametrize(
    ("files", "origin"),
    [
        ({}, Origin.BEFORE),
        ({"refs.bib": BIB.replace("@misc{wolf", "@misc{fox,\n  title = {X}\n}\n\n@misc{wolf")},
         Origin.BEFORE),
        ({"refs.bib": "\n\n" + BIB.replace(ENTRY, f"  {ENTRY}")}, Origin.BEFORE),
        ({"refs.bib": BIB.replace("sleep of cats", "sleep of the cat")}, Origin.HERE),
        ({"old": MAIN.replace("~\\cite{miller2001}", "")}, Origin.HERE),
    ],
)  # fmt: skip
def test_what_services_say_of_an_entry_is_new_where_the_entry_or_its_citation_is(
    clone, tmp_path, files, origin
):
    if "old" in files:
        clone.commit({"main.tex": files.pop("old")})
        files = {"main.tex": MAIN}
    clone.commit(files, branch="topic")
    told = local_commits(str(clone.folder), "main", "topic")
    base, head = (
        open_side(told.repository, commit, tmp_path / name, "", from_file)
        for commit, name in ((told.base, "base"), (told.head, "head"))
    )
    changed = change(told.patches, "")
    paper = head.opened.manuscript
    checked = check(paper, Options(verify=False), judges_of(head.opened))
    origins_ = Origins(checked, changed, there(base, head, changed), renewed(base, head))
    entry = paper.entry_of["miller2001"]
    finding = Finding("reference-year", entry.fields[-1].at, "", "", Severity.NOTE)
    assert origins_.of([finding]) == (origin,)


def test_a_paper_that_is_new_is_judged_by_its_lines(clone, planned):
    clone.commit({"new/main.tex": MAIN, "new/refs.bib": BIB}, branch="topic")
    plan = planned("new").plan
    assert {n.origin for n in plan.findings} == {Origin.HERE}


def test_only_edits_that_answer_what_is_new_are_judged(clone, planned):
    old = BIB.replace("Miller, Ann", "Miller & Co")
    clone.commit({"refs.bib": old})
    clone.commit({"refs.bib": old.replace("of cats", "of cats & dogs")}, branch="topic")
    made = planned()
    assert [v.outcome for v in made.plan.verdicts] == [Outcome.ACCEPTED]
    assert b"+  title = {The sleep of cats \\& dogs}" in made.patch
    assert b"-  author" not in made.patch
    whole = planned(base=None)
    assert len(whole.plan.accepted) == 2
    assert whole.plan.target.base == ""


def test_the_patch_applies_at_the_top_of_the_repository(clone, planned):
    files = {"a/reviser.toml": "", "a/main.tex": MAIN, "a/refs.bib": BIB.replace("cats", "X & Y")}
    clone.commit(files, branch="topic")
    made = planned("a")
    assert made.plan.target.root == "a/"
    patch = clone.folder.parent / "fix.diff"
    patch.write_bytes(made.patch)
    clone.git("apply", str(patch))
    assert "X \\& Y" in (clone.folder / "a/refs.bib").read_text()


def accepted_now(clone, planned):
    """A baseline file that accepts every finding of the branch `topic`."""
    table = {}
    for noted in planned(base=None).plan.findings:
        finding = noted.finding
        rules = table.setdefault(finding.place.path, {})
        rules.setdefault(finding.rule, []).append(finding.fingerprint)
    return json.dumps({"schema": "reviser.baseline/1", "accepted": table})


def test_the_baseline_of_the_merge_base_holds_and_the_head_s_does_not(clone, planned):
    wrong = MAIN.replace("Cats", "Cats~\\cite{typo}")
    clone.commit({"main.tex": wrong}, branch="topic")
    clone.commit({"reviser-baseline.json": accepted_now(clone, planned)})
    plan = planned().plan
    assert origins(plan)["undefined-citation", "typo"] is Origin.HERE
    assert any("baseline" in note for note in plan.notes)
    assert plan.silenced == 0


def test_an_accepted_finding_stays_accepted(clone, planned):
    clone.git("branch", "topic")
    data = accepted_now(clone, planned)
    clone.git("branch", "-D", "topic")
    clone.commit({"reviser-baseline.json": data})
    clone.commit({"main.tex": MAIN.replace("Cats", "Lions")}, branch="topic")
    plan = planned().plan
    assert plan.silenced > 0
    assert plan.findings == ()
    assert plan.notes == ()


def test_what_the_author_brings_is_named(clone, planned):
    quiet = '[[ignore]]\nrule = "undefined-reference"\nreason = "later"\n'
    files = {
        "reviser.toml": f'fail-on = "never"\n{quiet}',
        "main.tex": MAIN.replace("Dogs", "% reviser: ignore[todo-in-prose] mine\nDogs"),
        "refs.bib": BIB.replace("year = 2001", "year = 2001,\n  abstract = {Cats sleep.}"),
    }
    clone.commit(files, branch="topic")
    plan = planned(at=from_file).plan
    assert set(plan.supplied) == {
        Supplied("abstract", "miller2001", "refs.bib"),
        Supplied("setting", "fail-on", "reviser.toml"),
        Supplied("suppression", "undefined-reference", "reviser.toml"),
        Supplied("suppression", "todo-in-prose", "main.tex"),
    }
    assert plan.fail_on == "never"
    assert plan.silenced == 1


def test_a_text_of_a_cited_work_that_comes_along_is_named(clone, planned):
    clone.commit({"reviser.toml": 'sources = "texts"\n'})
    clone.commit({"texts/miller2001.txt": "Cats sleep."}, branch="topic")
    plan = planned(at=from_file).plan
    assert plan.supplied == (Supplied("source text", "miller2001", "texts/miller2001.txt"),)


def test_an_export_that_comes_along_is_named_by_its_file(clone, planned):
    clone.commit({"reviser.toml": 'sources = ["texts", "mine.ris"]\n'})
    files = {"texts/Miller on cats.md": "Cats sleep.", "mine.ris": "TY  - JOUR\nER  -\n"}
    clone.commit(files, branch="topic")
    plan = planned(at=from_file).plan
    assert set(plan.supplied) == {
        Supplied("source text", "Miller on cats.md", "texts/Miller on cats.md"),
        Supplied("source text", "mine.ris", "mine.ris"),
    }


def test_a_moved_suppression_is_not_new(clone, planned):
    line = "% reviser: ignore[todo-in-prose] mine\n"
    clone.commit({"main.tex": MAIN.replace("Dogs", line + "Dogs")})
    clone.commit({"main.tex": MAIN.replace("Cats", line + "Cats")}, branch="topic")
    assert planned().plan.supplied == ()


def test_a_broken_settings_file_at_the_merge_base_is_only_noted(clone, planned):
    clone.commit({"reviser.toml": "no toml"})
    clone.commit({"reviser.toml": "", "main.tex": MAIN.replace("Cats", "Lions")}, branch="topic")
    plan = planned(at=from_file).plan
    assert any("as it was before" in note for note in plan.notes)
    assert origins(plan)["undefined-reference", "sec:old"] is Origin.BEFORE


def test_without_a_merge_base_to_read_only_changed_lines_are_new(clone, planned):
    told = BIB.replace("year = 2001", "year = 2001,\n  abstract = {Cats sleep.}")
    clone.commit({"reviser.toml": "no toml", "refs.bib": told})
    more = told.replace("year = 1999", "year = 1999,\n  abstract = {Dogs bark.}")
    clone.commit({"reviser.toml": "prune = false", "refs.bib": more}, branch="topic")
    assert set(planned(at=from_file).plan.supplied) == {
        Supplied("abstract", "wolf1999", "refs.bib"),
        Supplied("setting", "prune", "reviser.toml"),
    }


def test_a_paper_may_use_what_stands_beside_its_folder_as_in_a_checkout(clone, planned):
    beside = MAIN.replace("{refs}", "{../refs}")
    clone.commit({"paper/main.tex": beside, "main.tex": None}, branch="topic")
    plan = planned("paper").plan
    assert plan.target.root == ""
    assert ("undefined-citation", "miller2001") not in origins(plan)


def test_the_reviser_folder_of_a_commit_is_not_believed(clone, planned):
    clone.commit({".reviser/cache/results": "x", "main.tex": MAIN + "%\n"}, branch="topic")
    planned()
    assert not list(clone.folder.parent.glob("room*/head/.reviser"))


def test_links_are_told_and_not_followed(clone, planned):
    (clone.folder.parent / "secret.tex").write_text("secret")
    clone.git("checkout", "-q", "-b", "topic")
    (clone.folder / "part.tex").symlink_to("../secret.tex")
    clone.commit({"main.tex": MAIN.replace("Dogs", "\\input{part}Dogs")})
    made = planned()
    assert not any("secret" in source.text for source in made.sources.values())
    assert any(note.startswith("part.tex was not read") for note in made.plan.notes)


def test_no_paper_is_said_in_words(clone, planned):
    clone.commit({"main.tex": None, "notes.md": "x"}, branch="topic")
    with pytest.raises(NoConclusion):
        planned()
    with pytest.raises(UsageError, match="there is no nowhere in commit"):
        planned("nowhere")


def test_open_questions_and_coverage_speak_of_changed_lines(clone, planned):
    more = MAIN.replace("Dogs bark at strangers", "Dogs bark at all strangers~\\cite{wolf1999}")
    clone.commit({"main.tex": more}, branch="topic")
    plan = planned(verify=True).plan
    assert plan.coverage.total == 1
    assert plan.whole.total == 2
    assert plan.open_questions == 1
    assert plan.judges
    assert planned().plan.judges == ()
