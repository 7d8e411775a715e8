"""Which colours of a paper are white, or so near to it that nobody sees them on paper."""

import re
from collections.abc import Iterable

_DEFINITION = re.compile(
    r"\\(?:define|provide)color\s{0,3}(?:\[[^\]\[]{0,30}\]\s{0,3})?\{([^{}]{1,60})\}\s{0,3}"
    r"\{([^{}]{1,30})\}\s{0,3}\{([^{}]{1,60})\}"
)
_ALIAS = re.compile(
    r"\\colorlet\s{0,3}\{([^{}]{1,60})\}\s{0,3}(?:\[[^\]\[]{0,30}\]\s{0,3})?\{([^{}]{1,60})\}"
)
# Share of full light from which a colour cannot be told from paper.
_NEARLY = 0.97
_MODELS = {"rgb": 1.0, "RGB": 255.0, "gray": 1.0, "Gray": 15.0}


def white_names(texts: Iterable[str]) -> frozenset[str]:
    """`white` and the names that the paper defines as white or nearly white."""
    names = {"white", "White"}
    for text in texts:
        for match in _DEFINITION.finditer(text):
            if is_white_value(match[2].strip(), match[3]):
                names.add(match[1].strip())
        for match in _ALIAS.finditer(text):
            if is_white(match[2], names):
                names.add(match[1].strip())
    return frozenset(names)


def is_white(expression: str, names: Iterable[str]) -> bool:
    """Whether a colour as xcolor writes it (`white!98!black`, `gray!2`) is nearly white."""
    known = frozenset(names)
    first, *mixes = expression.strip().split("!")
    if any(not _is_number(share) for share in mixes[::2]) or first.startswith("-"):
        return False
    light = 1.0 if first in known else 0.0
    for position in range(0, len(mixes), 2):
        share = float(mixes[position]) / 100
        other = mixes[position + 1] if position + 1 < len(mixes) else "white"
        light = light * share + (1.0 if other in known else 0.0) * (1 - share)
    return light >= _NEARLY


def is_white_value(model: str, value: str) -> bool:
    """Whether `value` in the colour model `model` (`rgb`, `HTML`, `cmyk` …) is nearly white."""
    value = value.strip()
    if model == "HTML":
        channels = [value[at : at + 2] for at in (0, 2, 4)]
        if not re.fullmatch(r"[0-9A-Fa-f]{6}", value):
            return False
        return min(int(channel, 16) for channel in channels) / 255 >= _NEARLY
    parts = [part.strip() for part in value.split(",")]
    if not all(_is_number(part) for part in parts):
        return False
    numbers = [float(part) for part in parts]
    if model == "cmyk":
        return len(numbers) == 4 and max(numbers) <= 1 - _NEARLY
    if model == "hsb":
        return len(numbers) == 3 and numbers[1] <= 1 - _NEARLY and numbers[2] >= _NEARLY
    full = _MODELS.get(model)
    return full is not None and min(numbers) / full >= _NEARLY


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*(?:\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})\s*", text, re.ASCII) is not None
