"""The comments of a repository, found by their numbers."""

from tests.fakes.github.model import IssueComment, Pull, Refused, ReviewComment, Thread


class Said:
    """The pull requests of a repository, and all that was said in them. Whatever is looked for in
    vain raises Refused (404)."""

    def __init__(self) -> None:
        self.pulls: dict[int, Pull] = {}

    def thread(self, told: Thread | ReviewComment | int) -> Thread:
        """A thread, also by any comment in it or that comment's id."""
        if isinstance(told, Thread):
            return told
        number = told if isinstance(told, int) else told.id
        for pull in self.pulls.values():
            for thread in pull.threads:
                if any(c.id == number for c in thread.comments):
                    return thread
        raise Refused(404, "Not Found")

    def review_comment(self, told: ReviewComment | int) -> ReviewComment:
        number = told if isinstance(told, int) else told.id
        return next(c for c in self.thread(number).comments if c.id == number)

    def issue_comment(self, number: int) -> IssueComment:
        for pull in self.pulls.values():
            for remark in pull.remarks:
                if remark.id == number:
                    return remark
        raise Refused(404, "Not Found")

    def any_comment(self, number: int) -> IssueComment | ReviewComment:
        try:
            return self.issue_comment(number)
        except Refused:
            return self.review_comment(number)
