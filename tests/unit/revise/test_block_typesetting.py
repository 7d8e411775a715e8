"""Blocks typeset: in the classes that TeX has here, nothing goes wrong that went well before."""

import shutil
import subprocess
from dataclasses import replace
from typing import Any

import pytest
from tern_papers import BODY, SECTION, TABLE, TIMELINE, reading
from test_block_writer import made

from reviser.adapters.tex.run import TeX
from reviser.manuscript.files import Memory
from reviser.review.model import Action
from reviser.revise.compile import differs
from reviser.text.edit import apply

needs_tex = pytest.mark.skipif(
    shutil.which("pdflatex") is None or shutil.which("bibtex") is None,
    reason="no TeX is installed",
)
CLASSES = {
    "article": ("article", "\\documentclass{article}\n"),
    "two columns": ("article", "\\documentclass[twocolumn]{article}\n"),
    "booktabs": ("booktabs", "\\documentclass{article}\n\\usepackage{booktabs,tabularx}\n"),
    "natbib": ("natbib", "\\documentclass{article}\n\\usepackage[round]{natbib}\n"),
    "hyperref": ("hyperref", "\\documentclass{article}\n\\usepackage{hyperref}\n"),
    "report": ("report", "\\documentclass{report}\n"),
    "memoir": ("memoir", "\\documentclass{memoir}\n"),
    "scrartcl": ("scrartcl", "\\documentclass{scrartcl}\n"),
    "amsart": ("amsart", "\\documentclass{amsart}\n"),
    "IEEEtran": ("IEEEtran", "\\documentclass[conference]{IEEEtran}\n"),
    "acmart": ("acmart", "\\documentclass[sigconf]{acmart}\n"),
    "llncs": ("llncs", "\\documentclass{llncs}\n"),
    "elsarticle": ("elsarticle", "\\documentclass{elsarticle}\n"),
}
BLOCKS = {
    "subsection": (Action.INSERT_SUBSECTION, SECTION),
    "table": (Action.ADD_TABLE, TABLE),
    "timeline": (Action.ADD_TIMELINE, TIMELINE),
}


def installed(name: str) -> bool:
    """Whether TeX has this class or package."""
    for ending in ("cls", "sty"):
        found = subprocess.run(
            ["kpsewhich", f"{name}.{ending}"],
            capture_output=True,
            check=False,
        )
        if found.stdout.strip():
            return True
    return False


@needs_tex
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("name", CLASSES)
def test_it_typesets_as_before(name: str, block: str) -> None:
    needed, preamble = CLASSES[name]
    if not installed(needed):
        pytest.skip(f"TeX has no {needed} here")
    action, reply = BLOCKS[block]
    body = BODY.replace("\\cite{", "\\citep{") if name == "natbib" else BODY
    body = body.replace("{plain}", "{plainnat}") if name == "natbib" else body
    read = reading(preamble, body)
    proposal = made(read, action, reply)
    assert proposal.edit is not None, proposal.why
    assert problems(read, proposal.edit) == ()


@needs_tex
def test_a_table_with_a_wrong_row_would_be_told() -> None:
    read = reading()
    edit = made(read, Action.ADD_TABLE, TABLE).edit
    assert edit is not None
    (part,) = edit.replacements
    broken = replace(part, after=part.after.replace("radio tags", "radio & tags & two"))
    assert problems(read, replace(edit, replacements=(broken,)))


def problems(read: Any, edit: Any) -> Any:
    """What TeX complains of with the edit, and did not without it."""
    before = read.manuscript.sources
    after = {path: source.encode() for path, source in apply(before, [edit]).items()}
    tex = TeX(Memory({path: source.encode() for path, source in before.items()}), "main.tex")
    try:
        then, now = tex.typeset({}), tex.typeset(after)
    finally:
        tex.close()
    assert then.why == now.why == ""
    return tuple(differs(then, now))
