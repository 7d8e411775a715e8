"""A script for `OpenAIServer` that answers as the bundled canned replies do, whatever the port.

A request over HTTP does not name its prompt, so it is known by its instructions.
"""

from collections.abc import Mapping

from reviser.app.scripted import CannedReplies, script
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.templates import template, template_text
from tests.fakes.openai_server import Answer, Asked, Fail, Say, Script


def canned(files: Mapping[str, bytes]) -> Script:
    """What the bundled replies say of the paper in `files`, which is the bundled one or like it."""
    replies = CannedReplies(script(), Reading(Memory(dict(files))).manuscript, lambda: None)
    known = {_instructions(name): name for name in _names()}

    def answer(asked: Asked) -> Answer:
        prompt = prompt_of(asked, known)
        if not prompt:
            return Fail(400, "There is no such prompt.")
        return Say(replies.reply(prompt, asked.user))

    return answer


def prompt_of(asked: Asked, known: Mapping[str, str] | None = None) -> str:
    """The id of the prompt that a request was made with, "" for none of ours."""
    known = known or {_instructions(name): name for name in _names()}
    return next((name for words, name in known.items() if asked.system.startswith(words)), "")


def _names() -> list[str]:
    return sorted(path.name.removesuffix(".md") for path in template("prompts").iterdir())


def _instructions(name: str) -> str:
    body = template_text(f"prompts/{name}.md").split("+++", 2)[2]
    return body.partition("<!-- data -->")[0].strip()
