"""Grades of a passage: five digits in one reply, asked for in another order by each sample."""

from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_validator

from reviser.chances import expected
from reviser.ports import ChatReply
from reviser.review.model import Dimension, Grade

PROMPT = "score-passage"
LEVELS = (1, 2, 3, 4, 5)
ALTERNATIVES = 8
"""Tokens asked for at each place: the five digits and their spellings."""
NOTHING_ELSE = "(there is nothing else)"
"""In the place of an empty digest."""

Level = Literal[1, 2, 3, 4, 5]


class Grades(BaseModel):
    """A reply: the level reached in each dimension. A digit in quotes is taken for the digit."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    coverage: Level
    structure: Level
    relevance: Level
    synthesis: Level
    critical_analysis: Level

    @field_validator("*", mode="before")
    @classmethod
    def _number(cls, value: object) -> object:
        return int(value) if isinstance(value, str) and value.strip() in set("12345") else value


def member(dimension: Dimension) -> str:
    """The name of a dimension in replies."""
    return dimension.value.replace(" ", "_")


def order(sample: int) -> tuple[Dimension, ...]:
    """The order in which a sample grades: what comes first sways what follows, so each of five
    samples begins with another dimension, and the next five go backwards."""
    dimensions = tuple(Dimension)
    turn = sample % len(dimensions)
    turned = dimensions[turn:] + dimensions[:turn]
    return turned if (sample // len(dimensions)) % 2 == 0 else turned[::-1]


def form(sample: int) -> type[Grades]:
    """The class of a sample's reply, whose members stand in the order of the sample."""
    return _form(tuple(member(dimension) for dimension in order(sample)))


@cache
def _form(members: tuple[str, ...]) -> type[Grades]:
    def turned(schema: dict[str, Any]) -> None:
        # Titles tell a model nothing, and it reads them with every question.
        schema.pop("title")
        schema["properties"] = {
            name: {
                key: value for key, value in schema["properties"][name].items() if key != "title"
            }
            for name in members
        }
        schema["required"] = list(members)

    config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=turned)
    return type(Grades.__name__, (Grades,), {"model_config": config, "__module__": __name__})


def graded(value: Grades, reply: ChatReply) -> tuple[Grade, ...]:
    """The grades in a reply: the expected level where there are probabilities, else the digit."""
    return tuple(_grade(value, reply, dimension) for dimension in Dimension)


def _grade(value: Grades, reply: ChatReply, dimension: Dimension) -> Grade:
    name = member(dimension)
    likely = expected(reply, name, LEVELS)
    return Grade(dimension, float(getattr(value, name)) if likely is None else likely)
