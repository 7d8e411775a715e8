"""What commands and environments do to the text in and around them: tables, no logic."""

from collections.abc import Mapping
from types import MappingProxyType

from reviser.latex.commands import SILENT
from reviser.latex.signs import SIGNS


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _counts(groups: Mapping[int, str]) -> Mapping[str, int]:
    return MappingProxyType(
        {name: count for count, names in groups.items() for name in names.split()}
    )


# Commands whose arguments are no text: how many pairs of braces follow (options go as well).
DROPPED: Mapping[str, int] = _counts(
    {
        1: (
            "label vspace vspace* hspace hspace* includegraphics includegraphics* color pagecolor "
            "pagestyle thispagestyle pagenumbering bibliographystyle input include graphicspath "
            "usepackage RequirePackage documentclass PassOptionsToPackage hypersetup geometry "
            "setcitestyle usetikzlibrary pgfplotsset tikzset tikzstyle sisetup lstset "
            "author affil affiliation address email institute date orcid orcidID ead corref "
            "fnref cortext fntext tnotetext tnoteref authorrunning titlerunning institution "
            "keywords "
            "streetaddress city state country postcode department school authornote "
            "acmConference acmBooktitle acmYear acmDOI acmISBN acmPrice acmJournal acmVolume "
            "acmNumber acmArticle acmMonth received copyrightyear setcopyright orgdiv orgname "
            "orgaddress fnm sur spfx sfx prefix equalcont corrauth corraddress ORCID jyear "
            "IEEEauthorblockN IEEEauthorblockA IEEEaftertitletext IEEEPARstartdummy "
            "IEEEoverridecommandlockouts markright setlist setstretch linespread baselineskip "
            "index glsadd hyphenation selectlanguage "
            "inputencoding listoftodos missingfigure todo todos fixme FIXME XXX marginpar "
            "phantom hphantom vphantom pdfbookmark bookmark "
            "addbibresource bibliography printbibliography nocite cline cmidrule morecmidrules "
            "rowcolor cellcolor columncolor arraystretch specialrule newcounter "
            "stepcounter refstepcounter newlength usebox savebox include* "
            "linenumbers modulolinenumbers pgfimage epsfbox psfig tikz "
            "usetheme usecolortheme usefonttheme ccsdesc terms category subtitlerunning "
            "shorttitle shortauthors runningauthor runningtitle titlehead logo "
            "enlargethispage needspace includepdf excludecomment "
            "includecomment ctikzset qedhere glsresetall "
            "fontfamily fontseries fontshape fontencoding "
            "PACS pacs subjclass MSC jmlrheading "
            "doi DOI DIFdel AtBeginDocument AtEndDocument"
        ),
        2: (
            "setlength addtolength setcounter addtocounter addtocontents rule "
            "markboth fontsize newtheorem captionsetup "
            "numberwithin counterwithin settowidth defcitealias "
            "setkeys DeclareUnicodeCharacter colorlet "
            "SetKwInOut SetKwFunction Crefname "
            "lstdefinestyle lstdefinelanguage pdfstringdef "
        ),
        3: "definecolor addcontentsline newacronym titlespacing titlespacing* crefname",
    }
)

# Commands whose first arguments are no text, while what follows in braces is.
FIRST_DROPPED: Mapping[str, int] = _counts(
    {
        1: (
            "textcolor href colorbox parbox raisebox scalebox rotatebox "
            "foreignlanguage adjustbox hypertarget hyperlink captionof "
            "minipage DeclareAcronym IfFileExists "
            "textlang "
        ),
        2: "multicolumn multirow fcolorbox resizebox resizebox* ",
    }
)

# Primitives that a length follows without braces.
LENGTHS = _names(
    """vskip hskip kern mskip vglue hglue baselineskip parskip parindent topskip leftskip rightskip
    textwidth textheight hsize vsize tabcolsep arraycolsep columnsep itemsep parsep topsep
    abovedisplayskip belowdisplayskip lineskip hangindent looseness tolerance emergencystretch
    widowpenalty clubpenalty hyphenpenalty exhyphenpenalty interlinepenalty penalty hangafter"""
)

# Environments' own arguments in braces that are no text.
ENVIRONMENT_ARGUMENTS: Mapping[str, int] = _counts(
    {
        1: (
            "minipage tabular array longtable tabu longtabu multicols thebibliography "
            "adjustbox subfigure subtable spacing scope "
            "supertabular xtabular mpsupertabular otherlanguage otherlanguage* "
            "tblr longtblr deluxetable deluxetable* addmargin parcolumns "
            "NiceTabular foreignlanguage hyphenrules textblock "
            "textblock* labeling lrbox turn rotate multicols* column"
        ),
        2: (
            "tabularx tabular* tabulary xltabular wrapfigure wraptable list adjustwidth "
            "adjustwidth* restatable wrapfloat CJK CJK* NiceTabular*"
        ),
    }
)

TABLES = _names(
    """tabular tabular* tabularx tabulary longtable tabu longtabu xltabular supertabular xtabular
    mpsupertabular tblr longtblr deluxetable deluxetable* NiceTabular NiceTabular* array tabbing
    xtabular* supertabular* IEEEeqnarraybox"""
)

ABSTRACTS = _names("abstract abstract* onecolabstract Abstract abstracts summary")

