"""Words that end in a full stop without ending a sentence, and words that begin one: lists."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Keys are case-folded and lack the final stop; inner stops stay ("e.g", "т.е").
NEVER_LAST = _words(
    """e.g i.e eg ie cf vs viz w.r.t wrt s.t a.k.a aka esp incl excl approx resp circa ca
    int'l intl univ dept assoc prof dr
    z.b d.h u.a o.ä i.d.r bzw vgl evtl ggf sog bspw inkl exkl zzgl insb hrsg aufl
    p.ex ex.g c.-à-d c.à.d càd env notamm p.ej ej aprox ing av j.-c bijv d.w.z m.n o.a
    т.е т.к т.н т.ч напр см ср проф акад доц им гос обл ул пл наз тыс мл ст
    тобто напр див ім"""
)
CAPITAL_NEVER_LAST = _words(
    """Dr Prof Mr Mrs Ms Messrs Mme Mlle Hon Gen Col Lt Capt Sgt Gov Sen Rep St Mt Ft Proc Conf Symp
    Trans Univ Annu Sr Sra Dra Dott Ing Hr Fr"""
)
TAKES_NUMBER = _words(
    """fig figs eq eqs eqn eqns sec secs sect sects tab tabs ref refs ch chap chaps chs
    no nos vol vols p pp par thm thms def defs lem prop props cor alg algs alg app apps appx
    rem obs ex exs exp suppl supp art ln ll col lec ver v ed eds fn n nr nrn num núm nº bd kap abb
    abschn gl s ss tbl anh anm cap capt sez sec par pág págs pag hoofdst afb
    рис табл гл с стр п пп разд ур лит вып т № формул розд мал
    jan feb mar apr jun jul aug sep sept oct nov dec janv févr juil okt dez"""
)
MAY_END = _words(
    """etc al inc ltd co corp llc gmbh u.s u.k u.s.a e.u d.c p.m a.m ph.d m.sc b.sc jr sr
    i.i.d iid r.h.s l.h.s a.e b.c c.e a.d ave blvd rd bros est ibid op cit usw u.s.w uvm
    т.д т.п др пр г гг в вв руб коп млн млрд тыс т.ін"""
)
IN_TITLES = _words(
    """Acad Sci Chem Biol Comput Eng Technol Res Stat Math Phys Rev Lett Soc Natl Mech Appl Med
    Adv Ann Mater Opt Astron Astrophys Comm Commun Inf Syst Softw Bull Mag Electron Autom"""
)
ENDS_BEFORE_CAPITAL = _words("etc usw u.s.w uvm т.д т.п т.ін iid i.i.d r.h.s l.h.s ibid")
LISTED = NEVER_LAST | TAKES_NUMBER | MAY_END | ENDS_BEFORE_CAPITAL
STRICT_STARTERS = _words(
    """A The This These Those We It In However For Our They There Then Thus When While Each
    Although Moreover Furthermore Since After If Here Therefore Finally First Second Third Next
    Hence Consequently Nevertheless Nonetheless Additionally Similarly Instead Because Let Its
    Their Most Many Several Some With Under Unlike Overall Recently Note Using Given From By
    Otherwise Suppose Assume Consider Define Denote Conversely Likewise Also Notice Observe Recall
    Der Die Das Ein Eine Wir Diese Dieser Dieses Daher Dabei Dies Damit Außerdem Im
    Le La Les Nous Cette Ces Cependant Dans Ainsi Une Ils Elles Leur Notre Pour Lorsque Ici Par
    Toutes Tous Alors Ensuite Enfin Puis Comme Chaque Si Lors Afin Après Avant Donc Toutefois Il
    Hierbei Hierzu Hierfür Danach Zudem Jedoch Deshalb Weiterhin Sin Cada Cuando Aunque Además
    El Los Las Esta Este Estos Estas En Una Para Por Sin Nuestro Nuestra
    Il Gli Questo Questa Nel Nella Os As Este Esta Nós De Het Deze Dit Wij
    Это Этот Эта Эти Мы В Для При Однако Так Таким Кроме Поэтому Если Они Он Она На По
    Це Цей Ця Ці Ми У Для Однак Тому Якщо"""
)
STARTERS = STRICT_STARTERS | _words(
    """An As At All And But He His Her I Is Both Other Others On One Two Three Such So See
    Even Every Few Further How Not Now Of Once Only Or Also Yet You What Where Which Who Why
    Another Any Are Before Between Besides Can Compared Despite Due During Either Through To
    Today Together Typically Unfortunately Until Usually Various Via Whereas Whether Within Without
    Accordingly Alternatively Based Building Clearly Early Following Like Neither Later
    Im Zu Zur Zum Auf Bei Mit Nach Für Es Er Sie Auch Aber Als Da Dann Wenn Un Ce Il Elle On Se"""
)
SURNAME_LIKE = _words("He An As So No See De La Le Les Los Las El Il Os Son Das Die Der Im")
EXCLAIMED_NAMES = _words("Yahoo Jeopardy Oxfam Wham")
GERMAN_AFTER_ORDINAL = _words(
    """Januar Februar März April Mai Juni Juli August September Oktober November Dezember
    Jahrhundert Jahrhunderts Lebensjahr Kapitel Auflage Tag Platz"""
)
# Ordinary words too when written small: only a number after them says otherwise.
COUNTED = _words("Abb Tab Kap Abschn Fig Gl Anh")
ALSO_WORDS = _words("no par col v s n def mar dec sec est")
BEFORE_AL = frozenset({"et", "&", "e", "u", "и"})
