"""The button "Commit suggestion": what a comment's suggestion block does to the file."""

import html
import re
from collections.abc import Sequence

import cmarkgfm

from tests.fakes.github.model import Refused, ReviewComment
from tests.fakes.github.store import Content, Store, lines_of

_BLOCK = re.compile(r'<pre lang="suggestion"><code>(.*?)</code></pre>', re.DOTALL)


def suggested(body: str) -> str | None:
    """The text of the first suggestion block, "" for one that deletes, None without a block.

    GitHub's own Markdown parser finds it, so fences of any length and blocks hidden in HTML
    comments are taken as GitHub takes them.
    """
    found = _BLOCK.search(cmarkgfm.github_flavored_markdown_to_html(body))
    return None if found is None else html.unescape(found[1])


def applied(store: Store, head: str, comments: Sequence[ReviewComment]) -> dict[str, Content]:
    """The files that a batch of suggestions changes. Raises Refused if they overlap or there is
    nothing to apply.

    Exactly the lines of each comment are replaced. New lines get the line end of the line that
    they replace; a last line without a line end stays without one.
    """
    by_path: dict[str, list[ReviewComment]] = {}
    for comment in comments:
        by_path.setdefault(comment.path, []).append(comment)
    changes: dict[str, Content] = {}
    for path, group in by_path.items():
        data = store.blob(head, path)
        if data is None:
            raise Refused(422, f"{path} is gone")
        lines = list(lines_of(data))
        above = len(lines) + 1
        for comment in sorted(group, key=lambda c: -(c.line or 0)):
            last = comment.line or 0
            first = comment.start_line or last
            if comment.side != "RIGHT" or not 1 <= first <= last < above:
                raise Refused(422, "Suggestions overlap or do not apply.")
            above = first
            text = suggested(comment.body)
            if text is None:
                raise Refused(422, f"comment {comment.id} holds no suggestion")
            lines[first - 1 : last] = _replacement(text, lines[last - 1])
        changes[path] = b"".join(lines)
        if changes[path] == data:
            raise Refused(422, "The suggestion changes nothing.")
    return changes


def _replacement(text: str, last: bytes) -> list[bytes]:
    end = re.search(rb"\r?\n?\Z", last)
    stop = b"" if end is None else end[0]
    between = stop or b"\n"
    new = [line.rstrip(b"\r\n") for line in lines_of(text.encode())]
    result = [line + between for line in new]
    if result:
        result[-1] = new[-1] + stop
    return result
