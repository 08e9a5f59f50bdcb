import pytest

from agents.follow_up_rules import completed_by_rules, leans
from agents.history import Turn

REVENUE = Turn("What was the revenue of Siemens in 2022?", "72 billion euros.")
OWNED = Turn("What was Siemens' revenue in 2022?", "72 billion euros.")
LEASE = Turn("When does the lease end?", "It ends in March 2027.")
LIGHT = Turn("When does the lease with Harbour Light end?", "In March 2027.")
TENANT = Turn("Who is the tenant of the warehouse?", "The tenant is Harbour Light Ltd.")
CHIEF = Turn("Who is the CEO of Siemens?", "The CEO of Siemens is Roland Busch.")
RENT = Turn("What is the rent of the warehouse?", "12,000 euros a month.")
CITY = Turn("Where is the office of Acme?", "It is in Hamburg.")
UMSATZ = Turn("Wie hoch war der Umsatz von Siemens im Jahr 2022?", "72 Milliarden Euro.")
VERTRAG = Turn("Wann endet der Mietvertrag?", "Er endet im März 2027.")
CHEF = Turn("Wer ist der Vorstand von Siemens?", "Das ist Roland Busch.")
MIETE = Turn("Wie hoch ist die Miete für das Lager?", "12.000 Euro.")
CHIFFRE = Turn("Quel était le chiffre d'affaires de Renault en 2022 ?", "46 milliards d'euros.")
BAIL = Turn("Quand le bail prend-il fin ?", "En mars 2027.")
VENTAS = Turn("¿Cuáles fueron las ventas de Repsol en 2022?", "75 mil millones.")
CONTRATO = Turn("¿Cuándo termina el contrato?", "En marzo de 2027.")
RICAVI = Turn("Quali erano i ricavi di Fiat nel 2022?", "5 miliardi.")
CONTRATTO = Turn("Quando finisce il contratto?", "A marzo 2027.")


