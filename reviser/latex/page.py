"""A file on its way to prose: the block being written, and the texts that wait their turn."""

from bisect import bisect_left

from reviser.latex.elements import Citation
from reviser.latex.plain import Draft, Plain
from reviser.latex.scan import Argument
from reviser.latex.surroundings import Surroundings, events
from reviser.latex.tex import TexFile
from reviser.text.source import Source, Span

# An option this crowded with interruptions is no title of a theorem or subfigure.
_FEW = 8
_REACH = 2500


class Page:
    """What reading knows at one moment; regions of the file are read one after the other."""

    def __init__(self, tex: TexFile, source: Source) -> None:
        self.text = source.text
        self.scan = tex.scan
        self.dialect = tex.dialect
        self.events = events(tex)
        self.starts = [event.start for event in self.events]
        self.found: list[tuple[str, tuple[Plain, ...]]] = []
        """Kind and sentences of each block."""
        self.waiting: list[tuple[Span, str]] = []
        """Texts apart from the one around them, and what kind of block they make."""
        self.groups: dict[int, str] = {}
        """What the arguments of the paper's own commands are, by their brace: "" for no text."""
        self.owner = (-1, -1)
        """A brace that a command opens, and where that command starts."""
        self.draft = Draft(self.text)
        self.places = Surroundings("body")
        self.stop = tex.body.start

    def begin(self, region: Span, kind: str) -> None:
        """Turn to another region."""
        self.draft = Draft(self.text)
        self.places = Surroundings(kind)
        self.stop = region.stop

    def flush(self) -> None:
        """End the block being written."""
        if len(self.draft):
            sentences = self.draft.sentences()
            if sentences:
                self.found.append((self.places.kind, sentences))
        if len(self.draft) or self.draft.braces:
            self.draft = Draft(self.text)

    def brace(self, start: int) -> int:
        """A brace that dresses text, or a group that is kept apart: where reading goes on."""
        if self.text[start] == "}":
            self.draft.braces.append((start, -1, start + 1))
        elif start in self.groups:
            return self._group(start)
        else:
            owned, owner = self.owner
            self.draft.braces.append((start, 1, owner if owned == start else start))
        return start + 1

    def _group(self, start: int) -> int:
        kind = self.groups.pop(start)
        group = self.scan.group_at(start)
        if group is None or group.stop > self.stop:
            return start + 1
        if kind:
            self.waiting.append((Span(start + 1, group.stop - 1), kind))
        return group.stop

    def argument(self, offset: int, opening: str = "{") -> Argument | None:
        """The argument after `offset`, if it ends within the region."""
        if opening == "[" and self.text.find("]", offset, min(self.stop, offset + _REACH)) < 0:
            # Quickly said, so that a file full of unclosed brackets takes no longer than others.
            return None
        found = self.scan.argument(offset, opening)
        return found if found is not None and found.span.stop <= self.stop else None

    def after_option(self, stop: int) -> int:
        """Past the options that stand right at `stop`; what they cite is read apart."""
        while self.text.startswith("[", stop):
            option = self.argument(stop, "[")
            if option is None:
                break
            self._keep_cited(option.inner)
            stop = option.span.stop
        return stop

    def _keep_cited(self, option: Span) -> None:
        """An option is no text, unless it cites, as a theorem's name or a subfigure's does."""
        following = bisect_left(self.starts, option.start)
        for event in self.events[following : following + _FEW]:
            if event.start >= option.stop:
                break
            if isinstance(event.element, Citation):
                self.waiting.append((option, "caption"))
                break

    def after_arguments(self, stop: int, count: int) -> int:
        """Past the star and options, and past `count` arguments in braces, that follow `stop`."""
        stop += self.text.startswith("*", stop)
        stop = self.after_option(stop)
        for _ in range(count):
            argument = self.argument(stop)
            if argument is None:
                break
            stop = self.after_option(argument.span.stop)
        return stop