FLOATS = _names(
    """figure table figure* table* wrapfigure wraptable SCfigure SCtable sidewaysfigure
    sidewaystable sidewaysfigure* sidewaystable* marginfigure margintable subfigure subtable
    floatingfigure teaserfigure scheme listing listing* lstfloat"""
)

LISTS = _names(
    """itemize enumerate description compactitem compactenum
    compactdesc asparaitem asparaenum list trivlist IEEEitemize
    IEEEenumerate IEEEdescription easylist labeling tasks outline enumerate-lr pointlist
    tightitemize tightenumerate smallitemize unlist bulletlist enumlist"""
)

# Lists whose items run on within the paragraph.
INLINE_LISTS = _names("inparaenum inparaitem inparadesc itemize* enumerate* description*")

# Environments that make no paragraph of their own.
RUNNING = _names("subequations linenomath linenomath* math otherlanguage*") | INLINE_LISTS

# Environments that hold no prose; captions within them are still read.
UNREAD_ENVIRONMENTS = _names(
    """tikzpicture tikzpicture* pgfpicture picture pspicture pspicture* forest axis circuitikz
    feynman feynmandiagram tikzcd scope pgfonlayer thebibliography bibliography algorithm
    algorithm* algorithmic algorithm2e algorithmicx algorithm2e* procedure function pseudocode
    program codebox CCSXML ccsxml IEEEkeywords IEEEbiography IEEEbiographynophoto keyword
    keywords KeyWords classification prooftree asy dependency dependency* chronology
    ganttchart bytefield references biblist bibdiv thenomenclature theglossary theindex
    filecontents filecontents* diagram xy psfrags overpic overpic* lstlisting
    verbatim minted comment equation equation* align align* gather gather* eqnarray eqnarray*
    multline multline* alltt smartdiagram mindmap loglogaxis semilogxaxis semilogyaxis
    groupplot polaraxis ternaryaxis tabularasy PRISMA acronym acronyms
      lrbox"""
)

# Commands that end what stands before them, as a blank line does.
BREAKS = _names(
    """par newline newpage clearpage cleardoublepage pagebreak maketitle bigskip medskip smallskip
    tableofcontents listoffigures listoftables listofalgorithms appendix appendices backmatter
    frontmatter mainmatter hline toprule midrule bottomrule cline cmidrule hrule vfill
    columnbreak tabularnewline cr endhead endfirsthead endfoot endlastfoot printbibliography
    bibliography addlinespace noalign specialrule and And AND FloatBarrier makecover
    smallbreak medbreak bigbreak IEEEpeerreviewmaketitle onecolumn twocolumn item
    printindex printglossary printglossaries balance input include subfile import subimport
    IEEEraisesectionheading lstinputlisting VerbatimInput verbatiminput inputminted
    paragraphbreak sectionbreak Xhline Hline hhline firsthline lasthline thickhline
    endabstract abstract title subtitle section chapter frame pause"""
)

# Commands whose braces hold a text of their own, apart from the sentence around them.
OWN_TEXT: Mapping[str, str] = MappingProxyType(
    {
        "title": "title",
        "Title": "title",
        "subtitle": "title",
        "bmhead": "title",
        "abstract": "abstract",
        "Abstract": "abstract",
        "IEEEtitleabstractindextext": "abstract",
        "caption": "caption",
        "caption*": "caption",
        "captionof": "caption",
        "captionof*": "caption",
        "subcaption": "caption",
        "subcaption*": "caption",
        "tablecaption": "caption",
        "tabcaption": "caption",
        "figcaption": "caption",
        "tbl": "caption",
        "topcaption": "caption",
        "bottomcaption": "caption",
        "legend": "caption",
        "footnote": "footnote",
        "footnotetext": "footnote",
        "thanks": "footnote",
        "endnote": "footnote",
        "sidenote": "footnote",
        "marginnote": "footnote",
        "tablefootnote": "footnote",
    }
)

# Commands without arguments that typeset no word; any other one unknown stands for a word.
QUIET = SILENT | _names(
    """footnotemark displaystyle textstyle strut hfil hfill hss vfil linebreak nolinebreak
    nopagebreak sloppy fussy centering raggedright raggedleft raggedbottom flushbottom
    makeatletter makeatother indent singlespacing doublespacing onehalfspacing bgroup egroup
    begingroup endgroup LARGE Large Huge huge scriptsize boldmath unboldmath selectfont
    expandafter noexpand quad qquad enspace enskip thinspace medspace thickspace negthinspace
    space nobreakspace hrulefill dotfill leavevmode DIFaddbegin DIFaddend DIFdelbegin DIFdelend
    DIFaddbeginFL DIFaddendFL DIFdelbeginFL DIFdelendFL boldsymbol newblock natexlab mathrm rm
    cal frenchspacing nonfrenchspacing nonumber notag phantomsection pretolerance global long
    outer immediate write hbox vbox vtop vcenter box fi else or iftrue iffalse ifmmode labelitemi
    linenumbers nolinenumbers normalcolor marginparwidth tolerance csname endcsname string
    romannumeral arabic roman alph Alph Roman thepage newdimen advance multiply divide hangindent
    setstretch uppercase lowercase encodingdefault HRule ensuremath"""
)

# Commands with a meaning of their own here, which a paper may redefine without changing it.
KNOWN = frozenset([*SIGNS, *DROPPED, *FIRST_DROPPED, *BREAKS, *OWN_TEXT])
