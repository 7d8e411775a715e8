"""A program of its own that turns a PDF on standard input into text on standard output.

It runs as a separate process, so that a file built to exhaust memory or time ends that process
and nothing else. It imports nothing of reviser and reads and writes no file.
"""

import io
import sys

MAX_PAGES = 80
MAX_CHARACTERS = 600_000
MAX_MEMORY = 2 * 1024**3
MAX_CPU_SECONDS = 25


def _limit() -> None:
    try:
        import resource  # noqa: PLC0415 - POSIX only; elsewhere the parent's timeout remains
    except ImportError:
        return
    for what, most in (
        (resource.RLIMIT_AS, MAX_MEMORY),
        (resource.RLIMIT_CPU, MAX_CPU_SECONDS),
        (resource.RLIMIT_FSIZE, 0),
    ):
        try:
            resource.setrlimit(what, (most, most))
        except (ValueError, OSError):
            continue  # a stricter limit is already in force


def extract(data: bytes, most: int = MAX_PAGES) -> str:
    """The text of the first pages, a blank line between pages; errors are pypdf's own."""
    from pypdf import PdfReader  # noqa: PLC0415 - after the limits are set

    reader = PdfReader(io.BytesIO(data), strict=False)
    pages: list[str] = []
    length = 0
    for number, page in enumerate(reader.pages):
        if number >= most or length >= MAX_CHARACTERS:
            break
        text = page.extract_text()
        pages.append(text)
        length += len(text)
    return "\n\n".join(pages)[:MAX_CHARACTERS]


def main() -> None:
    """Standard input to standard output, as many pages as the first argument says; a traceback and
    a non-zero code when it fails."""
    _limit()
    most = int(sys.argv[1]) if len(sys.argv) > 1 else MAX_PAGES
    text = extract(sys.stdin.buffer.read(), most)
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))


if __name__ == "__main__":
    main()
