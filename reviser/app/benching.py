"""Put together who reviews and rewrites: chat models in their parts, a plan, reviews to imitate."""

from typing import NamedTuple

from reviser.app.chatting import Chats, roles_of
from reviser.app.opening import Opened
from reviser.app.review_settings import ReviewSettings
from reviser.app.reviews import open_reviews
from reviser.pipeline.advising import Bench
from reviser.ports import Progress


class Benched(NamedTuple):
    """A bench, and the chat models behind it, one of which may be the verifier as well."""

    bench: Bench
    chats: Chats


def bench_of(opened: Opened, settings: ReviewSettings, progress: Progress | None) -> Benched:
    """Who reviews and rewrites the paper; nothing is sent yet.

    Raises UsageError or SettingsError for settings that do not fit together.
    """
    plan = settings.plan
    chats = roles_of(opened, settings.models, progress, rounds=plan.rounds)
    bench = Bench(
        roles=chats.roles,
        plan=plan,
        corpus=open_reviews(settings.reviews) if plan.imitate else None,
        verifier=chats.verifier,
        sentences=chats.sentences,
        asked=chats.asked,
        used_up=chats.used_up,
    )
    return Benched(bench, chats)
