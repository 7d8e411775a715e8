"""What can go wrong with the set-up, as one family that knows its exit code and the next step.

What is wrong with the *paper* is never an exception: it is a `Finding` or an `Unparsed`.
Anything that is neither is a bug and keeps its traceback.
"""

from typing import ClassVar


class ReviserError(Exception):
    """A problem the user can solve; `hint` says how, `exit_code` is what the shell sees."""

    exit_code: ClassVar[int] = 2

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(ReviserError):
    """The command line or the environment asks for something that cannot be done."""


class SettingsError(ReviserError):
    """A settings file or variable is wrong; the message names the file and the key."""


class NoConclusion(ReviserError):  # noqa: N818 - it names an outcome, as the exit code table does
    """Nothing can be said about the paper, because it (or a part that was asked for) is missing."""

    exit_code = 3


class StaleEdit(ReviserError):  # noqa: N818 - it names the state of the edit
    """The text an edit expects is no longer there, so the edit is refused whole."""


class Unanswered(ReviserError):  # noqa: N818 - it names what became of the question
    """A model gave no answer to one question; what was asked besides may well be answered.

    `paid` tells that the endpoint may charge for it all the same.
    """

    exit_code = 3

    def __init__(self, message: str, *, hint: str = "", paid: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.paid = paid


class BudgetUsedUp(Unanswered):
    """A question was not sent, since it could have cost more than is left."""
