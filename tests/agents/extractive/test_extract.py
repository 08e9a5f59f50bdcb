from collections.abc import Sequence

import pytest

from agents.extractive.extract import MAX_EMBEDDED, MIN_CONFIDENCE, Extract, extract
from indexing.embedding import MiniLMEmbedder, Vectors

LEASE = """3. Term
The lease begins on 1 April 2024 and ends on 31 March 2027, unless it is
terminated earlier under Art. 9.2 of this agreement. It may be renewed once for two years.

4. Rent
The monthly rent is EUR 1,250.50, payable in advance by the third working day of each month.
The tenant shall pay a deposit of three months' rent before moving in."""

SIGNATURES = """12. Signatures
For the landlord: Anna Berger, managing director
For the tenant: Thomas Reed
Done in Vienna on 12 March 2024."""

PRICES = """Item | Unit price | Stock
Hand truck | 89.00 | 14
Pallet jack | 310.00 | 6
Shelf, steel | 145.50 | 22"""

HANDOVER = """Handover of the flat
The tenant must bring the following documents:
- a valid passport or identity card
- the last three payslips
- proof of liability insurance
The keys are handed over by the caretaker on the first day of the lease."""

WARRANTY = """Warranty
Wear parts such as wheels and seals are not covered by the warranty. All other parts are covered
for 24 months from delivery. A claim is made in writing, and the serial number must be stated."""

PASSAGES = (LEASE, SIGNATURES, PRICES, HANDOVER, WARRANTY)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("When does the lease end?", "31 March 2027", id="date"),
        pytest.param("What is the price of the pallet jack?", "Unit price: 310.00", id="table row"),
        pytest.param("Who signs for the landlord?", "Anna Berger", id="person"),
        pytest.param("How much is the monthly rent?", "EUR 1,250.50", id="amount"),
        pytest.param("Who hands over the keys?", "the caretaker", id="person without a name"),
        pytest.param("What is not covered by the warranty?", "Wear parts", id="negation"),
        pytest.param("How high is the deposit?", "three months' rent", id="few words"),
        pytest.param("pallet jack", "Unit price: 310.00", id="keywords only"),
    ],
)
def test_question_finds_its_sentence(question: str, answer: str, embedder: MiniLMEmbedder) -> None:
    found = extract(question, PASSAGES, embedder.embed)

    assert answer in found.sentences[0].text
    assert len(found.sentences) <= 2


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Mongolia?",
        "How do I bake sourdough bread?",
        "When does the insurance end?",
        "What is the price of the forklift?",
    ],
)
def test_question_without_an_answer_is_refused(question: str, embedder: MiniLMEmbedder) -> None:
    found = extract(question, PASSAGES, embedder.embed)

    assert found.sentences == ()
    assert 0 <= found.confidence < MIN_CONFIDENCE


def test_sentence_wrapped_over_lines_is_whole(embedder: MiniLMEmbedder) -> None:
    found = extract("When does the lease end?", PASSAGES, embedder.embed)

    assert [(sentence.passage, sentence.text) for sentence in found.sentences] == [
        (0, " ".join(LEASE.splitlines()[1:3]).split(" It may")[0])
    ]


def test_question_for_a_list_returns_it_with_its_announcement(embedder: MiniLMEmbedder) -> None:
    found = extract("What documents must the tenant bring?", PASSAGES, embedder.embed)

    assert [sentence.text for sentence in found.sentences] == HANDOVER.splitlines()[1:5]


def test_question_for_one_item_returns_it_alone(embedder: MiniLMEmbedder) -> None:
    found = extract("How many of the last payslips?", [HANDOVER], embedder.embed)

    assert [sentence.text for sentence in found.sentences] == ["- the last three payslips"]


def test_broad_question_takes_several_sentences_in_order(embedder: MiniLMEmbedder) -> None:
    found = extract("Summarise what the warranty covers.", [WARRANTY], embedder.embed)

    texts = [sentence.text for sentence in found.sentences]
    assert 2 <= len(texts) <= 4
    assert texts == sorted(texts, key=" ".join(WARRANTY.split()).index)


def test_what_two_passages_both_say_is_said_once(embedder: MiniLMEmbedder) -> None:
    found = extract("What is the monthly rent?", [LEASE, LEASE], embedder.embed)

    texts = [sentence.text for sentence in found.sentences]
    assert len(texts) == len(set(texts))
    assert {sentence.passage for sentence in found.sentences} == {0}


