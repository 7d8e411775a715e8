"""Names of LaTeX commands and environments by what they do: tables, no logic.

Sources: the manuals of natbib, biblatex, REVTeX 4, jurabib, apacite, harvard, chicago, cite,
cleveref, hyperref, varioref, import, subfiles, listings, minted, fancyvrb, amsmath, etoolbox.
"""

from collections.abc import Mapping
from types import MappingProxyType

from reviser.latex.elements import CitationForm as Form


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _table(groups: Mapping[Form, str]) -> Mapping[str, Form]:
    return MappingProxyType(
        {name: form for form, names in groups.items() for name in names.split()}
    )


# Commands of the shape \name*<overlay>[before][after]{keys}; biblatex's capitalised twins are
# listed where they exist.
CITATIONS: Mapping[str, Form] = _table(
    {
        Form.PARENTHETICAL: (
            "cite Cite citep Citep citealp Citealp citealt Citealt citenum citen onlinecite "
            "parencite Parencite autocite Autocite smartcite Smartcite supercite inlinecite "
            "citepalias upcite ucite shortcite shortciteNP shortciteNPA citeNP citeNPA "
            "citeaffixed maskcite maskciteNP fullciteNP pnotecite Pnotecite notecite Notecite "
            "parencitealt bracketcite unspacedcite citeref citeyearparalt mcite"
        ),
        Form.TEXTUAL: (
            "citet Citet textcite Textcite citeasnoun possessivecite citeA shortciteA citeN "
            "shortciteN maskciteA fullciteA citetalias citeonline citel citePOS citepos posscite "
            "possessivecitet citeposs citesym Citealias citeapos nptextcite"
        ),
        Form.AUTHOR: (
            "citeauthor Citeauthor citefullauthor Citefullauthor citeauthors citename "
            "shortciteauthor fullciteauthor citelastname citeauthorfull maskciteauthor"
        ),
        Form.YEAR: (
            "citeyear citeyearpar citedate citeurldate citeyearNP Citeyear maskciteyear citeyearalt"
        ),
        Form.TITLE: "citetitle Citetitle citefield citeurl citedoi citeeprint",
        Form.FOOTNOTE: (
            "footcite Footcite footcitetext Footcitetext footfullcite footfullcitetext "
            "fnotecite footcitet footcitep footciteauthor footcitetitle"
        ),
        Form.FULL: "fullcite bibentry longfullcite fullcitebib",
        Form.UNSEEN: "nocite nocitemeta nocitesec notocite",
    }
)

# \name(before)(after)[..][..]{keys}[..][..]{keys}…
MULTICITATIONS: Mapping[str, Form] = _table(
    {
        Form.PARENTHETICAL: (
            "cites Cites parencites Parencites autocites Autocites smartcites Smartcites supercites"
        ),
        Form.TEXTUAL: "textcites Textcites",
        Form.FOOTNOTE: "footcites Footcites footcitetexts footfullcites",
        Form.FULL: "fullcites",
    }
)

# \name[before]{volume}[page]{keys}
VOLUME_CITATIONS: Mapping[str, Form] = _table(
    {
        Form.PARENTHETICAL: (
            "volcite Volcite pvolcite Pvolcite svolcite Svolcite avolcite Avolcite stvolcite"
        ),
        Form.TEXTUAL: "tvolcite Tvolcite",
        Form.FOOTNOTE: "fvolcite Fvolcite ftvolcite",
    }
)

# csquotes: \name[before][after]{keys}[punctuation]{quotation}
QUOTE_CITATIONS = _names("textcquote blockcquote textcquote* blockcquote*")

# A comma list of labels in the first braces, or (ranges) one label in each of two.
REFERENCES = _names(
    "ref Ref eqref Eqref pageref Pageref autoref Autoref autopageref nameref Nameref vref Vref "
    "vpageref cref Cref cpageref Cpageref namecref nameCref namecrefs nameCrefs lcnamecref "
    "labelcref labelcpageref subref Subref fullref titleref fref Fref sref prettyref "
    "formatref zcref zcpageref thref lref secref Secref figref Figref tabref Tabref algref "
    "subeqref noeqref refeq footref refstar vreff hyperlinkref ref* cnref cthref"
)
REFERENCE_RANGES = _names(
    "crefrange Crefrange cpagerefrange Cpagerefrange vrefrange vpagerefrange eqrefrange"
)
LABELS = _names("label zlabel ltxlabel tlabel")

