"""Sentence boundaries: a table of hard texts, "‖" where one sentence ends and the next begins."""

from itertools import pairwise

import pytest

from reviser.latex.sentences import BINDING, OBJECT, split

MARK = "‖"

# "§§" stands for a formula and "~" for a space that binds, as the prose reader hands them over.
HARD = """\
We follow Smith et al. (2020) in this choice. ‖ The rest is new.
As Li et al. showed, depth helps. ‖ Width does not.
This was first seen by Chen et al. ‖ We repeat their test.
Results agree with Novak et al. [4] on all tasks.
Several authors, e.g. Brown and Green, disagree.
Some choose a small rate, e.g. 0.1, for the start.
The loss is convex, i.e. Every local minimum is global.
It is stable, i.e., it converges. ‖ See Sec. 5.2 for the proof.
See Fig. 3 for the curve. ‖ Fig. 4 shows the error.
The bound in Eq. (7) is tight. ‖ Eq. 8 relaxes it.
Table 5.2 lists all runs. ‖ Version 2.0 was used.
We set the rate to 0.5. ‖ 42 participants took part.
The gain is 3.5. ‖ The loss is 1.2.
J. Smith and A. B. Jones wrote the tool. ‖ It is free.
It was proposed by K. He and X. Zhang.
He moved to the U.S. in 1999. ‖ She stayed.
They sell it in the U.S. ‖ The price is low.
The U.S. Congress passed the act. ‖ It failed.
Accuracy vs. Cost is plotted below.
We compare A vs. B and C vs. D. ‖ A wins.
Others use trees (cf. Alg. 2). ‖ We do not.
Is it true? ‖ We think so.
Can a model reason?! ‖ Nobody knows.
What a result! ‖ It was hailed at once.
He said "it works." ‖ She agreed.
He called it “a dead end.” ‖ Others went on.
He asked "why now?" and left.
"Why not?" she asked. ‖ No answer came.
(This holds for all cases.) ‖ The proof is short.
The proof (see Lee. It is long) was checked twice.
All methods fail (see Table 2.) ‖ We explain why.
It was shown before [1]. ‖ We show it again.
It was shown before.[1] ‖ We show it again.
It was shown before.~[1] ‖ We show it again.
It was shown before. [1] ‖ We show it again.
It was shown before. [1, 2] [3] ‖ We show it again.
It is known. ‖ [7] shows that it holds for trees.
It was shown before.[1]
It was shown before. [12]
We use three sets: Alpha, Beta and Gamma. ‖ All are public.
Note: The order matters. ‖ Nothing else does.
And so on ... ‖ It never ended.
And so on… ‖ It never ended.
We sum a, b, ... Z in turn.
The list is A, B, …, Z. ‖ It is sorted.
He hesitated... but went on.
We bought apples, pears, etc. ‖ They were cheap.
We bought apples, pears, etc. and ate them.
Fruits (apples, pears, etc.) were bought. ‖ They were cheap.
Fruits (apples, etc.). ‖ They were cheap.
iPhone sales rose. ‖ iPhone users cheered. ‖ eBay did not.
We train word vectors. ‖ word2vec is the baseline.
The message is lost. ‖ mRNA decays fast.
It is written with pandas. ‖ numpy is needed too.
As noted in [3]. ‖ however, we differ.
Dr. Adams met Prof. Baker. ‖ Mr. Clark was late.
The firm was Acme Inc. ‖ We bought it.
Acme Corp. Research built the chip.
Sales at Acme Co. rose by 5 percent. ‖ Profits fell.
Meet at 5 p.m. on Monday. ‖ Bring a pen.
Meet at 5 p.m. ‖ The door is open.
She holds a Ph.D. in physics. ‖ He does not.
The samples are i.i.d. ‖ The mean exists.
The samples are i.i.d. and bounded.
The minimum is taken w.r.t. Theta and the data.
See pp. 12-14 and vol. 3. ‖ The index is poor.
See No. 5 and Nos. 6-8. ‖ All agree.
Is it safe? ‖ No. ‖ We must wait.
The answer is no. ‖ We must wait.
Take vitamin C. ‖ The dose is small.
This concludes Part B. ‖ We now turn to tests.
See Appendix A. ‖ The proof is there.
Let §§ be a set. ‖ §§ is finite.
We have §§. ‖ Then it holds.
where §§ is the rate, e.g. §§ or more. ‖ It is fixed.
The value of §§. ‖ Smith proved it.
If §§ and §§, then §§. ‖ Otherwise §§.
For all n > N. ‖ The claim follows.
For a point x. ‖ We then move on.
i. e. The same holds here.
This holds, i. e. for every graph, e. g. a tree.
1. First, load the data. ‖ 2. Then train.
(a) Load the data. ‖ (b) Train.
iv. Clean the text. ‖ It is dirty.
Node.js and Vue.js are common. ‖ We use neither.
The .NET platform is old. ‖ .NET Core is new.
Visit example.org for code. ‖ The data is there too.
We wrote it in C++. ‖ Java was slow.
We wrote it in C#. ‖ Java was slow.
It costs $5. ‖ $3 would be fair.
Prices rose by 5%. ‖ Wages fell.
Yahoo! Answers was crawled. ‖ Then it closed.
We crawled Yahoo! ‖ The data is small.
St. Petersburg is cold. ‖ Mt. Everest is colder.
On Jan. 5 we began. ‖ In Feb. 2020 we stopped.
It began in Sept. 2019. ‖ It ended soon.
See Refs. [3] and [4]. ‖ See also Ref. 5.
Def. 2 and Thm. 3 imply Cor. 4. ‖ Lem. 5 is not needed.
Approx. 30 runs failed. ‖ The rest passed.
They ran ca. 300 trials. ‖ Each took approx. 2 s.
The proof is by induction.\u2019 ‖ He left.
The so-called \u2018law.\u2019 ‖ It is not one.
We ask: Does it scale? ‖ It does.
We ask three things. ‖ Does it scale? ‖ Is it fast? ‖ Is it cheap?
Done? ‖ Yes! ‖ Good.
It failed (why?) and we stopped. ‖ Nothing helped.
It failed (sadly!). ‖ Nothing helped.
The paper of Müller et al. from 2019 is known. ‖ Österberg extended it.
Émile proved it. ‖ Über-models did not help.
We thank the NSF. ‖ DARPA also helped.
This is due to the GPU. ‖ CPUs are slower.
GPT-4 was used. ‖ GPT-3.5 was not.
Llama 2 vs. GPT-4 is unclear.
Model A (cf. Sect. 3.1, Fig. 2a) wins. ‖ Model B loses.
It is defined in Sec. IV. ‖ Sec. V uses it.
It is defined in Sec. A of the book.
The gap (3.2 vs. 3.1 dB) is small. ‖ It may vanish.
Smith, J. and Doe, A. agree. ‖ We do not.
R. A. Fisher coined it. ‖ The name stayed.
Alpha beats Beta.  ‖ Gamma beats both.
The blank is missing here.‖The rest goes on in Fig. 3.‖This too.
It is in the file notes.txt and in data.New for now.
We wait 5 ms. ‖ An hour is long. ‖ Ms. Adams knows.
This is the state of the art. ‖ Section 5 goes beyond it.
Il lui manque le R. ‖ Il l'ajoute donc. ‖ Entre E et T. ‖ Le chemin en résulte.
As Y. Le Cun and K. He showed, depth helps.
The end.
no stop at all
Mixed stops.. ‖ Still fine.
See www.example.org. ‖ The page is long.
Use a.b.c as the key. ‖ The value is d.
Set eps = 1e-3. ‖ Nothing changes.
In Python 3. ‖ The code runs.
Our goal is two-fold. ‖ (i) We want speed. ‖ (ii) We want trust.
This is the first claim [1]; the second is in [2]. ‖ [3] covers both.
(Smith, 2020; Lee et al., 2021). ‖ The trend is clear.
Lee et al.'s model is old. ‖ Ours is new.
The method of Kim et al.[5] is fast. ‖ We use it.
The method of Kim et al.~[5] is fast. ‖ We use it.
Popular nets, viz. Alpha and Beta, are deep. ‖ Gamma is not.
Incl. Alpha, we have three. ‖ Excl. Beta, two.
Gen. Lee and Col. Kurtz met. ‖ They talked.
Ed. note: all are real. ‖ None is fake.
The model, resp. Its dual, is convex.
Type I errors fell. ‖ Type II errors rose.
This is case II. ‖ Case III is open.
We cite the J. Phys. Chem. paper. ‖ It is old.
Published in Proc. Natl. Acad. Sci. last year. ‖ It won.
“We did it,” he wrote. ‖ “It was hard.” ‖ She smiled.
Alice (the sender) waits. ‖ Bob (the receiver) acts.
We found that it helps.” ‖ This is odd.
Ten of 20 tasks pass. ‖ 5 fail. ‖ 5 are open.
At 10 a.m. ‖ We left.
That is it, isn't it? ‖ Right.
Das gilt z. B. für Bäume. ‖ Die Wurzel ist frei.
Das gilt z.B. für Bäume, d. h. für Graphen. ‖ Wir zeigen es.
Siehe Abb. 3 und Kap. 2. ‖ Vgl. auch Müller.
Am 3. Oktober begann es. ‖ Es war kalt.
Das 19. Jahrhundert war lang. ‖ Das 20. Jahrhundert nicht.
Hunde, Katzen usw. ‖ Die Tiere waren jung.
Voir la fig. 2, p. ex. à gauche. ‖ Nous y revenons.
M. Dupont est parti. ‖ Mme Durand reste.
Est-ce vrai ? ‖ Oui ! ‖ Nous le pensons.
Il dit « c'est fini. » ‖ Elle rit.
¿Es cierto? ‖ ¡Sí! ‖ Lo vemos en la fig. 2.
Véase p. ej. la tabla. ‖ Esto basta.
См. рис. 3 и табл. 4. ‖ Они похожи.
Это верно, т. е. доказано. ‖ Мы идём дальше.
Это верно, т.е. доказано. ‖ Мы идём дальше.
Взяли яблоки, груши и т. д. ‖ Они дешёвые.
В 2010 г. вышла статья. ‖ Она важна.
Так писал А. С. Пушкин. ‖ Он прав.
我们提出一种方法。‖它很快。‖真的吗？‖是的！
他说“好。”‖然后走了。
これは方法である．‖次に実験を行う。‖値は３．５だ。
「はい。」と言った。‖次へ進む。
이것은 방법이다. ‖ 그것은 빠르다.
结果如图1所示。‖[3]给出了证明。
The approach of Zhang et al. was extended by Kumar and colleagues. ‖ It has since become standard.
Results on ImageNet (cf. Sec. 4.1) were mixed. ‖ On CIFAR-10, they were better.
We thank Dr. R. Okonkwo and Ms. L. Petersen for comments.
This was done in approx. 3 h. ‖ No further steps were needed.
Is attention all you need? ‖ Not quite.
According to Fig. 2a, loss falls after epoch 10. ‖ From epoch 20 on, it is flat.
Our model (Eq. 3) has 1.5 B parameters. ‖ GPT-2 has the same.
Only Acme Ltd. and Bolt Inc. took part. ‖ Both are based in the U.K.
In the E.U., rules differ. ‖ The U.S. has none.
The temperature was 20 °C. ‖ Pressure was 1 atm. ‖ Both were constant.
She asked, "Is it so?" ‖ Nobody knew.
See also Refs. [1], [2] and [5]. ‖ Ref. [7] is a survey.
The term was coined by W. V. O. Quine. ‖ His paper is famous.
Several tools exist (e.g. spaCy, NLTK, etc.), but none fits.
Use pip install foo. ‖ Then restart.
Data were collected between Jan. and Mar. 2020. ‖ Apr. was skipped.
The gain is small (ca. 0.3 pt.). ‖ Larger gains need more data.
Model no. 5 is best. ‖ Model no. 6 is worst.
Phase I ended. ‖ Phase II began in Oct. 2021.
This holds for all x in S. ‖ Otherwise it fails.
Consider the case n = 1. ‖ Then the sum is empty.
We used Adam [12]. ‖ SGD [13] was slower.
The loss diverged ... ‖ We reduced the rate.
Sentiment is hard!! ‖ Irony is harder.
Vol. 3, No. 2, pp. 5-10. ‖ It is out of print.
The set was built by hand; see App. B.2. ‖ Labels are binary.
Wang et al. (2019, p. 4) claim otherwise. ‖ Their data is lost.
That is what we call the "cold start". ‖ It is well known.
Both A. and B. failed. ‖ C. succeeded.
Approximately 5 min. later it stopped. ‖ No one knew why.
Prof. Lee (Univ. of Oslo) agreed. ‖ So did Mr. Tan.
The St. Louis data set is small. ‖ The Mt. Fuji one is not.
(i) The data is clean. ‖ (ii) The labels are not.
There are two kinds, viz. static and dynamic. ‖ We treat both.
It runs at 30 fps vs. 25 fps for ours. ‖ Latency is equal.
Version 1.2.3 fixed it. ‖ 2.0 broke it again.
Under H. R. 1234, it is banned. ‖ Nobody cares.
We report Acc. and F1. ‖ Prec. is in the appendix.
Their code uses os.path.join. ‖ Ours uses pathlib.
The i.i.d. assumption fails. ‖ The data are not i.i.d. ‖ We model drift.
We drop stop words (the, a, an, ...). ‖ Stemming is not used.
As shown by [4], it fails. ‖ [5] gives a fix.
Our approach, dubbed FOO!, is fast. ‖ BAR? is slow.
A key result is Thm. 4.2 in Sec. 4. ‖ Its proof is long.
The corpus has 3 mio. sentences. ‖ Most are short.
Hier ist Abschn. 3 wichtig. ‖ Dort steht der Beweis, s. Abb. 2.
Die Werte sind ca. 5 % höher. ‖ Das ist viel.
On voit (fig. 3) que c'est vrai. ‖ De plus, c'est simple.
Selon M. Martin et al., c'est faux. ‖ Nous doutons.
El Sr. Pérez lo dijo. ‖ La Dra. Gómez no.
Secondo il prof. Rossi, è vero. ‖ Noi no.
Zie fig. 3 en tab. 2, d.w.z. de kern. ‖ Daarna volgt meer.
Как показано в гл. 2, это верно. ‖ См. также стр. 15.
В 1999 г. он уехал. ‖ В 2005 г. вернулся.
最初の実験は失敗した。‖二回目は成功した（図2）。‖次に進む。
他说：“我不去。”‖她笑了。
図．１に示す。‖続く。
두 번째 실험은 성공했다. ‖ 표 1을 보라.
The state-of-the-art (SOTA) is 91.2. ‖ Ours is 92.0.
Participants were 18 to 65 yrs. old. ‖ Half were women.
What works?, we asked. ‖ Nothing did.
"""

