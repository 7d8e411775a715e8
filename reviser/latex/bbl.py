r"""Read bibliographies that are already typeset: thebibliography environments and biblatex .bbl."""

import re
from collections.abc import Iterator

from reviser.latex import bibtext
from reviser.latex.elements import BibEntry, Field
from reviser.text.source import Place, Source, Span

_COMMENT = re.compile(r"((?:^|[^\\])(?:\\\\)*)(%[^\r\n]*)", re.MULTILINE)
_BEGIN = re.compile(r"\\begin\s*\{(?:thebibliography|references|btSect|mcitethebibliography)\*?\}")
_END = re.compile(r"\\end\s*\{(?:thebibliography|references|btSect|mcitethebibliography)\*?\}")
_ITEM = re.compile(r"\\bibitem(?![A-Za-z@])\*?")
_ENTRY = re.compile(r"\\entry\{([^{}]+)\}\{([A-Za-z]+)\}")
_END_ENTRY = re.compile(r"\\endentry\b")
_BIBLATEX_FIELD = re.compile(r"\\(?:field|list)\{([a-z]+)\}(?:\{[^{}]*\})?\{")
_BIBLATEX_VERB = re.compile(r"\\verb\{(\w+)\}\s*\\verb\s([^\r\n]*)")
_BIBLATEX_NAMES = re.compile(r"\\name\{(author|editor)\}")
_FAMILY = re.compile(r"\bfamily=\{")
_GIVEN = re.compile(r"\bgiven=\{")
_SPACE = re.compile(r"\s*")
_BRACKET = re.compile(r"[\[\]{}]")
_BRACE = re.compile(r"[{}]")
_LABEL_YEAR = re.compile(r"[({]((?:1[5-9]|20)\d\d)[a-z]?[)}]")
_PAREN_YEAR = re.compile(r"\(((?:1[5-9]|20)\d\d)[a-z]?\)")
_TITLE_MARK = re.compile(r"\\(?:bibinfo|bibfield)\s*\{title\}\s*\{|\\showarticletitle\s*\{")
_NEW_BLOCK = re.compile(r"\\newblock(?![A-Za-z@])")
_QUOTED_TITLE = re.compile(r"``([^`']{8,400}),''")
_LONGEST_ARGUMENT = 5000


def read_bbl(source: Source) -> tuple[BibEntry, ...]:
    r"""The entries of every thebibliography environment and biblatex list in `source`.

    Those of a \bibitem have kind "bibitem", their text as field "note", and "year" and "title"
    where the style marks them beyond doubt; those of biblatex have their own kind and fields.
    Any text can be read, in linear time; where an argument is missing the item is passed over.
    """
    # Comments become blanks of the same length: REVTeX puts them between an item and its key.
    text = _COMMENT.sub(lambda m: m[1] + " " * len(m[2]), source.text)
    return (*_items(source, text), *_biblatex(source, text))


def _items(source: Source, text: str) -> Iterator[BibEntry]:
    position = 0
    while begin := _BEGIN.search(text, position):
        end = _END.search(text, begin.end())
        stop = position = end.start() if end else len(text)
        starts = [match.span() for match in _ITEM.finditer(text, begin.end(), stop)]
        for index, (start, after) in enumerate(starts):
            limit = starts[index + 1][0] if index + 1 < len(starts) else stop
            entry = _item(source, text, start, after, limit)
            if entry is not None:
                yield entry


def _item(source: Source, text: str, start: int, after: int, limit: int) -> BibEntry | None:
    position = _past_space(text, after)
    label = ""
    if text.startswith("[", position):
        close = _closing(text, position, limit)
        if close < 0:
            return None
        label = text[position + 1 : close]
        position = _past_space(text, close + 1)
    if not text.startswith("{", position):
        return None
    close = _closing(text, position, limit)
    if close < 0:
        return None
    inside = text[position + 1 : close]
    key = inside.strip()
    key_start = position + 1 + len(inside) - len(inside.lstrip())
    body_start = _past_space(text, close + 1)
    body = text[body_start:limit].rstrip() if body_start < limit else ""
    at = Place(source.path, Span(start, max(body_start, close + 1) if body else close + 1))
    if body:
        at = Place(source.path, Span(start, body_start + len(body)))
    fields = [_field(source, "note", body_start, body_start + len(body))] if body else []
    fields += _certain(source, text, label, (body_start, body_start + len(body)))
    key_at = Place(source.path, Span(key_start, key_start + len(key)))
    return BibEntry(key, "bibitem", tuple(fields), at, key_at)


