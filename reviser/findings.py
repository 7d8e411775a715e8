"""What is said about a paper: findings, severities, and fingerprints that outlive lines."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from reviser.text.source import Place


class Severity(StrEnum):
    """How much a finding matters; `--fail-on` compares these."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for an error, 1 for a warning, 2 for a note: smaller is worse."""
        return ("error", "warning", "note").index(self.value)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words that a finding rests on, and where they were read ("abstract of smith2020"); after a
    comma who gave that text, and its section."""

    text: str
    where: str

    @property
    def read(self) -> str:
        """What was read: `where` without who gave it. No citation key holds a comma."""
        return self.where.partition(",")[0]

    @property
    def origin(self) -> str:
        """Who gave the text, "" where nobody is named."""
        return self.where.partition(", ")[2].partition(", section ")[0]

    @property
    def key(self) -> str:
        """The citation key of the work, "" where it names none."""
        return self.read.rpartition(" of ")[2] if " of " in self.read else ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something the authors should know. `message` says what is wrong and what to do.

    `quote` are the words of the source it speaks of. `suppressed` is the author's reason when a
    suppression, a setting or the baseline silences it ("" as reason is not possible), else None.
    `measured` tells the figures that it rests on, as a clause for those who ask; "" for none.
    """

    rule: str
    place: Place
    quote: str
    message: str
    severity: Severity
    evidence: tuple[Evidence, ...] = ()
    fingerprint: str = ""
    suppressed: str | None = None
    measured: str = ""


def fingerprinted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings in order of place, each with its fingerprint.

    It is made of rule, path, the quoted words with spaces folded, and a running number among
    equals: neither a line number nor the message enters, so moved text keeps its fingerprint.
    """
    ordered = sorted(findings, key=lambda f: (f.place, f.rule, f.message, f.measured))
    seen: Counter[tuple[str, str, str]] = Counter()
    result = []
    for finding in ordered:
        words = re.sub(r"\s+", " ", finding.quote).strip()
        identity = (finding.rule, finding.place.path, words)
        seen[identity] += 1
        text = "\0".join([*identity, str(seen[identity])])
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        result.append(replace(finding, fingerprint=digest))
    return tuple(result)