def test_passage_names_where_the_sentence_stands(embedder: MiniLMEmbedder) -> None:
    for start in range(len(PASSAGES)):
        passages = [*PASSAGES[start:], *PASSAGES[:start]]
        (sentence, *_) = extract("Who signs for the landlord?", passages, embedder.embed).sentences

        assert sentence.text in passages[sentence.passage]


def test_same_question_gets_the_same_extract(embedder: MiniLMEmbedder) -> None:
    first = extract("How is a claim made?", PASSAGES, embedder.embed)

    assert extract("How is a claim made?", PASSAGES, embedder.embed) == first


@pytest.mark.parametrize(
    ("asked", "swapped"),
    [
        pytest.param("When does the lease begin?", "When does the lease not begin?", id="negation"),
        pytest.param("What did Ann buy in 2019?", "What did Ann sell in 2019?", id="opposite"),
        pytest.param("What did Ann buy in 2019?", "What did Ann buy in 2018?", id="number"),
        pytest.param("What did Ann buy in 2019?", "What did Meg buy in 2019?", id="name"),
    ],
)
def test_trick_question_is_trusted_less(asked: str, swapped: str, embedder: MiniLMEmbedder) -> None:
    passages = [*PASSAGES, "In 2019 Ann decided to buy the old mill. It was restored by her son."]

    plain, trick = (extract(one, passages, embedder.embed) for one in (asked, swapped))

    assert trick.confidence < plain.confidence - 0.1


def test_only_the_most_promising_sentences_are_embedded(embedder: MiniLMEmbedder) -> None:
    embedded: list[int] = []

    def embed(texts: Sequence[str]) -> Vectors:
        embedded.append(len(texts))
        return embedder.embed(texts)

    filler = " ".join(f"Clause {number} says nothing of interest." for number in range(60))
    found = extract("When does the lease end?", [filler, *PASSAGES], embed)

    assert embedded == [1 + MAX_EMBEDDED]
    assert "31 March 2027" in found.sentences[0].text


@pytest.mark.parametrize("passages", [[], [""], ["\n \n"]], ids=["none", "empty", "blank"])
def test_nothing_is_found_in_nothing(passages: list[str], embedder: MiniLMEmbedder) -> None:
    assert extract("When does the lease end?", passages, embedder.embed) == Extract((), 0.0)


@pytest.mark.parametrize("question", ["", "?", "the", "家賃はいくらですか"])
def test_question_without_english_terms_fails_nowhere(
    question: str, embedder: MiniLMEmbedder
) -> None:
    found = extract(question, PASSAGES, embedder.embed)

    assert 0 <= found.confidence <= 1


@pytest.mark.parametrize(
    ("question", "passage", "answer"),
    [
        pytest.param(
            "Wann endet der Mietvertrag?",
            "Die Miete beträgt 900 Euro. Der Mietvertrag endet am 31.03.2027. Hunde sind erlaubt.",
            "31.03.2027",
            id="german",
        ),
        pytest.param(
            "Combien coûte le loyer ?",
            "Le jardin est commun. Le loyer mensuel coûte 900 euros. Les chiens sont admis.",
            "900 euros",
            id="french",
        ),
        pytest.param(
            "¿Quién firma el contrato?",
            "La renta es de 900 euros. El contrato lo firma Ana Pérez. El jardín es común.",
            "Ana Pérez",
            id="spanish",
        ),
        pytest.param(
            "家賃はいくらですか", "犬は飼えません。家賃は十万円です。", "十万円", id="japanese"
        ),
    ],
)
def test_other_languages_are_answered(
    question: str, passage: str, answer: str, embedder: MiniLMEmbedder
) -> None:
    found = extract(question, [passage], embedder.embed)

    assert answer in found.sentences[0].text


def test_question_about_a_cell_is_answered_by_it_alone(embedder: MiniLMEmbedder) -> None:
    sheet = "Consolidated Balance Sheets\n2023 2022\nReceivables 1,141 1,042\nCash $ 1,874 $ 2,936"

    found = extract("How much cash was there at the end of 2022?", [LEASE, sheet], embedder.embed)

    assert [sentence.text for sentence in found.sentences] == ["Cash; 2022: $ 2,936"]
