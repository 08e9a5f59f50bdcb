"""The words by which questions show what they ask for, in the larger European languages.

In small letters and without accents. They are regular expressions between blanks; `_` stands for a
blank inside one.
"""

from collections.abc import Mapping

QUESTION = {
    "en": "what when where who whom whose why how which",
    "de": r"was wann wo wer wen wem wessen warum wieso wie wieviel\w* welche\w* wohin woher",
    "fr": "quand qui que quoi pourquoi comment combien quels? quelles?",
    "es": r"que quien\w* cuando donde como cuant\w+ cual\w*",
    "it": "cosa chi quando dove perche come quant[oaie] qual[ei]?",
    "pt": r"que quem quando onde porque como quant\w+ qua(?:l|is)",
    "nl": r"wat wanneer waar wie waarom hoe\w* welke?",
    "pl": r"co kiedy gdzie kto dlaczego jak\w* ile ktor\w+",
    "sv": "vad nar var vem varfor hur vilke[nt] vilka",
    "da": r"hvad hvornar hvor\w* hvem hvilke\w*",
    "ru": r"что когда где кто почему как\w* сколько",
}

AND = {
    "en": "and",
    "de": "und",
    "fr": "et",
    "es": "y e",
    "it": "e ed",
    "nl": "en",
    "pl": "i oraz",
    "sv": "och",
    "da": "og",
    "ru": "и",
}

OR = {
    "en": "or",
    "de": "oder",
    "fr": "ou",
    "es": "o u",
    "nl": "of",
    "pl": "lub albo czy",
    "sv": "eller",
    "ru": "или",
}

COMPARING = {
    "en": r"compare\w* compari\w+ versus vs contrasts? differences? differs? similarit\w+ "
    r"in_common exceed\w* surpass\w* outperform\w* pros_and_cons of_the_two(?!-)",
    "de": r"vergleich\w* verglichen unterschied(?:e|en|s)? unterscheide\w* gegenuberstell\w* "
    "im_gegensatz de[rn]_(?:beiden|zwei|drei)",
    "fr": r"compar\w+ par_rapport_aux? contrairement differe-t\w* differe(?:nt)?_d\w+ des_deux",
    "es": r"diferencias? frente_a a_diferencia de_l[oa]s_dos",
    "it": r"confront(?:o|a|are|ando|ata|ate|ati|ato) paragon\w+ differenz[ae] de(?:i|lle)_due",
    "pt": "diferencas? d[oa]s_(?:dois|duas)",
    "nl": r"vergelijk\w* vergeleken verschil(?:len)? ten_opzichte van_de_twee",
    "pl": r"porown\w+ roznic\w* rozni(?:a|y)?",
    "cs": r"porovn\w+ rozdil\w*",
    "sv": r"jamfor\w* skillnad\w*",
    "da": r"sammenlign\w* forskel\w* forskjell\w*",
    "ru": r"сравн\w* отлича\w* разниц\w* различи\w*",
    "zh": "比较 比較 区别 差异 違い",
    "ko": "비교 차이",
}

MORE_THAN = {
    "en": r"(?<!other\s)(?<!rather\s)than",
    "de": r"\w{2,}er_als",
    "fr": r"(?:plus|moins)_\w+_qu\w*",
    "es": r"(?:mas|menos)_\w+_que",
    "it": r"(?:piu|meno)_\w+_(?:di|che|del\w*)",
    "pt": r"(?:mais|menos)_\w+_(?:do_)?que",
    "nl": r"\w{2,}er_dan",
    "pl": "niz",
    "sv": "(?:storre|mindre|hogre|lagre|mer|fler|battre|samre|aldre|yngre|langre|kortare)_an",
}

COMPARATIVE = {
    "en": "older younger higher lower larger bigger smaller greater longer shorter faster slower "
    "cheaper earlier later newer better worse stronger more less fewer first",
}

SHARING = {"en": "both same", "de": "beide gleiche[nrs]?", "fr": "tous_deux meme", "es": "ambos"}

JOINING = {
    "en": "respectively as_well_as for_each each_of of_both",
    "de": "sowie jeweils beider",
    "fr": r"ainsi_que respectivement pour_cha(?:que|cun\w*)",
    "es": "asi_como respectivamente para_cada",
    "it": "nonche rispettivamente per_ogni",
    "pt": "assim_como respetivamente",
    "nl": "evenals respectievelijk",
    "pl": "zarowno",
    "sv": "respektive samt",
}

