"""Control words that an edit may never bring, and those of plain formatting that prose may use."""

import re
from collections.abc import Iterable

from reviser.latex.elements import Macro

_CONTROL_WORD = re.compile(r"\\([A-Za-z@]+)")

_FORBIDDEN = """
input include includeonly subfile subfileinclude import subimport includefrom subincludefrom
inputfrom subinputfrom InputIfFileExists IfFileExists verbatiminput lstinputlisting inputminted
VerbatimInput BVerbatimInput LVerbatimInput CatchFileDef filecontents includepdf includestandalone
bibliography addbibresource bibliographystyle loadglsentries openin openout closein closeout read
readline write immediate typeout message errmessage show showthe special directlua latelua luaexec
luadirect luacode luafunction primitive pdfprimitive ShellEscape shellescape pdfshellescape
pdffiledump pdfmdfivesum filedump filesize mdfivesum pdfobj pdfliteral pdfextension catcode lccode
uccode sfcode mathcode delcode catcodetable mathchardef chardef toksdef countdef dimendef csname
endcsname expandafter noexpand unexpanded expanded scantokens scantextokens detokenize lowercase
uppercase string meaning jobname begingroup endgroup afterassignment aftergroup futurelet let def
edef gdef xdef global long outer protected newcommand renewcommand providecommand
DeclareRobustCommand DeclareDocumentCommand NewDocumentCommand RenewDocumentCommand
ProvideDocumentCommand NewExpandableDocumentCommand newenvironment renewenvironment
NewDocumentEnvironment RenewDocumentEnvironment newif newtoks newread newwrite newcount newlength
newcounter newtheorem AtBeginDocument AtEndDocument AddToHook everypar output toks usepackage
RequirePackage documentclass documentstyle LoadClass PassOptionsToPackage makeatletter makeatother
makeatactive active ExplSyntaxOn ExplSyntaxOff endinput stop bye dump batchmode nonstopmode
scrollmode errorstopmode iffalse iftrue if ifx ifnum ifcase else fi loop repeat phantom hphantom
vphantom smash color textcolor pagecolor colorbox transparent hypersetup urlstyle lstset
everyjob interaction errhelp tracingall aliasfontfeature font externaldocument externalfigure
"""
#: Commands that read or write files, run programs, redefine the language or hide text. An edit
#: that brings one more of them than there were is refused, whatever it is for.
FORBIDDEN = frozenset(_FORBIDDEN.split())

_FORMATTING = """
emph textit textbf textsc textsf texttt textrm textup textmd textnormal textsuperscript
textsubscript em it bf sc sf tt rm up itshape bfseries scshape ldots dots textellipsis textendash
textemdash textquoteleft textquoteright textquotedblleft textquotedblright slash allowbreak xspace
"""
#: Formatting that running text may gain or lose where words may be rewritten.
FORMATTING = frozenset(_FORMATTING.split())


def control_words(text: str) -> list[str]:
    """The names of all control words in `text`, in order."""
    return _CONTROL_WORD.findall(text)


def harmless_macros(macros: Iterable[Macro], bodies: Iterable[str]) -> frozenset[str]:
    """The names of the paper's own macros whose bodies, however deep, hold nothing forbidden.

    `bodies` are the texts of the macros' bodies, in the same order.
    """
    called: dict[str, set[str]] = {}
    for macro, body in zip(macros, bodies, strict=True):
        words = set(control_words(body))
        if "^^" in body or macro.command.lstrip("\\") == "let":
            words.add("csname")
        called.setdefault(macro.name, set()).update(words)
    tainted = {name for name, words in called.items() if words & FORBIDDEN or name in FORBIDDEN}
    callers: dict[str, set[str]] = {}
    for name, words in called.items():
        for word in words:
            callers.setdefault(word, set()).add(name)
    waiting = list(tainted)
    while waiting:
        for caller in callers.get(waiting.pop(), ()):
            if caller not in tainted:
                tainted.add(caller)
                waiting.append(caller)
    return frozenset(called.keys() - tainted)