@pytest.mark.parametrize(
    ("question", "turn", "expected"),
    [
        # A period in the place of a period.
        ("and in 2023?", REVENUE, "What was the revenue of Siemens in 2023?"),
        ("2023?", OWNED, "What was Siemens' revenue in 2023?"),
        ("What about 2021 and 2020?", OWNED, "What was Siemens' revenue in 2021 and 2020?"),
        ("And for FY2023?", OWNED, "What was Siemens' revenue in FY2023?"),
        ("and in Q3?", OWNED, "What was Siemens' revenue in 2022 in Q3?"),
        ("and in 2023?", RENT, "What is the rent of the warehouse in 2023?"),
        ("und 2023?", UMSATZ, "Wie hoch war der Umsatz von Siemens im Jahr 2023?"),
        ("Und im Jahr 2021?", UMSATZ, "Wie hoch war der Umsatz von Siemens im Jahr 2021?"),
        ("et en 2023 ?", CHIFFRE, "Quel était le chiffre d'affaires de Renault en 2023 ?"),
        ("¿y en 2023?", VENTAS, "¿Cuáles fueron las ventas de Repsol en 2023?"),
        ("e nel 2023?", RICAVI, "Quali erano i ricavi di Fiat nel 2023?"),
        # A name in the place of a name.
        ("what about Bosch?", REVENUE, "What was the revenue of Bosch in 2022?"),
        ("And Bosch?", OWNED, "What was Bosch's revenue in 2022?"),
        ("and Bosch in 2023?", REVENUE, "What was the revenue of Bosch in 2023?"),
        ("How about Deutsche Bank?", REVENUE, "What was the revenue of Deutsche Bank in 2022?"),
        ("and with Northline?", LIGHT, "When does the lease with Northline end?"),
        ("und Bosch?", UMSATZ, "Wie hoch war der Umsatz von Bosch im Jahr 2022?"),
        ("Was ist mit Bosch?", UMSATZ, "Wie hoch war der Umsatz von Bosch im Jahr 2022?"),
        ("et Peugeot ?", CHIFFRE, "Quel était le chiffre d'affaires de Peugeot en 2022 ?"),
        ("¿Y Iberdrola?", VENTAS, "¿Cuáles fueron las ventas de Iberdrola en 2022?"),
        ("e Pirelli?", RICAVI, "Quali erano i ricavi di Pirelli nel 2022?"),
        # A noun in the place of a noun.
        ("and the deposit?", RENT, "What is the deposit of the warehouse?"),
        ("what about the landlord?", TENANT, "Who is the landlord of the warehouse?"),
        ("und die Kaution?", MIETE, "Wie hoch ist die Kaution für das Lager?"),
        # A pronoun.
        ("Who signed it?", LEASE, "Who signed the lease?"),
        ("and who signed it?", LIGHT, "Who signed the lease with Harbour Light?"),
        ("How old is he?", CHIEF, "How old is Roland Busch?"),
        ("Where does she live?", CHIEF, "Where does Roland Busch live?"),
        ("What are its terms?", LEASE, "What are the lease's terms?"),
        ("What is his salary?", CHIEF, "What is Roland Busch's salary?"),
        ("Who audits them?", OWNED, "Who audits Siemens?"),
        ("Who works there?", CITY, "Who works in Hamburg?"),
        ("What was the profit in that year?", OWNED, "What was the profit in 2022?"),
        ("Wer hat ihn unterschrieben?", VERTRAG, "Wer hat ihn unterschrieben (der Mietvertrag)?"),
        ("Wie alt ist er?", CHEF, "Wie alt ist er (Roland Busch)?"),
        ("Qui l'a signé ?", BAIL, "Qui l'a signé (le bail)?"),
        ("¿Quién lo firmó?", CONTRATO, "¿Quién lo firmó (el contrato)?"),
        ("Chi l'ha firmato?", CONTRATTO, "Chi l'ha firmato (il contratto)?"),
        (
            "Where is it based?",
            Turn("Which company owns the mill?", "Northline owns the mill."),
            "Where is Northline based?",
        ),
        (
            "When were they founded?",
            Turn("Did Opel outsell Ford?", "No."),
            "When were Opel and Ford founded?",
        ),
        (
            "Who wrote it?",
            Turn("What did the annual report of Acme say about risks?", "Little."),
            "Who wrote the annual report of Acme?",
        ),
        (
            "What is her address?",
            Turn("When did Ada Lovelace join?", "In 2020."),
            "What is Ada Lovelace's address?",
        ),
        (
            "Was it approved?",
            Turn("When was the annual budget signed?", "In May."),
            "Was the annual budget approved?",
        ),
        # Where it is not clear, both.
        ("Why?", LEASE, "When does the lease end? Why?"),
        ("and the deposit?", LEASE, "When does the lease end? and the deposit?"),
        ("Und warum?", VERTRAG, "Wann endet der Mietvertrag? Und warum?"),
        ("profit?", OWNED, "What was Siemens' revenue in 2022? profit?"),
        (
            "And what is the yearly rent?",
            TENANT,
            "Who is the tenant of the warehouse? And what is the yearly rent?",
        ),
        (
            "And Bosch?",
            Turn("Does Opel own Ford?", "No."),
            "Does Opel own Ford? And Bosch?",
        ),
        (
            "and in 2024?",
            Turn("How did sales change from 2021 to 2023?", "They grew."),
            "How did sales change from 2021 to 2023? and in 2024?",
        ),
    ],
)
def test_follow_up_is_completed(question: str, turn: Turn, expected: str) -> None:
    assert completed_by_rules(question, [turn]) == expected


def test_follow_up_of_a_follow_up_keeps_what_both_have_said() -> None:
    turns = [OWNED, Turn("and in 2023?", "78 billion."), Turn("and Bosch?", "92 billion.")]

    assert completed_by_rules("and in 2024?", turns) == "What was Bosch's revenue in 2024?"


@pytest.mark.parametrize(
    "question",
    [
        "How much is the yearly rent of the warehouse?",
        "Which itinerary does the carrier Northline follow?",
        "Who is Roland Busch?",
        "Is there a penalty for late payment?",
        "When did Siemens publish its report?",
        "Which clause says that the tenant pays?",
        "Wie hoch ist die Kaution für das Lager?",
        "Quel est le loyer annuel de l'entrepôt ?",
        "¿Quién es el inquilino del almacén?",
        "Chi è il proprietario del magazzino?",
    ],
)
def test_question_that_stands_alone_does_not_lean(question: str) -> None:
    assert not leans(question, LEASE.query)
    assert completed_by_rules(question, [LEASE]) == question