COMPUTING = {
    "en": r"calculat(?:e|es|ing) compute sum_of total_of add_up in_total altogether "
    r"combined(?=\W*$) ratio cagr growth_rate year[-\s]o(?:n|ver)[-\s]year "
    r"average_(?:of|over|between) \d+[-\s]years?_average "
    r"percent\w*_(?:change|increase|decrease|growth|difference|gap|points?) "
    r"by_what_percent\w* how_many_(?:days|weeks|months|years|hours)_(?:\w+_){0,3}?between "
    r"(?:mean|median|average)_(?:\w+_){1,3}?(?:of|over|across|between) "
    r"as_an?_(?:%|percent\w*|share|proportion)_of "
    r"how_(?:much|many)_(?:\w+_){0,2}?(?:more|less|fewer|higher|lower|larger|smaller|longer) "
    r"by_how_m(?:uch|any) round(?:ed)?_(?:your|the_answer|it|to|up|off) divided_by multiplied_by",
    "de": r"berechn\w* errechn\w* ausrechn\w* summe insgesamt zusammengerechnet um_wie_?viel\w* "
    r"wie_?viele?_(?:\w+_){0,2}?(?:mehr|weniger|hoher|niedriger) prozentual\w* wachstumsrate",
    "fr": r"calcul(?:e|er|ez|ons)? la_somme_d\w+ au_total en_tout de_combien "
    r"combien_(?:\w+_){0,2}?(?:plus|moins) taux_de_croissance",
    "es": r"calcul(?:a|ar|e|o) la_suma_de en_total cuant\w+_(?:\w+_)?(?:mas|menos) en_cuanto "
    "tasa_de_crecimiento",
    "it": r"calcol\w* la_somma in_totale complessivamente di_quanto "
    r"quant[oaie]_(?:\w+_)?(?:in_)?(?:piu|meno) tasso_di_crescita",
    "pt": r"calcul(?:e|ar) a_soma no_total quant\w+_a_mais taxa_de_crescimento",
    "nl": r"bereken\w* som_van in_totaal hoeveel_(?:\w+_)?(?:meer|minder) groeipercentage",
    "pl": r"oblicz\w* suma lacznie o_ile ile_(?:wiecej|mniej)",
    "sv": r"berakna\w* summan sammanlagt hur_mycket_\w+_mer",
    "da": r"beregn\w* tilsammen sammenlagt",
    "ru": r"вычисл\w* рассчита\w* посчита\w* в_сумме на_сколько",
}

CHANGING = {
    "en": r"increas\w+ decreas\w+ chang\w+ grow\w* grew drop\w* rise[sn]? rose fell declin\w+",
    "de": r"gestiegen gesunken gewachsen veranderung anstieg verandert",
    "fr": r"augment\w+ diminu\w+ evolu\w+",
    "es": r"aument\w+ disminu\w+ cambi\w+ crec\w+",
    "it": r"aument\w+ diminu\w+ variaz\w+ cresc\w+",
    "nl": "gestegen gedaald toegenomen gegroeid",
    "pl": r"wzr\w+ spad\w+",
    "sv": "okat minskat okningen",
}

FROM = {
    "en": "from between since",
    "de": "von zwischen seit",
    "fr": "de entre depuis",
    "es": "desde",
    "it": "dal? tra fra",
    "nl": "van tussen sinds",
    "pl": "od miedzy",
    "sv": "fran mellan sedan",
}

EXPLAINING = {
    "en": r"why explain\w* describ\w* summar\w* outline discuss elaborate analy[sz]\w* evaluat\w* "
    "assess enumerate overview tell_me reasons consequences implications",
    "de": r"warum wieso weshalb erklar\w* beschreib\w* zusammenfass\w* fasse? erlauter\w* "
    r"uberblick auswirkung\w*",
    "fr": r"pourquoi expliqu\w* decri\w* resum\w* detaill\w* enumer\w*",
    "es": r"por_que explica\w* expliq\w* resume analiz\w* enumera\w*",
    "it": r"perche spiega\w* descriv\w* riassum\w* elenca\w*",
    "pt": r"porque descrev\w* resuma analis\w*",
    "nl": r"waarom beschrijf samenvat\w* verklaar",
    "pl": r"dlaczego wyjasni\w* opisz podsumuj strescz\w* wymien\w*",
    "sv": r"varfor forklar\w* beskriv\w* sammanfatta\w*",
    "da": r"hvorfor",
    "ru": r"почему зачем объясни\w* опиши\w* перечисли\w* обобщи\w*",
    "zh": "为什么 為什麼 なぜ どうして 解释 説明 总结 要約",
    "ko": "왜",
}

BEGINNING_TO_EXPLAIN = {
    "en": "how(?!_(?:many|much|long|old|far|often|big|large|high|tall|deep|wide|fast|heavy|late"
    r"|soon)\b) what_(?:should|shall) what_does_(?:\w+_){1,4}say list write draft translate",
    "de": r"wie(?!_?(?:viel\w*|lange?|hoch|oft|alt|gross|weit|heiss\w+|laute[nt])\b) "
    "was_(?:steht|sagt)",
    "fr": "comment(?!_s.appel) que_dit liste",
    "es": "como(?!_se_llama) que_dice lista",
    "it": "come(?!_si_chiama) cosa_dice",
    "nl": r"hoe(?!_?(?:veel|lang|hoog|vaak|oud|groot|ver)\b)",
    "pl": r"jak(?!_(?:dlug|duz|wysok|czesto))",
    "sv": r"hur(?!_(?:manga|mycket|lange|gammal|stor\w*|ofta)\b)",
    "ru": r"как(?!_(?:долго|часто|далеко|зовут|называется)\b)",
}
"""Words that ask for an explanation only where a question begins with them."""

UNSPACED = {"zh", "ko"}
"""Languages whose words stand without blanks between them."""


def any_of(table: Mapping[str, str]) -> str:
    """Return an expression that one of the words matches, in whatever language."""
    alternatives = []
    for language, patterns in table.items():
        joined = "|".join(pattern.replace("_", r"\s") for pattern in patterns.split())
        alternatives.append(joined if language in UNSPACED else rf"(?<!\w)(?:{joined})(?!\w)")
    return f"(?:{'|'.join(alternatives)})"


def pair_of(first: Mapping[str, str], second: Mapping[str, str], between: str = "[^?]*") -> str:
    """Return an expression for a word of each table, both of one language."""
    pairs = [
        any_of({language: first[language]}) + between + any_of({language: second[language]})
        for language in first
        if language in second
    ]
    return f"(?:{'|'.join(pairs)})"
