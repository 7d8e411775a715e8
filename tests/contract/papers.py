"""A small paper for the tests of what is posted."""

MAIN = (
    "\\documentclass{article}\n"
    "\\begin{document}\n"
    "Cats sleep most of the day~\\cite{miller2001}.\n"
    "\n"
    "Some words in between.\n"
    "\n"
    "Dogs bark at strangers.\n"
    "\\bibliography{refs}\n"
    "\\end{document}\n"
)
BIB = (
    "@misc{miller2001,\n"
    "  author = {Miller, Ann},\n"
    "  title = {The sleep of cats},\n"
    "  year = 2001\n"
    "}\n"
)
