"""A manuscript from a few files, the first of which is the main one."""

from reviser.manuscript.files import Memory
from reviser.manuscript.load import load
from reviser.manuscript.model import Manuscript


def manuscript_of(files: dict[str, str]) -> Manuscript:
    """The paper that the files make, read as any other is."""
    held = Memory({name: text.encode("utf-8") for name, text in files.items()})
    return load(held, main=next(iter(files)))
