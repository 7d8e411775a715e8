"""How the lockfile stands to the paper, for people and as JSON."""

import json
from collections.abc import Sequence

from reviser.app.choices import LOCK_FILE
from reviser.app.locking import LockState, damage_told
from reviser.app.page import Page, Piece, Style
from reviser.manuscript.model import Manuscript
from reviser.pipeline.locking import Pair
from reviser.text.printable import many, printable, shortened

SCHEMA = "reviser.lock/1"
_SHOWN = 10
_WIDTH = 60


def lock_page(page: Page, state: LockState, manuscript: Manuscript, *, prefix: str = "") -> None:
    """What holds, and what does not."""
    now = state.standing
    held = many(len(now.held), "verdict")
    if not state.exists and not now.held:
        head = f"There is no {LOCK_FILE}"
    elif state.good:
        head = f"{LOCK_FILE} is up to date: {held} from it"
    else:
        head = f"{LOCK_FILE} is not up to date: {held} from it"
    page.heading(head)
    _pairs(
        page, "stale (the claim, the text or the check has changed)", now.stale, manuscript, prefix
    )
    _pairs(page, "missing (not judged yet)", now.missing, manuscript, prefix)
    if now.textless:
        page.add(f"{many(len(now.textless), 'citation')} of works without text", indent=2)
    if now.orphans:
        said = f"{many(len(now.orphans), 'line')} that nothing here uses: reviser lock --prune"
        page.add(said, indent=2, hang=4)
    for damage in state.damage:
        page.add(Piece(damage_told(damage), Style.WARNING), indent=2, hang=4)
    if not state.good:
        page.heading("Next")
        page.add("reviser lock --update judges what is new; --lookup all fetches texts.", indent=2)


def _pairs(
    page: Page, what: str, pairs: Sequence[Pair], manuscript: Manuscript, prefix: str
) -> None:
    if not pairs:
        return
    page.add(f"{many(len(pairs), 'citation')} {what}:", indent=2)
    for pair in pairs[:_SHOWN]:
        path = pair.claim.at.path
        line, _ = manuscript.lines(pair.claim.at)
        words = printable(shortened(pair.claim.text, _WIDTH))
        where = printable(f"{prefix}{path}")
        page.add(f"{where}:{line} {printable(pair.key)}: {words}", indent=4, hang=6)
    if len(pairs) > _SHOWN:
        page.add(f"and {len(pairs) - _SHOWN} more", indent=4)


def lock_data(state: LockState, manuscript: Manuscript) -> str:
    """The same as JSON, in ASCII."""
    now = state.standing

    def rows(pairs: Sequence[Pair]) -> list[dict[str, object]]:
        return [
            {
                "path": pair.claim.at.path,
                "line": manuscript.lines(pair.claim.at)[0],
                "key": pair.key,
                "claim": pair.claim.text,
            }
            for pair in pairs
        ]

    data = {
        "schema": SCHEMA,
        "up_to_date": state.good,
        "held": len(now.held),
        "stale": rows(now.stale),
        "missing": rows(now.missing),
        "textless": len(now.textless),
        "orphans": len(now.orphans),
        "damage": [{"line": one.line, "why": one.why} for one in state.damage],
    }
    return json.dumps(data, indent=2, ensure_ascii=True) + "\n"
