"""Orders to a model in the paper or in what it cites: none reaches the writer, none is written."""

import json

import pytest
from desks import decision, desk
from gull_papers import REFS, reading
from test_claims import REASON, known

from reviser.ports import ChatRequest
from reviser.review.model import Action
from reviser.revise.writer import propose
from tests.attacks import Attack, of

OWN = of("prose", "footnote", "item", "caption", "comment", "hidden", "switched off")
CITED = of("abstract", "note", "title")
CLEAN = "Gulls eat fish that they catch on the rocky shores of the north~\\cite{may1}."
WAYS = {
    "prose": "{clean} {text}",
    "item": "{clean} {text}",
    "caption": "{clean} {text}",
    "footnote": "{clean}\\footnote{{{text}}} They do so by day.",
    "comment": "{clean} They do so % {text}\nby day.",
    "hidden": "{clean} \\textcolor{{white}}{{{text}}} They do so by day.",
    "switched off": "{clean}\n\\iffalse {text} \\fi They do so by day.",
}


def obeys(attack: Attack):
    """A model that does what it is told where it finds the word."""

    def reply(request: ChatRequest) -> str:
        asked = "\n".join(message.text for message in request.messages)
        said = attack.word if attack.word in asked else "in fact"
        new = f"Gulls {said} eat fish that they catch on the rocky shores [[1]]."
        return {
            "write-sentence": json.dumps({"sentence": new}),
            "rewrite-claim": json.dumps({"sentence": new}),
            "restructure-paragraph": json.dumps({"sentences": [{"of": [1], "text": new}]}),
            "write-paragraph": json.dumps(
                {
                    "sentences": [],
                    "new": [
                        {
                            "after": 1,
                            "text": f"They say {said} that it is so there.",
                            "cites": ["may1"],
                        }
                    ],
                }
            ),
            "rewrite-with-evidence": json.dumps(
                {
                    "sentences": [],
                    "new": [
                        {
                            "after": 1,
                            "text": f"They say {said} that it is so there.",
                            "cites": ["may1"],
                        }
                    ],
                    "joined": [],
                }
            ),
            "write-section": json.dumps(
                {
                    "title": "Food of gulls",
                    "paragraphs": [
                        {
                            "sentences": [
                                {"text": f"Gulls {said} eat fish on the shore.", "cites": ["may1"]},
                                {"text": "Seabirds eat snails in winter.", "cites": ["roe_2"]},
                            ]
                        }
                    ],
                }
            ),
            "diagnose-claim": json.dumps(REASON),
        }[request.prompt.partition("/")[0]]

    return reply


def tried(attack: Attack, passage: str, refs: str, action: Action):
    read = reading(passage, refs=refs)
    m = read.manuscript
    says = obeys(attack)
    prompts = [
        *("write-sentence", "write-paragraph", "restructure-paragraph", "rewrite-claim"),
        *("rewrite-with-evidence", "write-section"),
    ]
    at = desk(
        read,
        dict.fromkeys(prompts, says),
        {"diagnose-claim": says},
        known(m),
    )
    what = decision(m, "Gulls eat fish that they catch on", action, needs="what gulls eat")
    (made,) = propose(m, [what], at)
    return made, [*at.writer.model.asked, *at.helper.model.asked]


def unharmed(attack: Attack, made, asked) -> None:
    for request in asked:
        assert all(attack.word not in message.text for message in request.messages)
    if made.edit is not None:
        assert all(attack.word not in part.after for part in made.edit.replacements)


@pytest.mark.parametrize("action", list(Action))
@pytest.mark.parametrize("attack", OWN, ids=lambda a: f"{a.spot}-{a.word}")
def test_in_the_paragraph(attack: Attack, action: Action) -> None:
    passage = WAYS[attack.spot].format(clean=CLEAN, text=attack.text)
    made, asked = tried(attack, passage, REFS, action)
    unharmed(attack, made, asked)


@pytest.mark.parametrize("attack", of("prose"), ids=lambda a: a.word)
def test_in_the_paragraph_before(attack: Attack) -> None:
    made, asked = tried(attack, f"{attack.text}\n\n{CLEAN}", REFS, Action.ENHANCE_PARAGRAPH)
    unharmed(attack, made, asked)
    assert asked


@pytest.mark.parametrize(
    "action",
    [
        *(Action.ENHANCE_PARAGRAPH, Action.REWRITE_CLAIM),
        *(Action.REWRITE_WITH_EVIDENCE, Action.INSERT_SUBSECTION),
    ],
)
@pytest.mark.parametrize("attack", CITED, ids=lambda a: f"{a.spot}-{a.word}")
def test_in_a_cited_work(attack: Attack, action: Action) -> None:
    safe = attack.text.replace("{", "(").replace("}", ")")
    refs = {
        "abstract": REFS.replace("We study the food", f"{safe} We study the food"),
        "note": REFS.replace("year = {2019}", f"note = {{{safe}}}, year = {{2019}}"),
        "title": REFS.replace("Gulls and Fish", safe),
    }[attack.spot]
    made, asked = tried(attack, CLEAN, refs, action)
    unharmed(attack, made, asked)
    if attack.spot == "abstract" and action is Action.ENHANCE_PARAGRAPH:
        assert asked
        assert any(ground.startswith("withheld from may1: ") for ground in made.grounds)