# What no rule here can know: a quotation of two sentences inside one, and a letter that names a
# thing before an unlisted word, which looks like the initial of a name.
MISREAD = """\
He wrote: "This is false. It cannot hold." ‖ We disagree.
Ordered by size: S, M, L. ‖ Prices vary.
It is written in C. ‖ Python is used for plots.
"""

NATURAL = """\
Citation errors are older than the machines that now help to spread them. ‖ A reader who follows \
a reference expects to find the claim there, or at least something near it. ‖ In practice, as \
Ott et al. (1998) put it, "the footnote is an act of faith." ‖ We think it should be an act of \
checking. ‖ Sect. 2 explains how a claim is cut out of its sentence, and Sect. 3 how evidence is \
found. ‖ The tests in Sect. 4 use 29 papers, i.e. all that were open at the time. ‖ What do they \
show? ‖ Mostly that authors are careful. ‖ About 2.4% of the citations were wrong [3]. ‖ Half of \
these named the right group but the wrong year, e.g. 2016 vs. 2018. ‖ Others (see Fig. 2) pointed \
to a survey where the method itself was meant. ‖ None of the errors was malicious. ‖ J. Okafor, \
who read all of them, needed approx. 40 hours. ‖ 12 cases stayed open.[4] ‖ We return to them at \
the end."""


