"""How long a server asks to be left alone, and how long the waits between tries are."""

import math
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

FIRST, CAP = 0.5, 16.0
"""Seconds: the wait after the first failure, doubled after each further one up to the cap."""

_WORDS = re.compile(r"try again in (?:(\d{1,4}) minutes?(?: and )?)? ?(?:(\d{1,4}) seconds?)?")


def backoff(failures: int) -> float:
    """Seconds to wait after so many failures in a row (at least one)."""
    return float(min(CAP, FIRST * 2 ** min(failures - 1, 10)))


def asked_for(headers: Mapping[str, str], now: float, words: str = "") -> float | None:
    """The seconds a server wants us to wait: in Retry-After, as a number or a date, else in the
    `words` of its answer ("try again in 2 minutes"); None where it does not say. `now` are the
    seconds since the epoch, against which a date is read (RFC 9110, section 10.2.3)."""
    value = headers.get("retry-after", "").strip()
    if value:
        try:
            seconds = float(value)
        except ValueError:
            try:
                seconds = parsedate_to_datetime(value).timestamp() - now
            except (ValueError, TypeError, OverflowError):
                seconds = math.nan
        if math.isfinite(seconds):
            return max(0.0, seconds)
    found = _WORDS.search(words)
    if found and (found[1] or found[2]):
        return 60.0 * int(found[1] or 0) + int(found[2] or 0)
    return None
