"""A role whose model says what a test tells it to, with the bundled prompts and no HTTP.

helper = role({"score-passage": lambda request: '{"grades": ...}'})
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from reviser.errors import ReviserError
from reviser.ports import ChatReply, ChatRequest, Item, Result
from reviser.prompts import Prompt, read_prompt
from reviser.roles import Role
from reviser.templates import template_text

Says = Callable[[ChatRequest], str | ChatReply | ReviserError]


@dataclass
class ScriptedModel:
    """Answers by the prompt's id; a prompt it knows nothing of is a fault of the test."""

    says: Mapping[str, Says]
    name: str = "scripted"
    asked: list[ChatRequest] = field(default_factory=list)
    expected: list[ChatRequest] = field(default_factory=list)

    def expect(self, requests: Sequence[ChatRequest]) -> None:
        self.expected += requests

    def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        said = self.says[request.prompt.partition("/")[0]](request)
        if isinstance(said, ReviserError):
            raise said
        return ChatReply(said, "stop", self.name, 100, 20, 0.0) if isinstance(said, str) else said

    def of(self, prompt: str) -> list[ChatRequest]:
        """The requests made with the prompt of this id."""
        return [r for r in self.asked if r.prompt.partition("/")[0] == prompt]


class OneByOne:
    """`Workers` without threads."""

    def each(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        told: Callable[[int], None] | None = None,
    ) -> Sequence[Result]:
        return [work(item) for item in items]


def bundled(id: str, reply: str) -> Prompt:  # noqa: A002
    """The bundled prompt of this id."""
    return read_prompt(template_text(f"prompts/{id}.md"), id=id, reply=reply, where=id)


def role(says: Mapping[str, Says], *, part: str = "helper", context: int = 32_000) -> Role:
    """A role with a `ScriptedModel`, which is its `model`."""
    return Role(part, ScriptedModel(says), bundled, OneByOne(), context)
