"""Which of two wordings is better: the form of the reply."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, field_validator

PROMPT = "compare-passages"


class Choice(BaseModel):
    """A reply: the better of two wordings in the order they were shown in, or neither."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    better: Literal["first", "second", "neither"]

    @field_validator("better", mode="before")
    @classmethod
    def _word(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value
