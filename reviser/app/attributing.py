"""Read works of a paper's bibliography into attribute trees, and keep the trees."""

from collections.abc import Sequence
from dataclasses import dataclass

from reviser.app.chatting import helper_of
from reviser.app.consent import Kind
from reviser.app.gathering import evidence_of
from reviser.app.keeping import trees_of
from reviser.app.model_settings import ModelSettings
from reviser.app.opening import Opened
from reviser.app.own_attributes import attribute_templates
from reviser.app.settings import nearest
from reviser.app.ticking import progress
from reviser.asking import Unusable
from reviser.budget import Asked
from reviser.errors import NoConclusion, UsageError
from reviser.literature.attributes import Reading, Tree, extract
from reviser.literature.kept_trees import keep
from reviser.verify.evidence import works
from reviser.verify.readings import full_readings


@dataclass(frozen=True, slots=True)
class Attributed:
    """The works that were read with their trees, or why there is none, in the bibliography's order;
    `silent` are keys of works of which there is nothing to read. `asked` is what it took."""

    found: tuple[tuple[Reading, Tree | Unusable], ...]
    silent: tuple[str, ...]
    asked: Asked


def attribute(opened: Opened, models: ModelSettings, keys: Sequence[str]) -> Attributed:
    """The trees of the works with these keys, of all of them when there are none; they are kept.

    Raises UsageError for a key that is not in the bibliography, NoConclusion where there is nothing
    to read, and what asking the helper raises.
    """
    manuscript = opened.manuscript
    known = {entry.key.lower(): entry.key for entry in manuscript.entry_of.values()}
    for key in keys:
        if key.lower() not in known:
            close = nearest(key.lower(), list(known))
            hint = f"Did you mean {known[close]!r}?" if close else ""
            raise UsageError(f"the bibliography has no entry {key!r}", hint=hint)
    wanted = {key.lower() for key in keys} or set(known)
    templates = attribute_templates(models.templates)
    texts = evidence_of(opened, progress()).texts
    readings = [r for r in full_readings(works(manuscript, texts), texts)
                if r.work.lower() in wanted]  # fmt: skip
    there = {reading.work.lower() for reading in readings}
    silent = tuple(name for key, name in known.items() if key in wanted - there)
    if not readings:
        raise NoConclusion(
            "there is no abstract and no text of any of these works",
            hint="Give abstracts in the bibliography, or texts with --sources.",
        )
    helped = helper_of(opened, models, Kind.WORKS)
    trees = extract(readings, helped.helper, templates)
    cache = trees_of(opened)
    for reading, tree in zip(readings, trees, strict=True):
        if isinstance(tree, Tree):
            keep(cache, reading, tree)
    return Attributed(tuple(zip(readings, trees, strict=True)), silent, helped.asked())
