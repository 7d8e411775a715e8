"""All that the summary has to tell, once the comments are (or could not be) posted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reviser.deliver.ledger import Ledger
from reviser.deliver.plan import Plan
from reviser.deliver.suggestion import Elsewhere
from reviser.text.source import Source

Mode = Literal["suggest", "follow-up-pr", "commit", "patch"]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What may be posted: the operator's word. `inline` is how many new comments a run may put
    into the diff; `check_run` asks for a check run with annotations besides."""

    mode: Mode = "suggest"
    inline: int = 5
    check_run: bool = False


@dataclass(frozen=True)
class Story:
    """What was decided and done. `sources` are the files at the head, by path from the project's
    root. `server` is the forge's address for people ("https://github.com"); `run_url` the
    workflow run that holds the patch and the reports, "" where there is none.

    `elsewhere` are accepted edits that are not suggestions; `follow_up` the address of the pull
    request that carries them, `commit` the hash of the commit that made them, "" where neither
    was made. `undelivered` are sentences on what GitHub did not take and where it is instead.
    """

    plan: Plan
    sources: Mapping[str, Source]
    ledger: Ledger
    wishes: Wishes
    server: str
    run_url: str = ""
    elsewhere: tuple[Elsewhere, ...] = ()
    follow_up: str = ""
    commit: str = ""
    undelivered: tuple[str, ...] = field(default=())
