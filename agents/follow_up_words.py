"""What each language says in a question that leans on the one before it."""

from dataclasses import dataclass

from agents.names import LANGUAGES
from indexing.stop_words import STOP_WORDS


@dataclass(frozen=True, slots=True)
class FollowUpWords:
    """Words of one language; those that are looked for in a text are regular expressions."""

    openings: str  # what a follow-up begins with, and says nothing
    question_words: frozenset[str]
    auxiliaries: frozenset[str]  # verbs that a question has and a fragment has not
    copula: str  # "is" of "Who is the tenant?"
    articles: str
    persons: str  # pronouns, in the place of somebody
    things: str  # in the place of something
    owners: str  # in the place of a possessor
    places: str  # in the place of a place
    years: str  # in the place of a year
    joined: str  # "and"
    noun_words: (
        int  # how many may stand behind an article: adjectives come before their noun or not
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FOLLOW_UP_WORDS = {
    "english": FollowUpWords(
        openings=r"(?:and|but|so|also|then|ok(?:ay)?|what about|how about|and what about)",
        question_words=_words(
            "who whom whose what when where which why how name list tell explain describe"
        ),
        auxiliaries=_words(
            "is are was were be do does did has have had can could will would shall should must "
            "may might"
        ),
        copula=r"(?:is|are|was|were)",
        articles=r"(?:the|an?|this|that|our|their|its)",
        persons=r"(?:he|him|she|her(?=\W*$| (?:in|at|from|to|on|for|with|by|before|after)\b))",
        things=(
            r"(?:it|they|them|(?:this|that|these|those)(?=\W*$| (?:is|are|was|were|mean\w*)\b)"
            r"|(?:this|that|the same) (?:one|company|person|document|contract|report|product))"
        ),
        owners=r"(?:its|their|his|her)(?= \w)",
        places=r"(?<!is )(?<!are )(?<!was )(?<!were )there(?! (?:is|are|was|were|any|a|an)\b)",
        years=r"(?:in )?(?:that|the same) year",
        joined="and",
        noun_words=3,
    ),
    "german": FollowUpWords(
        openings=(
            r"(?:und|aber|also|auch|dann|und was ist mit|was ist mit|und wie (?:ist|sieht) es mit"
            r"|wie (?:ist|sieht) es mit)"
        ),
        question_words=_words(
            "wer wen wem wessen was wann wo wohin woher welche welcher welches welchen welchem "
            "warum weshalb wieso wie wieviel womit wofür nenne"
        ),
        auxiliaries=_words(
            "ist sind war waren hat haben hatte hatten wird werden wurde wurden kann können muss "
            "müssen darf dürfen soll sollen"
        ),
        copula=r"(?:ist|sind|war|waren)",
        articles=r"(?:der|die|das|den|dem|des|ein|eine|einen|einem|einer|im|am|zum|zur|beim|vom)",
        persons=r"(?:er|ihn|ihm)",
        things=(
            r"(?:es|sie|ihnen|diese[rsnm]?(?=\W*$)|das(?=\W*$| (?:ist|war)\b)"
            r"|da\w*(?:mit|für|von|zu|rin|ran))"
        ),
        owners=r"(?:sein|seine[rsnm]?|ihre?|ihre[rsnm]|dessen|deren)(?= \w)",
        places=r"(?:dort|da(?=\W*$))",
        years=r"(?:(?:in|im) )?(?:dem|diesem|selben|demselben|gleichen) jahr",
        joined="und",
        noun_words=3,
    ),
    "french": FollowUpWords(
        openings=r"(?:et|mais|alors|aussi|et pour|qu'en est-il d[eu]|et qu'en est-il d[eu])",
        question_words=_words(
            "qui que quoi quand où quel quelle quels quelles lequel laquelle pourquoi comment "
            "combien qu"
        ),
        auxiliaries=_words(
            "est sont était étaient a ont avait avaient sera seront peut peuvent doit doivent fut"
        ),
        copula=r"(?:est|sont|était|étaient)",
        articles=r"(?:le|la|les|l[’']|un|une|du|des)",
        persons=r"(?:lui)",
        things=r"(?:il|elle|ils|elles|(?<=-)(?:t-)?(?:ils?|elles?)|ça|cela|celui-ci|celle-ci|l[’'](?:a|ont|avait))",
        owners=r"(?:son|sa|ses|leurs?)(?= \w)",
        places=r"(?:là|là-bas|y(?= ))",
        years=r"(?:cette|la même) année(?:-là)?",
        joined="et",
        noun_words=1,
    ),
    "spanish": FollowUpWords(
        openings=r"(?:y|pero|entonces|también|qué hay de|y qué hay de|qué pasa con|y qué pasa con)",
        question_words=_words(
            "quién quiénes qué cuándo dónde cuál cuáles cómo cuánto cuánta cuántos cuántas"
        ),
        auxiliaries=_words(
            "es son era eran fue fueron está están ha han había tiene tienen puede pueden debe "
            "deben hay"
        ),
        copula=r"(?:es|son|era|eran|fue|fueron)",
        articles=r"(?:el|la|los|las|un|una|del|al)",
        persons=r"(?:él|ella)",
        things=r"(?:ello|ellos|ellas|eso|esto|lo|la(?= (?:ha|han|firm\w+|compr\w+|escrib\w+)\b))",
        owners=r"(?:su|sus)(?= \w)",
        places=r"(?:allí|ahí|allá)",
        years=r"(?:en )?(?:ese|el mismo|aquel) año",
        joined="y",
        noun_words=1,
    ),
    "italian": FollowUpWords(
        openings=r"(?:e|ma|allora|anche|e per|che ne è d[ie]\w*|che dire d[ie]\w*)",
        question_words=_words(
            "chi che cosa quando dove quale quali perché come quanto quanta quanti quante qual"
        ),
        auxiliaries=_words(
            "è sono era erano ha hanno aveva avevano sarà saranno può possono deve devono fu"
        ),
        copula=r"(?:è|sono|era|erano|fu)",
        articles=r"(?:il|lo|la|i|gli|le|l[’']|un|uno|una|del|della|dei)",
        persons=r"(?:lui|lei|egli)",
        things=r"(?:esso|essa|essi|esse|loro|ciò|questo(?=\W*$)|quello(?=\W*$)|l[’'](?:ha|hanno|aveva))",
        owners=r"(?:suo|sua|suoi|sue)(?= \w)",
        places=r"(?:lì|là|ci(?= ))",
        years=r"(?:in )?(?:quell[’']|quello stesso |lo stesso )anno",
        joined="e",
        noun_words=1,
    ),
}


def language_of_question(text: str) -> str:
    """Return the language most of the small words are of; the first one where none is."""
    words = text.casefold().replace("’", " ").replace("'", " ").split()
    words = [word.strip("¿¡?!.,;:") for word in words]

    def small(language: str) -> int:
        own = FOLLOW_UP_WORDS[language]
        known = STOP_WORDS[language] | own.question_words | own.auxiliaries
        return sum(word in known for word in words)

    return max(LANGUAGES, key=small)
