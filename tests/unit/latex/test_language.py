"""Languages: right on an abstract of a dozen words, and silent rather than wrong."""

import pytest

from reviser.latex.language import detect

ABSTRACTS = [
    ("en", "We study how readers follow citations and find that most of them never do."),
    (
        "en",
        "Let $f: X \\to Y$ be a map with $|f(x)| < 1$. We prove that f is bounded in \\emph{X}.",
    ),
    ("en", "BERT, GPT-3 and RoBERTa are tested on GLUE and SQuAD by Müller, Nguyễn and García."),
    (
        "en",
        "Deep networks overfit small corpora. A simple penalty on the norm of each layer helps.",
    ),
    ("en", "Graph attention for traffic: a large benchmark with 42 baselines, none of which win."),
    ("en", "Die casting of aluminium and the defects that it leaves in thin walls are reviewed."),
    ("de", "Wir zeigen, dass die meisten Zitate nie gelesen werden und schlagen eine Prüfung vor."),
    ("de", "In dieser Arbeit wird ein Verfahren vorgestellt, das ohne Trainingsdaten auskommt."),
    ("fr", "Nous montrons que la plupart des citations ne sont jamais lues par les auteurs."),
    ("fr", "Cet article présente une méthode de classification qui n'utilise pas de données."),
    ("es", "En este trabajo se presenta un método para la clasificación de los textos sin datos."),
    (
        "es",
        "Mostramos que la mayoría de las citas no se leen y proponemos una forma de revisarlas.",
    ),
    (
        "it",
        "In questo lavoro presentiamo un metodo per la classificazione dei testi che non usa dati.",
    ),
    (
        "it",
        "Mostriamo che la maggior parte delle citazioni non viene letta e ne proponiamo un esame.",
    ),
    (
        "pt",
        "Neste trabalho apresentamos um método para a classificação de textos que não usa dados.",
    ),
    ("pt", "Mostramos que a maioria das citações não é lida e propomos uma forma de as verificar."),
    ("nl", "In dit werk laten we zien dat de meeste verwijzingen door niemand worden gelezen."),
    ("nl", "Wij stellen een methode voor die zonder gegevens werkt en sneller is dan de andere."),
    ("ru", "В работе показано, что большинство ссылок никто не читает, и предложена их проверка."),
    ("ru", "Мы изучаем методы обучения нейронных сетей, которые не требуют данных."),
    ("uk", "У роботі показано, що більшість посилань ніхто не читає, та запропоновано перевірку."),
    ("uk", "Ми вивчаємо методи навчання нейронних мереж, які не потребують даних."),
    ("zh", "本文提出一种不需要训练数据的文本分类方法，并在三个数据集上进行了实验。"),
    ("zh", "我们使用 BERT 和 GPT 模型来研究论文中的引用是否正确。"),
    ("ja", "本論文では、訓練データを必要としない文書分類手法を提案し、実験を行った。"),
    ("ja", "我々は BERT を用いて引用の正しさを調べる。"),
    ("ko", "본 논문에서는 학습 데이터가 필요 없는 문서 분류 방법을 제안하고 실험하였다."),
]

SILENT = [
    "",
    "   \n ",
    "ResNet ImageNet SQuAD GLUE Adam",
    "Deep residual learning",
    "12 34 5.6 +- 7",
    "\\alpha \\beta $x$ https://example.org/the/of/and/is/in",
    "Vi visar att de flesta hänvisningar inte läses av någon och föreslår en metod för det.",
    "Vi viser at de fleste henvisninger ikke bliver læst af nogen og foreslår en metode til det.",
    "W pracy pokazano, że większość cytowań nie jest czytana, oraz zaproponowano metodę.",
    "Bu çalışmada veri gerektirmeyen bir yöntem ve onun için yeni bir deney sunulmaktadır.",
    "Makalah ini menyajikan metode yang tidak memerlukan data dan lebih cepat dari yang lain.",
    "В тази работа се предлага метод, който не изисква данни и е по-бърз от другите.",
    "У працы паказана, што большасць спасылак ніхто не чытае, і прапанаваная праверка.",
    "У раду је показано да већину референци нико не чита, и предложена је провера.",
    "Η εργασία παρουσιάζει μια μέθοδο που δεν χρειάζεται δεδομένα.",
    "تقدم هذه الورقة طريقة جديدة لتصنيف النصوص دون بيانات.",
    "Gallia est omnis divisa in partes tres, quarum unam incolunt qui ipsorum lingua alii sunt.",
    "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt",
]


@pytest.mark.parametrize(("language", "text"), ABSTRACTS)
def test_an_abstract_is_recognised(language: str, text: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize("text", SILENT)
def test_silence_where_no_answer_is_safe(text: str) -> None:
    assert detect(text) == ""


def test_the_greater_part_decides() -> None:
    french = ABSTRACTS[7][1]
    english = "The most common words of the text decide in which language it is. " * 20
    assert detect(french + english) == "en"


def test_half_and_half_by_script_is_no_crash() -> None:
    assert detect(ABSTRACTS[22][1] + ABSTRACTS[0][1]) in {"zh", "en", ""}
