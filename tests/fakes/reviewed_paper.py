"""The bundled paper as a pull request leaves it, and as it was: four sentences were reworded."""

from tests.e2e.papers import mended

OLDER = {
    "sections/foundations.tex": (
        (
            b"The disagreement is a useful lesson about extrapolation, and for our subject it has "
            b"a practical side."
        ),
        b"The disagreement has a practical side.",
    ),
    "sections/generation.tex": (
        (
            b"It helps most with rare patterns such as factual knowledge, which is exactly where "
            b"parameters are a poor store."
        ),
        b"It helps most with rare patterns.",
    ),
    "sections/introduction.tex": (
        b"The distinction matters for everything that follows.",
        b"The distinction matters.",
    ),
}
LIMITS = (
    b"We cover text only, and mostly English text, because nearly all the resources are English.",
    b"We cover text only.",
)


def after() -> dict[str, bytes]:
    """What the pull request brings: the bundled paper without its faults."""
    return mended()


def before() -> dict[str, bytes]:
    """What it was made from."""
    files = mended()
    for path, (new, old) in OLDER.items():
        assert new in files[path]
        files[path] = files[path].replace(new, old)
    path, (new, old) = "sections/introduction.tex", LIMITS
    assert new in files[path]
    files[path] = files[path].replace(new, old)
    return files