def _certain(source: Source, text: str, label: str, body: tuple[int, int]) -> Iterator[Field]:
    """Title and year where the style leaves no doubt which words they are."""
    start, stop = body
    marked = _TITLE_MARK.search(text, start, stop)
    if marked:
        close = _closing(text, marked.end() - 1, stop)
        if close >= 0:
            yield _field(source, "title", marked.end(), close)
    else:
        blocks = list(_NEW_BLOCK.finditer(text, start, stop))
        quoted = list(_QUOTED_TITLE.finditer(text, start, stop))
        if len(blocks) >= 2:
            first, last = blocks[0].end(), blocks[1].start()
            words = text[first:last].strip()
            if len(words.split()) >= 2 and not words[0].isdigit():
                first = _past_space(text, first)
                yield _field(source, "title", first, first + len(words.removesuffix(".")))
        elif len(quoted) == 1:
            yield _field(source, "title", quoted[0].start(1), quoted[0].end(1))
    in_label = _LABEL_YEAR.search(label)
    years = {match[1] for match in _PAREN_YEAR.finditer(text, start, stop)}
    year = in_label[1] if in_label else years.pop() if len(years) == 1 else ""
    if year:
        where = text.find(year, start, stop)
        if where >= 0:
            yield _field(source, "year", where, where + len(year))


def _biblatex(source: Source, text: str) -> Iterator[BibEntry]:
    seen: set[str] = set()  # each sorting scheme lists every entry again
    position = 0
    while match := _ENTRY.search(text, position):
        end = _END_ENTRY.search(text, match.end())
        stop = end.start() if end else len(text)
        position = end.end() if end else len(text)
        key = match[1].strip()
        if key in seen:
            continue
        seen.add(key)
        at = Place(source.path, Span(match.start(), len(text[:stop].rstrip()) if not end else stop))
        key_start = match.start(1) + match[1].index(key)
        key_at = Place(source.path, Span(key_start, key_start + len(key)))
        fields = tuple(_biblatex_fields(source, text, match.end(), stop))
        yield BibEntry(key, match[2].lower(), fields, at, key_at)


def _biblatex_fields(source: Source, text: str, start: int, stop: int) -> Iterator[Field]:
    lists = list(_BIBLATEX_NAMES.finditer(text, start, stop))
    values = list(_BIBLATEX_FIELD.finditer(text, start, stop))
    first_value = values[0].start() if values else stop
    for index, names in enumerate(lists):
        following = lists[index + 1].start() if index + 1 < len(lists) else stop
        # Names stand before all values; a value between two of them ends the first all the same.
        limit = min(following, first_value) if first_value > names.end() else following
        people = [
            ", ".join(filter(None, (family, given)))
            for family, given in _people(text, names.end(), limit)
        ]
        raw = Span(names.start(), names.start() + len(text[names.start() : limit].rstrip()))
        yield Field(names[1], source[raw], " and ".join(people), Place(source.path, raw))
    for match in values:
        close = _closing(text, match.end() - 1, stop)
        if close >= 0:
            yield _field(source, match[1], match.end(), close)
    for match in _BIBLATEX_VERB.finditer(text, start, stop):
        span = Span(match.start(2), match.end(2))
        said = bibtext.verbatim(source[span])
        yield Field(match[1], source[span], said, Place(source.path, span))


def _people(text: str, start: int, stop: int) -> Iterator[tuple[str, str]]:
    families = list(_FAMILY.finditer(text, start, stop))
    for index, family in enumerate(families):
        limit = families[index + 1].start() if index + 1 < len(families) else stop
        given = _GIVEN.search(text, family.end(), limit)
        yield (
            _argument(text, family.end() - 1, limit),
            (_argument(text, given.end() - 1, limit) if given else ""),
        )


def _argument(text: str, opener: int, limit: int) -> str:
    close = _closing(text, opener, limit)
    return (
        bibtext.plain(text[opener + 1 : close].replace("\\bibnamedelima", " "))
        if close >= 0
        else ""
    )


def _field(source: Source, name: str, start: int, stop: int) -> Field:
    raw = source[Span(start, stop)]
    clean = _COMMENT.sub(lambda m: m[1], raw)
    return Field(name, raw, bibtext.plain(clean), Place(source.path, Span(start, stop)))


def _past_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _closing(text: str, opener: int, limit: int) -> int:
    """The delimiter that closes the brace or bracket at `opener`, or -1; brackets inside braces
    do not count, and an argument is not longer than a few thousand characters."""
    bracket = text[opener] == "["
    depth = 0
    nested = 0
    for match in (_BRACKET if bracket else _BRACE).finditer(
        text, opener, min(limit, opener + _LONGEST_ARGUMENT)
    ):
        mark = match[0]
        if mark in "{}":
            depth += 1 if mark == "{" else -1
            if not bracket and depth == 0:
                return match.start()
        elif depth == 0:
            nested += 1 if mark == "[" else -1
            if nested == 0:
                return match.start()
    return -1
