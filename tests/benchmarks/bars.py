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


def show(title: str, bars: list[Bar]) -> None:
    """One line a bar: the figure, the bar, whether it holds."""
    print(f"\n{title}")
    for bar in bars:
        figure = "-" if bar.figure is None else f"{bar.figure:.3g}"
        verdict = {
            True: "holds",
            False: "FALLS SHORT",
            None: "not measured" if bar.figure is None else "",
        }[bar.holds]
        print(f"  {bar.name:58} {figure:>8}  {bar.bar:8} {verdict:12} {bar.detail}".rstrip())
