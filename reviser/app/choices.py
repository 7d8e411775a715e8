"""The words that settings know, apart from their reading so that `reviser --help` loads little."""

BASELINE_FILE = "reviser-baseline.json"
FAIL_ON = ("error", "warning", "note", "never")
CLAIMS = ("group", "sentence")
REPAIR = ("default", "unsupported", "off")
