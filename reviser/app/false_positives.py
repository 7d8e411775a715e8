"""Keep a finding that its reader calls wrong, and judge the kept ones again."""

from collections.abc import Sequence
from pathlib import Path

from reviser.adapters.files import Folder, write_all
from reviser.app.judging import judges_of, options_of
from reviser.app.locking import locked_of
from reviser.app.opening import Opened
from reviser.app.own_folder import FOLDER, alone
from reviser.errors import UsageError
from reviser.evaluate.regressions import (
    FalsePositive,
    Figures,
    as_line,
    from_line,
    still_accused,
)
from reviser.findings import Finding
from reviser.pipeline.checking import Checked, Judges, check
from reviser.ports import Refused
from reviser.verify.entail import compared, fitted
from reviser.verify.evidence import works
from reviser.verify.model import Support

FILE = f"{FOLDER}/false-positives.jsonl"
SHORTEST = 4
"""Characters of a fingerprint that must be given."""


def report(opened: Opened, fingerprint: str, file: str | None) -> tuple[str, bool]:
    """Append the finding to `file`, or to `FILE` in the paper's folder.

    Returns the file's name and False when it was there already. Raises UsageError when there is
    no such finding, or more than one.
    """
    judges = judges_of(opened, locked=locked_of(opened))
    checked = check(opened.manuscript, options_of(opened, accepted=None), judges)
    finding = _chosen(checked.findings, fingerprint)
    line = as_line(_record(checked, finding, judges)) + "\n"
    if file is None:
        root = opened.project.root
        with alone(root):
            held = Folder(root).read(FILE)
            if isinstance(held, Refused):
                raise UsageError(f"{FILE} is not written to, because {held.why}")
            added = _appended(held or b"", finding.fingerprint, line, FILE)
            if added is not None:
                write_all(root, {FILE: added})
        return f"{opened.prefix}{FILE}", added is not None
    path = Path(file)
    if not path.parent.is_dir():
        raise UsageError(f"{file}: there is no folder {path.parent}")
    added = _appended(_bytes(path), finding.fingerprint, line, file)
    if added is not None:
        write_all(path.parent.resolve(), {path.name: added})
    return file, added is not None


def _appended(before: bytes, fingerprint: str, line: str, name: str) -> bytes | None:
    """The file with one more line; None where the finding is in it already."""
    if any(record.id == fingerprint for record in _parsed(before, name)):
        return None
    ended = before if not before or before.endswith(b"\n") else before + b"\n"
    return ended + line.encode("ascii")


def replay(file: str) -> tuple[list[str], int]:
    """One line of text for each kept finding of `file`, and how many are accused again."""
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}",
            hint="`reviser report-false-positive ID` writes it.",
        ) from error
    words = {True: "STILL ACCUSED", False: "no longer", None: "not replayed"}
    lines: list[str] = []
    again = 0
    for record in _parsed(data, file):
        answer = still_accused(record)
        again += answer is True
        about = record.claim or record.quote
        lines.append(f"{words[answer]:13}  {record.id}  {record.rule}  {record.key}  {about[:90]}")
        if answer is None:
            lines.append(" " * 15 + "it rests on no limit, so only a check of the paper can tell")
    lines.append(f"{again} of {len(lines)} kept findings would be accused again" if again else
                 "none of the kept findings would be accused again by today's limits")  # fmt: skip
    return lines, again


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def _parsed(data: bytes, name: str) -> list[FalsePositive]:
    records = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), start=1):
        if line.strip():
            try:
                records.append(from_line(line))
            except (ValueError, RecursionError) as error:
                raise UsageError(f"{name}:{number}: {error}") from error
    return records


def _chosen(findings: Sequence[Finding], fingerprint: str) -> Finding:
    wanted = fingerprint.strip().lower()
    found = [f for f in findings if f.fingerprint.startswith(wanted)]
    if len(wanted) < SHORTEST or not found:
        raise UsageError(
            f"there is no finding {fingerprint!r} in this paper",
            hint=f"Give {SHORTEST} or more characters of its fingerprint, as in "
            "`reviser check --format json`.",
        )
    if len(found) > 1:
        raise UsageError(f"{len(found)} findings begin with {fingerprint!r}: give more of it")
    return found[0]


def _record(checked: Checked, finding: Finding, judges: Judges) -> FalsePositive:
    support = _verdict(checked, finding)
    if support is None:
        return FalsePositive(
            finding.fingerprint,
            finding.rule,
            finding.message,
            finding.quote,
            evidence=finding.evidence,
        )
    claim = checked.claims[support.claim]
    return FalsePositive(
        id=finding.fingerprint,
        rule=finding.rule,
        message=finding.message,
        quote=finding.quote,
        key=support.key,
        claim=claim.text,
        exempt=claim.exempt,
        label=support.label.value,
        why=support.why,
        check=support.check,
        score=support.score,
        evidence=finding.evidence,
        figures=_figures(checked, support, judges),
    )


def _verdict(checked: Checked, finding: Finding) -> Support | None:
    """The verdict on the citation key at which the finding stands, if there is one."""
    for support in checked.supports:
        for number in checked.claims[support.claim].citations:
            for key in checked.manuscript.citations[number].keys:
                if key.at == finding.place and key.name == support.key:
                    return support
    return None


def _figures(checked: Checked, support: Support, judges: Judges) -> Figures | None:
    known = works(checked.manuscript, judges.sources)
    relevance = compared(checked.claims, known, judges.embedder)
    claim = checked.claims[support.claim]
    work = known.get(support.key.lower())
    far = relevance.afar(support.key)
    if work is None or far is None:
        return None
    read = fitted(support.claim, claim, work, relevance=relevance, embedder=judges.embedder)
    if read is None:
        return None
    fit, _ = read
    return Figures(
        closeness=fit.closeness,
        lag=fit.lag,
        strangeness=fit.strangeness,
        shared=fit.shared,
        usual=relevance.usual,
        reach=far[1],
        others=fit.others,
        claims=len(relevance.rows),
    )
