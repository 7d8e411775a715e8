"""Each bundled prompt is read, has a reply class, and changes its words only with its version."""

import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from reviser.budget import price_of
from reviser.prompts import Prompt, read_prompt
from reviser.templates import template_text

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "templates" / "prompts").glob("*.md"))
KEPT = tomllib.loads((Path(__file__).parent / "prompts.toml").read_text())
REPLIES = {
    "diagnose-claim": "reviser.revise.diagnosing",
    "rewrite-claim": "reviser.revise.claims",
    "judge-relevance": "reviser.literature.filter",
    "name-cluster": "reviser.literature.naming",
    "classify-work": "reviser.literature.attributes",
    "extract-attributes": "reviser.literature.attributes",
    "compare-passages": "reviser.review.comparing",
    "evaluate-survey": "reviser.review.evaluator",
    "grade-paper": "reviser.review.rubric",
    "score-passage": "reviser.review.passages",
    "rewrite-with-evidence": "reviser.revise.evidenced",
    "write-section": "reviser.revise.sectioning",
    "write-table": "reviser.revise.tabling",
    "write-timeline": "reviser.revise.tabling",
    "write-sentence": "reviser.revise.rewriting",
    "write-paragraph": "reviser.revise.enhancing",
    "restructure-paragraph": "reviser.revise.restructuring",
    "decide-points": "reviser.revise.decide",
    "decompose-review": "reviser.review.decompose",
    "distil-criteria": "reviser.review.imitate",
    "replan-points": "reviser.revise.replan",
    "review-paper": "reviser.review.reviewer",
    "review-part": "reviser.review.reviewer",
    "review-whole": "reviser.review.reviewer",
    "verify-support": "reviser.verify.chat_entailment",
}
"""The module that holds the reply class of each prompt, and calls it by its id."""


def read(path: Path) -> Prompt:
    text = path.read_text(encoding="utf-8")
    front = tomllib.loads(text.split("+++")[1])
    return read_prompt(text, id=path.stem, reply=front["reply"], where=path.name)


def test_there_are_some() -> None:
    assert {path.stem for path in FILES} == REPLIES.keys() == KEPT.keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_words_of_a_version_never_change(path: Path) -> None:
    prompt = read(path)
    kept = KEPT[path.stem]
    assert kept.get(str(prompt.version)) == prompt.digest, (
        f"raise the version of {path.name} and add its digest to tests/surface/prompts.toml: "
        f"{prompt.version + 1} = {prompt.digest!r}"
    )
    assert max(map(int, kept)) == prompt.version


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_its_reply_class_is_there_and_its_members_are_told(path: Path) -> None:
    prompt = read(path)
    module = import_module(REPLIES[path.stem])
    reply = getattr(module, prompt.reply)
    assert path.stem in getattr(module, "PROMPTS", ()) or path.stem == module.PROMPT
    for member in reply.model_fields:
        assert f'"{member}"' in prompt.system


def test_the_table_of_prices_holds_prices() -> None:
    table = tomllib.loads(template_text("prices.toml"))
    assert table
    for name in table:
        price = price_of(name, table)
        assert price is not None
        assert 0 < price.tokens_in <= price.tokens_out < 1000
