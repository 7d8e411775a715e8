"""Write Markdown for GitHub out of any text, so that it shows as it is and does nothing.

Text of a paper, of its bibliography and of models is hostile here: it must not mention people,
point at issues, make links, headings, math or HTML, or end the table cell or fence it stands in.
"""

import re
from collections.abc import Iterable, Sequence

from reviser.text.diff import Change, Part, words
from reviser.text.printable import printable, printable_line

LONG_LINE = 160
"""Characters from which on a changed line is hard to read as a whole."""
_AROUND = 40  # characters kept on either side of a change in a long line
_MOST_LINE = 1_000  # characters of a line in a block that only shows it

# Mentions and references reach people and other issues: a zero-width space breaks them for good.
# What would only become a link or a picture is parted by an empty element, which is not copied
# into a paper along with a label or a DOI. Printable text holds neither of the two signs.
_SPACE, _PART = "\x00", "\x01"
_BREAKS = (
    (re.compile(r"(?<=[@#])"), _SPACE),
    (re.compile(r"(?i)(gh)(?=-)"), rf"\1{_SPACE}"),
    (re.compile(r"(?<=:)(?=/|[\w+-]+:)"), _PART),
    (re.compile(r"(?i)(www|ghsa|cve)(?=[.-])"), rf"\1{_PART}"),
    (re.compile(r"(?i)[0-9a-f]{7,}"), lambda m: _PART.join(re.findall(".{1,6}", m[0]))),
)
_ENTITIES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "|": "&#124;",
    # GitHub reads dollars as math; it takes one in an element of its own for a plain one.
    "$": "<span>$</span>",
    _SPACE: "&#8203;",
    _PART: "<span></span>",
}
_SPECIAL = re.compile(r"[&<>|$\x00\x01\\`*_~\[\]!^]")
_LEADING = re.compile(r"^(\s*)(?:([-+=#])|(\d{1,9})(?=[.)]))")
_SAFE_IN_ADDRESS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.\[\]:_-]+(?:/[A-Za-z0-9._~/-]*)?")

_LINK = re.compile(r"https?://[!-;=?-\[\]-~]+")


def inline(text: str) -> str:
    """Text for a sentence, a list item or a table's cell: one line, spaces folded."""
    return escaped(printable(text))


def escaped(line: str) -> str:
    """Like `inline`, with the line's own spaces; line ends show as signs."""
    text = printable_line(line)
    for pattern, put in _BREAKS:
        text = pattern.sub(put, text)
    text = _SPECIAL.sub(lambda m: _ENTITIES.get(m[0], f"\\{m[0]}"), text)
    return _LEADING.sub(lambda m: f"{m[1]}\\{m[2]}" if m[2] else f"{m[0]}\\", text, count=1)


def code(text: str) -> str:
    """Text as a code span, spaces folded; it may stand in a table's cell."""
    shown = printable(text)
    if not shown:
        return "` `"
    if "|" in shown:
        # A cell ends at a bar even inside a code span, so every sign is written by its number;
        # addresses of mail are looked for afterwards all the same, but not across an element.
        body = "".join(c if c.isalnum() or c == " " else f"&#{ord(c)};" for c in shown)
        body = body.replace("&#64;", "<span>@</span>")
        return f"<code>{body}</code>"
    ticks = "`" * (_longest_run(shown) + 1)
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def fence(lines: Iterable[str], info: str) -> str:
    """A fenced block of exactly these lines (none of which may hold a line end), no line end last.

    `info` is ours: "suggestion", "diff".
    """
    body = list(lines)
    ticks = "`" * max(3, max(map(_longest_run, body), default=0) + 1)
    return "\n".join([f"{ticks}{info}", *body, ticks])


def shown_lines(parts: Iterable[Part]) -> list[str]:
    """Lines of a difference with their marks, made fit to be looked at: long ones are cut."""
    return [f"{part.change}{clip(printable_line(part.text), _MOST_LINE)}" for part in parts]


def word_diff(old: Sequence[str], new: Sequence[str]) -> str:
    """The changed words of some lines with a little around them: lost ones struck, new ones bold.

    Line by line where there are as many of each, else all of them as one.
    """
    if len(old) == len(new):
        pairs = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
    else:
        pairs = [("\n".join(old), "\n".join(new))]
    return "\n>\n".join(f"> {_changed_words(before, after)}" for before, after in pairs)


def _changed_words(before: str, after: str) -> str:
    parts = words(before.replace("\n", " "), after.replace("\n", " "))
    pieces = []
    for number, part in enumerate(parts):
        match part.change:
            case Change.SAME:
                keep_start, keep_end = number > 0, number < len(parts) - 1
                pieces.append(escaped(_around(part.text, start=keep_start, end=keep_end)))
            case Change.LOST:
                pieces.append(f"<del>{escaped(clip(part.text, _MOST_LINE))}</del>")
            case Change.GAINED:
                pieces.append(f"<strong>{escaped(clip(part.text, _MOST_LINE))}</strong>")
    return "".join(pieces).strip()


def _around(text: str, *, start: bool, end: bool) -> str:
    """What stands next to a change at the start or the end of `text`, with a sign for the rest."""
    if len(text) <= _AROUND * (start + end) + 3:
        return text
    # A word cut in two would look like a change of its own.
    head = text[:_AROUND].rpartition(" ")[0] or text[:_AROUND] if start else ""
    tail = text[-_AROUND:].partition(" ")[2] or text[-_AROUND:] if end else ""
    return f"{head} … {tail}" if start and end else f"{head} …" if start else f"… {tail}"


def clip(text: str, most: int) -> str:
    """At most `most` characters (at least 1), the last of them an ellipsis where it was cut."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def address(server: str, *parts: str) -> str:
    """The address of something on the forge, each part percent-encoded; "" when `server` is none
    that a browser goes to."""
    base = server.rstrip("/")
    if not _ADDRESS.fullmatch(base):
        return ""
    return "/".join([base, *(_encoded(part.strip("/")) for part in parts)])


def permalink(
    server: str, repository: str, commit: str, path: str, lines: tuple[int, int] | None = None
) -> str:
    """The address of a file as of a commit, at some lines of it; "" like `address`."""
    found = address(server, repository, "blob", commit, path)
    if not found or lines is None:
        return found
    first, last = lines
    # Without this GitHub shows a rendered file, which has no lines.
    plain = "?plain=1" if path.endswith((".md", ".rst")) else ""
    return f"{found}{plain}#L{first}" + (f"-L{last}" if last > first else "")


def link(label: str, to: str) -> str:
    """A link with Markdown of ours as label; the label alone where there is no address."""
    # Markdown reads character references in addresses too.
    return f"[{label}](<{to.replace('&', '&amp;')}>)" if _LINK.fullmatch(to) else label


def _encoded(part: str) -> str:
    try:
        data = part.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = part.encode("utf-8", "replace")
    return "".join(chr(byte) if byte in _SAFE_IN_ADDRESS else f"%{byte:02X}" for byte in data)


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
