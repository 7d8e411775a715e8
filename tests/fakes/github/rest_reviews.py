"""REST: reviews and the comments in the diff, with all that GitHub refuses about them."""

from typing import Any

from tests.fakes.github.anchor import BadPlace, place
from tests.fakes.github.calls import REPO, Answer, Call, checked_text, route
from tests.fakes.github.model import Pull, Refused, Review, ReviewComment, Thread, User

_RESOURCE = "PullRequestReviewComment"


@route("GET", f"{REPO}/pulls/{{pull_number}}/comments")
def list_comments(call: Call) -> Answer:
    return call.page([call.shapes.review_comment(c) for c in _sorted(call, call.pull.comments)])


@route("GET", f"{REPO}/pulls/comments")
def list_all_comments(call: Call) -> Answer:
    found = [c for pull in call.repository.pulls.values() for c in pull.comments]
    return call.page([call.shapes.review_comment(c) for c in _sorted(call, found)])


def _sorted(call: Call, comments: list[ReviewComment]) -> list[ReviewComment]:
    newest_first = call.query.get("direction", "asc") == "desc"
    return sorted(comments, key=lambda c: c.id, reverse=newest_first)


@route("POST", f"{REPO}/pulls/{{pull_number}}/comments")
def make_comment(call: Call) -> Answer:
    pull = call.pull
    user = call.may("pull-requests", own=True)
    call.unlocked(pull)
    body = call.text(_RESOURCE)
    if "in_reply_to" in call.body:
        opened = _opening(pull, call.body["in_reply_to"])
        return Answer(201, call.shapes.review_comment(call.fake.replied(opened, user, body)))
    review = _review(call, pull, user, "", "COMMENTED")
    comment = _comment(call, pull, user, review, body)
    try:
        _at_head(pull, call.body.get("commit_id"))
        place(comment, call.body, pull.repository.files(pull))
    except BadPlace as error:
        field = f"pull_request_review_thread.{error.field}"
        told = {"resource": _RESOURCE, "code": "custom", "field": field, "message": error.message}
        raise Refused(422, "Validation Failed", [told]) from None
    pull.reviews.append(review)
    pull.threads.append(Thread(call.fake.counter.next(), [comment]))
    return Answer(201, call.shapes.review_comment(comment))


@route("POST", f"{REPO}/pulls/{{pull_number}}/comments/{{comment_id}}/replies")
def reply(call: Call) -> Answer:
    pull = call.pull
    user = call.may("pull-requests", own=True)
    call.unlocked(pull)
    opened = _opening(pull, call.number(call.params["comment_id"]))
    body = call.text(_RESOURCE)
    return Answer(201, call.shapes.review_comment(call.fake.replied(opened, user, body)))


def _opening(pull: Pull, number: int) -> ReviewComment:
    """The comment that may be replied to: only one that opened its thread."""
    for thread in pull.threads:
        if thread.comments[0].id == number:
            return thread.comments[0]
    raise Refused(404, "Not Found")


@route("GET", f"{REPO}/pulls/comments/{{comment_id}}")
def get_comment(call: Call) -> Answer:
    return Answer(200, call.shapes.review_comment(_found(call)))


@route("PATCH", f"{REPO}/pulls/comments/{{comment_id}}")
def edit_comment(call: Call) -> Answer:
    found = _found(call)
    call.may("pull-requests", own=found.user is call.user)
    found.body = call.text(_RESOURCE)
    found.updated = call.fake.counter.now()
    return Answer(200, call.shapes.review_comment(found))


@route("DELETE", f"{REPO}/pulls/comments/{{comment_id}}")
def delete_comment(call: Call) -> Answer:
    found = _found(call)
    call.may("pull-requests", own=found.user is call.user)
    pull = found.pull
    thread = pull.repository.thread(found)
    thread.comments.remove(found)
    if not thread.comments:
        pull.threads.remove(thread)
        if not any(c.review is found.review for t in pull.threads for c in t.comments) and (
            not found.review.body
        ):
            # GitHub lets an empty review go with its last comment.
            pull.reviews.remove(found.review)
    return Answer(204)


def _found(call: Call) -> ReviewComment:
    found = call.repository.review_comment(call.number(call.params["comment_id"]))
    hidden = found.review.state == "PENDING" and (call.token is None or found.user != call.user)
    if hidden:
        raise Refused(404, "Not Found")
    return found


@route("GET", f"{REPO}/pulls/comments/{{comment_id}}/reactions")
def list_reactions(call: Call) -> Answer:
    return call.page([call.shapes.reaction(r) for r in _found(call).reactions])


