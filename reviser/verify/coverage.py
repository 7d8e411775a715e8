"""How many citations were checked, and why the others were not."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many citations (a key in a claim) were checked, and why the others were not.

    `nli` names the verifier, None when there was none: then only the topic was checked.
    """

    total: int
    checked: int
    not_checked: tuple[tuple[str, int], ...] = ()
    nli: str | None = None

    @property
    def sentence(self) -> str:
        """The conclusion, without a capital or a full stop."""
        if not self.total:
            return "there are no citations to check"
        said = f"checked {self.checked} of {self.total} citations"
        if self.not_checked:
            reasons = "; ".join(f"{why} ({count})" for why, count in self.not_checked)
            said += f"; {self.total - self.checked} not checked because: {reasons}"
        return said