HEADINGS: Mapping[str, int] = MappingProxyType(
    {
        "part": 0,
        "chapter": 1,
        "section": 2,
        "subsection": 3,
        "subsubsection": 4,
        "paragraph": 5,
        "subparagraph": 6,
        "addpart": 0,
        "addchap": 1,
        "addsec": 2,
    }
)

FLOATS = _names(
    "figure table wrapfigure wraptable SCfigure SCtable sidewaysfigure sidewaystable "
    "floatingfigure floatingtable algorithm algorithm2e "
    "procedure function listing longtable longtabu "
    "supertabular xltabular margintable marginfigure teaserfigure scheme chart plate video "
    "tabfigure turnpage marginfloat lstfloat deluxetable extrafigure "
    "extratable boxedtext feature infobox subfigure subtable"
)
CAPTIONS = _names(
    "caption captionof subcaption subcaptionbox bicaption tablecaption "
    "topcaption bottomcaption sidecaption floatcaption tabcaption figcaption"
)
FOOTNOTES = _names(
    "footnote footnotetext thanks tablefootnote endnote sidenote marginnote mpfootnote "
    "blfootnote titlefootnote altfootnote manyfootnote"
)

_MATH = _names(
    "equation displaymath math eqnarray align alignat flalign gather multline xalignat "
    "xxalignat dmath dgroup darray dseries IEEEeqnarray equationarray numcases subnumcases "
    "split aligned gathered alignedat array cases dcases rcases matrix pmatrix bmatrix Bmatrix "
    "vmatrix Vmatrix smallmatrix multlined IEEEeqnarraybox prooftree mathpar"
)
MATH_ENVIRONMENTS = _MATH | {f"{name}*" for name in _MATH}
INLINE_MATH_ENVIRONMENTS = frozenset({"math", "math*"})

# Environments that keep their meaning for a reader whatever a paper makes of them.
WELL_KNOWN_ENVIRONMENTS = (
    FLOATS
    | MATH_ENVIRONMENTS
    | _names(
        "abstract document quote quotation verse center itemize enumerate description tabular "
        "tabularx thebibliography proof algorithmic frame titlepage keyword keywords IEEEkeywords "
        "acknowledgments acknowledgements minipage"
    )
)

# Environments whose body TeX takes letter by letter; the value is the kind of the skipped text.
VERBATIM_ENVIRONMENTS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            _names(
                "verbatim verbatim* Verbatim Verbatim* BVerbatim BVerbatim* LVerbatim LVerbatim* "
                "SaveVerbatim VerbatimOut lstlisting lstlisting* minted minted* verbatimtab "
                "verbatimwrite filecontents filecontents* tcblisting tcblisting* dispListing "
                "tcboutputlisting listingcont listing* spverbatim luacode luacode* "
                "pycode pyconsole pyblock asy asydef gnuplot lilypond sageblock sagesilent "
                "Sinput Soutput Scode semiverbatim alltt boxedverbatim fverbatim "
                "rawhtml htmlonly markdown dot2tex python macrocode "
                "codehighlight"
            ),
            "verbatim",
        ),
        **dict.fromkeys(_names("comment xcomment"), "comment environment"),
    }
)
# Those that take [options] (and {arguments}) before the body, with labels and captions in them.
VERBATIM_ARGUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "lstlisting": "o",
        "minted": "om",
        "Verbatim": "o",
        "BVerbatim": "o",
        "LVerbatim": "o",
        "tcblisting": "om",
    }
)

# Commands whose first braces hold an address, in which % and # are ordinary.
ADDRESSES = _names("url href path nolinkurl burl hyperbaseurl urlalt lsturl doiurl")

