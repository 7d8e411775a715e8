"""The compile layer: what a TeX engine complains of, before and after.

Half of all papers that people write do not build cleanly (TOOLING), so nothing is asked but that no
complaint comes up, or comes up more often, that was not there before.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable
from threading import Lock

from reviser.manuscript.model import Manuscript
from reviser.ports import Typeset, Typesetter

_KEPT = 32
"""Papers whose complaints are remembered: those before and after of a batch and its halves."""


def compiled(typesetter: Typesetter) -> Callable[[Manuscript], Typeset]:
    """What `typesetter` complains of in a paper, asked once for each text; safe to share between
    threads. Files that cannot be written in their encoding make it say why it did not run."""
    known: OrderedDict[tuple[tuple[str, str], ...], Typeset] = OrderedDict()
    lock = Lock()

    def ask(manuscript: Manuscript) -> Typeset:
        texts = tuple(sorted((path, s.text) for path, s in manuscript.sources.items()))
        with lock:
            if texts in known:
                known.move_to_end(texts)
                return known[texts]
            try:
                files = {path: s.encode() for path, s in manuscript.sources.items()}
            except UnicodeEncodeError as error:
                return Typeset((), f"a character cannot be written in {error.encoding}")
            found = typesetter.typeset(files)
            known[texts] = found
            if len(known) > _KEPT:
                known.popitem(last=False)
            return found

    return ask


def differs(before: Typeset, after: Typeset) -> tuple[str, ...]:
    """The complaints that come up more often after than before, each once, in their order."""
    more = Counter(after.faults) - Counter(before.faults)
    return tuple(fault for fault in dict.fromkeys(after.faults) if fault in more)
