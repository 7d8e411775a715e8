"""Which texts the embedded model reads."""

from reviser.verify.evidence import Work

LANGUAGES = frozenset({"en"})
"""What the embedded model reads. Elsewhere true citations look unrelated, so nothing is said."""
_NAMES = {
    "de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pt": "Portuguese", "ru": "Russian",
    "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip


def readable(work: Work) -> bool:
    """Whether the work's text is in a language the embedder reads."""
    return reads(work.language, " ".join(passage.text for passage in work.passages[:10]))


def reads(language: str, text: str) -> bool:
    """Whether the embedder reads a text of this language; an unsure one must be in its letters."""
    if language:
        return language in LANGUAGES
    letters = [char for char in text if char.isalpha()]
    return sum(char.isascii() for char in letters) * 10 >= len(letters) * 9


def language_name(code: str) -> str:
    """The language that an ISO 639-1 code stands for, in words."""
    return _NAMES.get(code, f"another language ({code})" if code else "another language")