def _read(marked: str) -> tuple[str, set[int]]:
    """The text without marks, and the offsets where sentences after the first begin."""
    marked = marked.replace("§§", OBJECT).replace("~", BINDING)
    text, starts = "", set()
    for number, piece in enumerate(marked.split(MARK)):
        if number:
            starts.add(len(text) + len(piece) - len(piece.lstrip()))
        text += piece
    return text, starts


def _found(text: str) -> set[int]:
    return {span.start for span in split(text)[1:]}


@pytest.mark.parametrize("marked", HARD.splitlines())
def test_hard_sentences_are_cut_where_the_mark_is(marked: str) -> None:
    text, starts = _read(marked)
    edges = [0, *sorted(starts), len(text)]
    wanted = [text[a:b].strip() for a, b in pairwise(edges)]
    assert [text[s.start : s.stop] for s in split(text)] == wanted


@pytest.mark.parametrize("marked", MISREAD.splitlines())
def test_known_misreadings_are_still_misread(marked: str) -> None:
    text, starts = _read(marked)
    assert _found(text) != starts, "now read rightly: move this line to HARD"


def test_natural_text_is_cut_without_error() -> None:
    text, starts = _read(NATURAL)
    assert _found(text) == starts


def test_the_set_is_as_large_as_it_claims() -> None:
    assert sum(line.count(MARK) + 1 for line in HARD.splitlines()) >= 150
    assert len(HARD.splitlines()) >= 150
