"""Put together what `review` needs, and review a paper that was opened."""

from reviser.app.chatting import roles_of
from reviser.app.judging import judges_of, options_of
from reviser.app.locking import locked_of
from reviser.app.model_settings import ModelSettings
from reviser.app.opening import Opened, baseline_of
from reviser.app.reviews import open_reviews
from reviser.app.ticking import progress
from reviser.pipeline.checking import check
from reviser.pipeline.reviewing import ReviewedPaper, Reviewer, review


def review_opened(
    opened: Opened, models: ModelSettings, *, reviews: str | None, imitate: bool
) -> ReviewedPaper:
    """The paper with its review by the helper. `reviews` names a file of public reviews.

    Raises UsageError or SettingsError for settings that do not fit together or where nobody
    allowed the paper's text to be sent, ReviserError when the endpoint answers nobody.
    """
    seen = progress()
    chats = roles_of(opened, models, seen, rounds=0)
    reviewer = Reviewer(
        helper=chats.roles.helper,
        corpus=open_reviews(reviews) if imitate else None,
        imitate=imitate,
        asked=chats.asked,
    )
    options = options_of(opened, accepted=baseline_of(opened))
    judges = judges_of(opened, chats=chats, seen=seen, locked=locked_of(opened))
    return review(check(opened.manuscript, options, judges), options, judges, reviewer)
