"""A measured figure beside the bar it should reach."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bar:
    """`holds` is None where nothing could be measured; `detail` says what it was counted from."""

    name: str
    figure: float | None
    bar: str
    holds: bool | None
    detail: str = ""


def at_least(name: str, figure: float | None, bar: float, detail: str = "") -> Bar:
    """The figure must not be lower than the bar."""
    return Bar(name, figure, f">= {bar:g}", None if figure is None else figure >= bar, detail)


def at_most(name: str, figure: float | None, bar: float, detail: str = "") -> Bar:
    """The figure must not be higher than the bar."""
    return Bar(name, figure, f"<= {bar:g}", None if figure is None else figure <= bar, detail)
