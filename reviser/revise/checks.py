"""The hard checks that every edit must pass, whatever its purpose; each says why it refuses.

A check is a function from a `Change` to a reason or None, and a line in CHECKS. It sees the whole
paper freshly read before and after the edit, and no score.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from reviser.revise import (
    additions,
    atom_checks,
    block_checks,
    entry_checks,
    reading_checks,
    text_checks,
)
from reviser.revise.change import Change

Check: TypeAlias = Callable[[Change], str | None]

#: These say whether the edit can be looked at at all; if one refuses, no other is asked.
GROUND: tuple[Check, ...] = (
    text_checks.touches_only_files_of_the_paper,
    text_checks.changes_nothing_elsewhere,
)

CHECKS: tuple[Check, ...] = (
    text_checks.keeps_line_ends,
    text_checks.keeps_its_size,
    text_checks.brings_no_file_access_or_shell,
    text_checks.brings_no_unknown_command,
    text_checks.brings_no_special_character,
    atom_checks.makes_every_announced_change,
    atom_checks.keeps_citations,
    atom_checks.keeps_citations_at_their_words,
    atom_checks.keeps_labels_and_references,
    atom_checks.keeps_math,
    atom_checks.keeps_numbers,
    atom_checks.keeps_negations,
    atom_checks.keeps_modality,
    atom_checks.keeps_directions,
    atom_checks.keeps_quantifiers,
    atom_checks.keeps_quotations,
    atom_checks.keeps_verbatim_text,
    atom_checks.keeps_definitions,
    atom_checks.keeps_floats_and_footnotes,
    atom_checks.keeps_commands,
    atom_checks.keeps_entries,
    atom_checks.keeps_words,
    atom_checks.announces_what_its_purpose_permits,
    entry_checks.brings_whole_entries_only,
    entry_checks.brings_plain_entries_only,
    additions.adds_whole_sentences_only,
    block_checks.puts_blocks_in_whole,
    block_checks.puts_blocks_at_a_border,
    block_checks.names_blocks_by_words_at_hand,
    block_checks.fills_cells_from_quotes,
    atom_checks.stays_in_its_key_list,
    atom_checks.stays_in_prose,
    atom_checks.is_in_a_language_it_can_judge,
    reading_checks.touches_no_unread_text,
    reading_checks.leaves_groups_balanced,
    reading_checks.leaves_nothing_unread,
    reading_checks.leaves_other_files_alike,
    reading_checks.leaves_references_defined,
    reading_checks.leaves_every_key_defined,
    reading_checks.leaves_bibliography_readable,
    reading_checks.is_read_alike_by_texsoup,
)


class Refusal(NamedTuple):
    """The name of a check, and why it refuses."""

    check: str
    reason: str

    def __str__(self) -> str:
        return f"{self.check}: {self.reason}"


def refusals(
    change: Change, checks: Sequence[Check] = CHECKS, ground: Sequence[Check] = GROUND
) -> tuple[Refusal, ...]:
    """Every check that refuses the change, in order; empty when all accept it."""
    found = _asked(change, ground)
    return found or _asked(change, checks)


def _asked(change: Change, checks: Sequence[Check]) -> tuple[Refusal, ...]:
    answers = ((check.__name__, check(change)) for check in checks)
    return tuple(Refusal(name, reason) for name, reason in answers if reason is not None)
