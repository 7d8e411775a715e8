"""What a writer works with: the models, the evidence at hand, and how a changed paper is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reviser.draft.hub import MOST
from reviser.literature.sources import Searchable, Text
from reviser.ports import Embedder
from reviser.revise.evidence import Known
from reviser.revise.gate import Reread
from reviser.roles import Role


@dataclass(frozen=True)
class Desk:
    """`sources` are texts of cited works by key in lower case, beside the abstracts in the
    bibliography. `known` is what verify says of the paper, which rewriting a claim needs. `whole`
    offers the whole bibliography to new sentences and not the works of their section alone.
    `beyond` are the places where content actions look for works that the bibliography does not
    have. `most` is the t_max of the hub cycle."""

    writer: Role
    helper: Role
    embedder: Embedder
    reread: Reread
    sources: Mapping[str, Text] = field(default_factory=dict)
    known: Known | None = None
    whole: bool = False
    beyond: tuple[Searchable, ...] = ()
    most: int = MOST
