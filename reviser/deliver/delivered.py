"""What came of carrying out a plan."""

from dataclasses import dataclass
from enum import StrEnum

from reviser.deliver.plan import Conclusion, conclude
from reviser.deliver.story import Story


class Ending(StrEnum):
    """How a delivery ended.

    Done: everything was said, if only in part where it was meant to be (`Delivered.partial`).
    Moved: the branch is at another commit by now, whose own run will speak. Closed: the pull
    request is closed, merged, or waits in a merge queue. Unread: its state could not be read, so
    nothing was posted. In the last three cases only the story (job summary, patch) tells.
    """

    DONE = "done"
    MOVED = "moved"
    CLOSED = "closed"
    UNREAD = "unread"


@dataclass(frozen=True)
class Delivered:
    """What was done. `posted` counts new comments in the diff, `suggested` those of them that
    hold a suggestion, `retired` our obsolete comments that were deleted; `told` says whether the
    summary comment (or the text of our own pull request) now tells this story.

    `forbidden`: GitHub refused a write for want of permission, so that workflow annotations have
    to stand in. `story.undelivered` says what else was not taken and where it is.
    """

    ending: Ending
    story: Story
    posted: int = 0
    suggested: int = 0
    retired: int = 0
    told: bool = False
    forbidden: bool = False

    @property
    def conclusion(self) -> Conclusion:
        """The conclusion, without the findings that a person dismissed."""
        return conclude(self.story.plan, self.story.ledger.dismissed)

    @property
    def partial(self) -> bool:
        """Whether something is not where it was meant to be."""
        return bool(self.story.undelivered)
