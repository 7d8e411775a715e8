"""Where the lines that were asked about stand after a revision."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reviser.pipeline.checking import Lines, Options
from reviser.revise.verdict import Revision
from reviser.text.diff import Hunk, hunks


def with_moved_lines(options: Options, revision: Revision) -> Options:
    """The options for the text after the revision."""
    changed = None if options.changed is None else moved(options.changed, revision)
    asked = None if options.asked is None else moved(options.asked, revision)
    return replace(options, changed=changed, asked=asked)


def moved(changed: Mapping[str, Lines], revision: Revision) -> Mapping[str, Lines]:
    """Where the lines asked about stand after the revision."""
    result = dict(changed)
    for path, after in revision.after.items():
        if path in changed:
            steps = hunks(revision.before[path].text, after.text, context=0)
            result[path] = tuple(
                (_moved(first, steps, end=False), _moved(last, steps, end=True))
                for first, last in changed[path]
            )
    return result


def _moved(line: int, steps: Sequence[Hunk], *, end: bool) -> int:
    shift = 0
    for step in steps:
        old = step.old_start + (step.old_count == 0)
        new = step.new_start + (step.new_count == 0)
        if line < old:
            break
        if line < old + step.old_count:
            # Inside a changed stretch no line has a fellow, so the whole of it counts.
            return max(1, new + step.new_count - 1) if end else new
        shift = new + step.new_count - old - step.old_count
    return line + shift
