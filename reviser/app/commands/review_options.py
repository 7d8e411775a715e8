"""The options that say whose reviews a review imitates."""

from collections.abc import Callable

from reviser.app.commands.options import option, together

Function = Callable[..., object]

reviews_option = option(
    "--reviews",
    metavar="FILE",
    help="Public reviews of other papers (see 'reviser reviews'), instead of those in your data "
    "folder.",
)
imitate_option = option(
    "--imitate/--no-imitate",
    variable="REVISER_IMITATE",
    default=True,
    help="Look at what reviewers of like papers look at (default), or go without criteria.",
)


def review_options(function: Function) -> Function:
    """--reviews and --imitate; the corpus is `reviser.app.reviews.open_reviews(reviews)`."""
    return together(reviews_option, imitate_option)(function)