@route("POST", f"{REPO}/pulls/comments/{{comment_id}}/reactions")
def make_reaction(call: Call) -> Answer:
    found = _found(call)
    user = call.may("pull-requests", own=True)
    call.unlocked(found.pull)
    reaction, new = call.fake.reacted(found, user, call.body["content"])
    return Answer(201 if new else 200, call.shapes.reaction(reaction))


# -- reviews


@route("GET", f"{REPO}/pulls/{{pull_number}}/reviews")
def list_reviews(call: Call) -> Answer:
    asker = call.token.user if call.token else None
    shown = [r for r in call.pull.reviews if r.state != "PENDING" or r.user is asker]
    return call.page([call.shapes.review(r) for r in shown])


@route("GET", f"{REPO}/pulls/{{pull_number}}/reviews/{{review_id}}")
def get_review(call: Call) -> Answer:
    return Answer(200, call.shapes.review(_one(call)))


@route("GET", f"{REPO}/pulls/{{pull_number}}/reviews/{{review_id}}/comments")
def list_review_comments(call: Call) -> Answer:
    review = _one(call)
    found = [c for t in call.pull.threads for c in t.comments if c.review is review]
    # This address, unlike the others, tells no lines, only positions.
    told = []
    for comment in sorted(found, key=lambda c: c.id):
        shape = call.shapes.review_comment(comment)
        told.append({key: shape[key] for key in shape if key != "subject_type"})
    return call.page(told)


def _one(call: Call) -> Review:
    number = call.number(call.params["review_id"])
    found = next((r for r in call.pull.reviews if r.id == number), None)
    if found is None:
        raise Refused(404, "Not Found")
    return found


@route("POST", f"{REPO}/pulls/{{pull_number}}/reviews")
def make_review(call: Call) -> Answer:
    """One bad comment, and nothing of the review happens."""
    pull = call.pull
    user = call.may("pull-requests", own=True)
    call.unlocked(pull)
    body = checked_text(call.body.get("body") or "", "PullRequestReview", empty=True, plain=True)
    asked: list[dict[str, Any]] = call.body.get("comments") or []
    state = _state(call, pull, user, body, asked)
    review = _review(call, pull, user, body, state)
    files = pull.repository.files(pull)
    made, errors = [], []
    for told in asked:
        text = checked_text(told.get("body") or "", _RESOURCE, plain=True)
        comment = _comment(call, pull, user, review, text, path=told["path"])
        try:
            _at_head(pull, call.body.get("commit_id", pull.head))
            place(comment, told, files)
        except BadPlace as error:
            # GitHub does not say which comment it was.
            errors.append(f"{error.field.replace('_', ' ').capitalize()} {error.message}")
        made.append(Thread(call.fake.counter.next(), [comment]))
    if errors:
        raise Refused(422, "Unprocessable Entity", sorted(set(errors)))
    pull.reviews.append(review)
    pull.threads += made
    return Answer(200, call.shapes.review(review))


def _state(call: Call, pull: Pull, user: User, body: str, asked: list[dict[str, Any]]) -> str:
    event = call.body.get("event", "")
    if not event:
        if any(r.state == "PENDING" and r.user is user for r in pull.reviews):
            message = "User can only have one pending review per pull request"
            raise Refused(422, "Unprocessable Entity", [message])
        return "PENDING"
    if event == "COMMENT":
        if not body and not asked:
            raise Refused(422, "Unprocessable Entity", ["Review body can't be blank"])
        return "COMMENTED"
    if pull.author is user:
        verb = "approve" if event == "APPROVE" else "request changes on"
        raise Refused(422, "Unprocessable Entity", [f"Can not {verb} your own pull request"])
    app = call.token is not None and call.token.is_app
    if event == "APPROVE" and app and not pull.repository.can_approve:
        message = "GitHub Actions is not permitted to approve pull requests."
        raise Refused(422, "Unprocessable Entity", [message])
    return "APPROVED" if event == "APPROVE" else "CHANGES_REQUESTED"


def _at_head(pull: Pull, commit: str | None) -> None:
    """Raises BadPlace unless the commit is the pull request's head.

    GitHub itself takes older commits of the pull request, and shows such comments as outdated or
    on other lines than meant: a bot that speaks of a commit that is gone is wrong either way.
    """
    if commit != pull.head:
        raise BadPlace("commit_id", "is not part of the pull request")


def _review(call: Call, pull: Pull, user: User, body: str, state: str) -> Review:
    counter = call.fake.counter
    return Review(counter.next(), user, body, state, pull.head, counter.now(), pull)


def _comment(
    call: Call, pull: Pull, user: User, review: Review, body: str, *, path: str = ""
) -> ReviewComment:
    now = call.fake.counter.now()
    return ReviewComment(
        call.fake.counter.next(),
        user,
        body,
        now,
        now,
        pull,
        review,
        path or call.body["path"],
        pull.head,
        pull.head,
    )
