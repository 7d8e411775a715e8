"""Pick the examples of events that the fake's payloads are held to.

    python tests/contract/spec/pick_events.py .../webhooks-examples/api.github.com/index.json

Writes one file for each into `webhooks/` beside this script: the example with `installation` and
`organization` left out, which a workflow's event lacks or may lack.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Example = dict[str, Any]
WANTED: dict[str, tuple[str, Callable[[Example], bool]]] = {
    "pull_request.opened": ("pull_request", lambda e: e["action"] == "opened"),
    "pull_request.synchronize": ("pull_request", lambda e: e["action"] == "synchronize"),
    "pull_request.closed": ("pull_request", lambda e: e["action"] == "closed"),
    "issue_comment.created": ("issue_comment", lambda e: e["action"] == "created"),
    "push": ("push", lambda e: bool(e["commits"])),
    "workflow_run.completed": (
        "workflow_run",
        lambda e: e["action"] == "completed" and bool(e["workflow_run"].get("path")),
    ),
    "workflow_dispatch": ("workflow_dispatch", lambda _: True),
}
LEFT_OUT = {"installation", "organization"}


def main() -> None:
    events = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    examples = {event["name"]: event["examples"] for event in events}
    folder = Path(__file__).with_name("webhooks")
    folder.mkdir(exist_ok=True)
    for name, (event, fits) in WANTED.items():
        found = next((e for e in examples[event] if fits(e)), examples[event][0])
        kept = {key: value for key, value in found.items() if key not in LEFT_OUT}
        text = json.dumps(kept, indent=1)
        (folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
