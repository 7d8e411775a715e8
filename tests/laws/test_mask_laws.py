"""Masking keeps length and line ends, blanks what it is told to, and is idempotent."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.latex.mask import DEAD, Blank, mask
from reviser.latex.scan import scan
from tests.laws.test_scan_laws import latex

KINDS = [DEAD, frozenset({Blank.COMMENTS}), frozenset({Blank.MATH}), frozenset(Blank), frozenset()]


@given(latex, st.sampled_from(KINDS))
@settings(max_examples=800, deadline=None)
def test_masking(text: str, kinds: frozenset[Blank]) -> None:
    scanned = scan(text)
    once = mask(scanned, kinds)
    assert len(once) == len(text)
    changed = {(a, b) for a, b in zip(text, once, strict=True) if a != b}
    assert all(a not in "\r\n" and b in " ~" for a, b in changed)
    assert mask(scan(once, scanned.lexicon), kinds) == once