# \name at a definition → how its head reads (see definitions.py).
DEFINERS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            _names(
                "newcommand renewcommand providecommand DeclareRobustCommand newrobustcmd "
                "renewrobustcmd providerobustcmd DeclareTextFontCommand DeclareMathOperator "
                "newcommandx renewcommandx providecommandx newshadowcommand CheckCommand "
                "DeclareMathOperator* DeclareDocumentMathOperator"
            ),
            "command",
        ),
        **dict.fromkeys(_names("def edef gdef xdef protected@edef protected@xdef"), "def"),
        **dict.fromkeys(
            _names(
                "NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand "
                "DeclareDocumentCommand NewExpandableDocumentCommand "
                "DeclareExpandableDocumentCommand "
                "RenewExpandableDocumentCommand ProvideExpandableDocumentCommand"
            ),
            "document command",
        ),
        **dict.fromkeys(
            _names(
                "newenvironment renewenvironment newenvironmentx renewenvironmentx "
                "provideenvironment lstnewenvironment"
            ),
            "environment",
        ),
        **dict.fromkeys(_names("NewEnviron RenewEnviron"), "environ"),
        **dict.fromkeys(
            _names(
                "NewDocumentEnvironment RenewDocumentEnvironment ProvideDocumentEnvironment "
                "DeclareDocumentEnvironment"
            ),
            "document environment",
        ),
        **dict.fromkeys(
            _names(
                "cs_new:Npn cs_new:Nn cs_set:Npn cs_set:Nn cs_gset:Npn cs_gset:Nn cs_new_nopar:Npn "
                "cs_new_protected:Npn cs_set_protected:Npn cs_new_eq:NN"
            ),
            "def",
        ),
        **dict.fromkeys(_names("let futurelet"), "let"),
        "@namedef": "named",
        "@namelet": "named",
        "newcolumntype": "column type",
        "DeclareCiteCommand": "cite command",
        "RenewCiteCommand": "cite command",
        "DeclareMultiCiteCommand": "multicite command",
        "newif": "token",
    }
)

# \ifsomething that takes its branches in braces, so that no \fi belongs to it.
BRACED_CONDITIONALS = _names(
    "ifthenelse ifdef ifundef ifcsdef ifcsundef ifdefmacro ifcsmacro ifdefparam ifcsparam "
    "ifdefprefix ifdefprotected ifdefltxprotect ifdefempty ifcsempty ifdefvoid ifcsvoid "
    "ifdefequal ifcsequal ifdefstring ifcsstring ifdefstrequal ifdefcounter ifcscounter "
    "ifltxcounter ifdeflength ifcslength ifdefdimen "
    "ifcsdimen ifstrequal ifstrempty ifblank ifnumcomp "
    "ifnumequal ifnumgreater ifnumless ifnumodd ifdimcomp ifdimequal ifdimgreater ifdimless "
    "ifboolexpr ifboolexpe ifbool iftoggle ifinlist ifinlistcs ifrmnum iff ifentrytype "
    "ifnameundef iffieldundef iflistundef iffieldequalstr ifcitation ifkeyword ifbibstring "
    "ifciteseen ifentryseen ifciteibid iffootnote ifthispageodd ifnextchar "
    "IfFileExists ifuseauthor ifuseeditor ifsamepage ifempty ifstreq ifpackageloaded ifelse "
    "ifsingletitle ifnumerals ifnumeral ifpages ifcapital ifandothers ifmoreitems ifhyperref"
)

INCLUDES = _names(
    "input include subfile subfileinclude InputIfFileExists includestandalone loadsubfile "
    "@input @@input"
)
FOLDER_INCLUDES = _names("import subimport includefrom subincludefrom inputfrom subinputfrom")
BIBLIOGRAPHIES = _names(
    "bibliography addbibresource addglobalbib addsectionbib bibliographyunit putbib nobibliography "
    "bibdata newrefsection"
)

# Commands that only dress their one argument: it can be read without them.
DRESSING = _names(
    "emph textit textbf textsl textsc textsf texttt textrm textnormal textup textmd mbox text "
    " underline uppercase lowercase MakeUppercase MakeLowercase hbox textulc"
)
# Commands that typeset nothing of their own.
SILENT = _names(
    "xspace protect relax em it bf sl sc rm tt sf itshape bfseries slshape scshape rmfamily "
    "ttfamily sffamily normalfont upshape mdseries small footnotesize scriptsize tiny large "
    "normalsize leavevmode unskip ignorespaces noindent nobreak allowbreak null"
)
