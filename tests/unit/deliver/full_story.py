"""One story with something of everything in it."""

from small_edits import noted, plan, replacement, sources, verdict

from reviser.deliver.ledger import Ledger, Point, Status
from reviser.deliver.plan import Origin, Supplied
from reviser.deliver.story import Story, Wishes
from reviser.deliver.suggestion import NOT_SHOWN, Elsewhere
from reviser.findings import Severity
from reviser.revise.verdict import Outcome
from reviser.verify.coverage import Coverage
from reviser.verify.figures import Figure

PROSE = (
    "Plants grow \\cite{smith2020}.\n"
    "Deep nets are deep \\cite{jones2019,lee2021}.\n"
    "See Figure \\ref{fig:none} and ask @everyone | or not.\n"
    + "This is one paragraph on a single line, as many people write them. " * 4
    + "It cites \\cite{old1999}.\n"
)
LINK = "https://github.com/owner/name/pull/8"
RUN = "https://github.com/owner/name/actions/runs/123"


def full_story(**changes):
    files = sources(main=PROSE)
    suggested = noted(
        files, "main.tex", "lee2021", fingerprint="1" * 12, supplied=("abstract of lee2021",),
        evidence=(("We grow | `tomatoes`.", "abstract of lee2021"),),
    )  # fmt: skip
    error = noted(
        files, "main.tex", "fig:none", fingerprint="2" * 12, severity=Severity.ERROR,
        rule="reference-undefined", message="Nothing has the label 'fig:none'.",
    )  # fmt: skip
    edited = noted(files, "main.tex", "smith2020", fingerprint="3" * 12, origin=Origin.CAUSED)
    waved = noted(files, "main.tex", "jones2019", fingerprint="4" * 12)
    older = noted(files, "main.tex", "old1999", fingerprint="5" * 12, origin=Origin.BEFORE)
    shorter = verdict(
        replacement(files, "main.tex", " \\cite{smith2020}", ""), name="a", answers=("3" * 12,)
    )
    longer = verdict(
        replacement(files, "main.tex", " It cites \\cite{old1999}.", ""),
        name="b",
        answers=("5" * 12,),
    )
    refused = verdict(
        replacement(files, "main.tex", "jones2019,", ""), name="c", answers=("4" * 12,),
        outcome=Outcome.REJECTED, reasons=("the citation 'jones2019' would be lost",),
    )  # fmt: skip
    undecided = verdict(
        replacement(files, "main.tex", "deep ", ""), name="d", outcome=Outcome.UNDECIDED,
        reasons=("the verifier did not answer",),
    )  # fmt: skip
    made = plan(
        error, suggested, edited, waved, older,
        verdicts=(shorter, longer, refused, undecided),
        coverage=Coverage(4, 3, (("no abstract in the .bib", 1),)),
        whole=Coverage(40, 30, (("no abstract in the .bib", 9), ("stands in no sentence", 1))),
        open_questions=1,
        before=(
            Figure("citation NLI", None, 0, 40, 1.0, "not run: no verifier model given"),
            Figure("on topic", 0.7, 28, 40, 0.25),
        ),
        after=(
            Figure("citation NLI", None, 0, 39, 1.0, "not run: no verifier model given"),
            Figure("on topic", 0.75, 30, 40, 0.225),
        ),
        judges=("all-MiniLM-L6-v2",),
        supplied=(Supplied("abstract", "lee2021", "refs.bib"),),
        silenced=2,
        notes=("figures/huge.tex was not read: it has more than 5 MB.",),
    )  # fmt: skip
    ledger = Ledger(
        (
            Point("1" * 12, "citation-off-topic", "main.tex", Status.SUGGESTED, inline=True),
            Point("2" * 12, "reference-undefined", "main.tex", Status.RAISED, inline=True),
            Point("4" * 12, "citation-off-topic", "main.tex", Status.DISMISSED, who="ann",
                  why="cited for its title | alone"),
            Point("6" * 12, "bib/duplicate", "refs.bib", Status.ACCEPTED, commit="c" * 40),
        ),
        ("a" * 40,),
    )  # fmt: skip
    facts = {
        "run_url": RUN,
        "elsewhere": (Elsewhere(shorter, NOT_SHOWN), Elsewhere(longer, NOT_SHOWN)),
        "undelivered": ("One comment was refused by GitHub; it is told below.",),
    }
    return Story(made, files, ledger, Wishes(), "https://github.com", **(facts | changes))
