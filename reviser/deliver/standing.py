"""What of ours stands on a pull request: found by who wrote it, then by the hidden marks."""

import re
from dataclasses import replace

from reviser.deliver.forge import PullRequest, Remark
from reviser.deliver.ledger import Ledger, Status, put
from reviser.deliver.marker import last_mark
from reviser.deliver.opinions import END_OF_SPENT, SPENT
from reviser.deliver.state import encode
from reviser.deliver.summary import LIMIT

_STATE, _END = "<!-- reviser:state ", " -->"
_PAID = re.compile(f"{re.escape(SPENT)}.*?{re.escape(END_OF_SPENT)}")
_RUN = re.compile(r"/actions/runs/\d+(?:/attempts/\d+)?")


def summaries(pull: PullRequest, paper: str | None) -> tuple[Remark, ...]:
    """Our summary comments for `paper` (None: for any), oldest first; more than one for a paper
    only where two runs raced."""
    found = [remark for remark in pull.remarks if remark.ours and _sums_up(remark.body, paper)]
    return tuple(sorted(found, key=lambda remark: remark.id))


def answered(pull: PullRequest, comment: int) -> bool:
    """Whether we answered that comment already."""
    ours = (last_mark(remark.body) for remark in pull.remarks if remark.ours)
    return any(m is not None and m.kind == "answer" and m.data.get("to") == comment for m in ours)


def _sums_up(body: str, paper: str | None) -> bool:
    mark = last_mark(body)
    if mark is None or mark.kind != "summary":
        return False
    return paper is None or mark.data.get("paper", "") == paper


def restated(body: str, ledger: Ledger, news: str) -> str:
    """The text of a summary comment with another ledger in it, and below its heading one line of
    Markdown on what is new, until the next run writes the whole anew. Where there is no room for
    the line, it is left out."""
    above, _, below = body.rpartition(_STATE)
    rest = f"{encode(ledger)}{below.partition(_END)[2]}"
    above = above or body
    heading, gap, text = above.partition("\n\n")
    line = f"> Since this was written: {news}"
    told = f"{heading}\n\n{line}{gap}{text}{rest}"
    return f"{above}{rest}" if line in above or len(told) > LIMIT else told


def merged(mine: Ledger, theirs: Ledger) -> Ledger:
    """My ledger with what another run, or a command, wrote meanwhile: its dismissals, and the
    points that I know nothing of."""
    result = mine
    for point in theirs.points:
        known = result.by_name.get(point.id)
        if known is None:
            result = put(result, point)
        elif point.status is Status.DISMISSED and known.status is not Status.DISMISSED:
            result = put(
                result, replace(known, status=Status.DISMISSED, who=point.who, why=point.why)
            )
    return result


def same_text(one: str, other: str) -> bool:
    """Whether two texts say the same; which workflow run they point to makes no difference, for
    the files of an earlier run on the same commit are the same, nor does what each run paid."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return _RUN.sub("/actions/runs/", _PAID.sub("", text.replace("\r\n", "\n"))).strip()
