"""The works of a bibliography as they are read for notes: title, abstract, and full text."""

import re
from collections.abc import Mapping

from reviser.literature.attributes import Reading
from reviser.literature.sources import Text
from reviser.text.visible import visible
from reviser.verify.evidence import ABSTRACT, ANNOTE, Work

FULL = "full text"
_REFERENCES = re.compile(
    r"\W*(?:\d+\W*)?(?:references?|bibliography|(?:literature|works) cited|acknowledge?ments?)\W*",
    re.IGNORECASE,
)


def abstract_readings(works: Mapping[str, Work]) -> tuple[Reading, ...]:
    """Title and abstract of each work that has a title, in the order of `works`; the text is ""
    where there is no abstract."""
    return tuple(
        Reading(work.key, work.title, _abstract(work), ABSTRACT)
        for work in works.values()
        if work.title
    )


def full_readings(works: Mapping[str, Work], texts: Mapping[str, Text]) -> tuple[Reading, ...]:
    """Each work that has an abstract or a full text, with all that is at hand of it. `texts` are
    by key in lower case; lists of references and thanks are left out."""
    found: list[Reading] = []
    for key, work in works.items():
        abstract = _abstract(work)
        sections = texts[key].sections if key in texts else ()
        body = [
            "\n\n".join(part for part in (visible(section.title), section.text) if part)
            for section in sections
            if section.text.strip() and not _REFERENCES.fullmatch(section.title)
        ]
        if abstract or body:
            where = FULL if body else ABSTRACT
            text = "\n\n".join(filter(None, (abstract, *body)))
            found.append(Reading(work.key, work.title, text, where))
    return tuple(found)


def _abstract(work: Work) -> str:
    """Its sentences, or where there is no abstract those of the note on it."""
    for where in (ABSTRACT, ANNOTE):
        said = " ".join(passage.text for passage in work.passages if passage.where == where)
        if said:
            return said
    return ""
