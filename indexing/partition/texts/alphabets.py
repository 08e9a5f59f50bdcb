"""The letters of languages beyond ASCII, and words by which those of Latin letters are told apart.

The words have letters of ASCII alone, which any encoding leaves as they are, and are no English.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """A language, or some that are alike, as it is written."""

    letters: str  # beyond ASCII, the most frequent ones first
    words: frozenset[bytes] = frozenset()


def _language(letters: str, words: str = "") -> Language:
    return Language(letters, frozenset(words.encode().split()))


WESTERN = (
    _language(
        "üäöß",
        "der die und den von zu das mit ist des auf im nicht ein eine dem als auch es werden aus"
        " sie nach bei wird oder sind kann durch haben zum zur einer wie nur noch",
    ),
    _language(
        "éèàêçôùîûâëïœæü",
        "de la le les des en un une du dans est que pour qui par sur pas plus au ne ce il sont"
        " avec ou se son cette aux leur",
    ),
    _language(
        "óáíéñúü¿¡ºª",
        "de la que el en los se del las un por con una su para es al lo como este sus ser ha",
    ),
    _language(
        "ãáçàéíóêõâúôü",
        "de que da em um para uma os se na por dos como ao das seu sua ou ser nos pelo",
    ),
    _language("éóíàèúçòïü", "de la el que en els les per un del una amb al es ser dels seva han"),
    _language(
        "èàòéùì",
        "di il la che per un del non si da con una le dei della al sono alla come nel gli delle"
        " questo dal",
    ),
    _language("äåöéøæü", "och att det som en av den till med om har ett vid inte eller kan"),
    _language("øåæéòôó", "og det er en til av af som med ikke har om et kan eller skal fra ved"),
    _language("äöå", "ja ei se oli joka mutta kun ovat tai niin kuin sen jos voi jotta"),
    _language("áðíþéóöúæý", "og er sem til um af ekki en eru hann var hafa eftir eru ef"),
    _language("äõüöšž", "ja ei ta see oma kui ning mis ka oli ole ega"),
    _language(
        "ëéïèöüáóíúä",
        "de het een van en dat op te zijn voor met niet aan er om ook als bij door uit worden naar",
    ),
)
CENTRAL = (
    _language(
        "łęąśżóćńź", "na nie jest od po przez za dla jako oraz lub przy ze co tak jak tym czy jej"
    ),
    _language("íáéěřčžýšůúťďňó", "na se je pro ve za po od jako nebo byl jsou jeho tak pod aby"),
    _language("áíéčžýšúľťôňďäóĺŕ", "na sa je pre vo za po od ako alebo bol aby pri podla"),
    _language("áéóöőíüúű", "az hogy nem egy ez meg csak de ha van volt mint vagy kell el lehet"),
    _language(
        "ăîâșțşţ",
        "de la cu pe din nu care este un sau se prin mai ca pentru sunt fi al ale cel lui sa",
    ),
    _language("čšž", "je na za se da ki pri po tudi ne ali lahko ter ni pa ima bi iz od"),
    _language("čšžćđ", "je na za se da su od ne ili koji kao iz te biti nije sa koje bi ima"),
)
TURKISH = (_language("ıüşğçöİâîû", "ve bir bu ile da de olarak olan daha ne kadar sonra her var"),)
BALTIC = (
    _language("āīēšūžņķļģč", "un ir ar ka par tas uz pie vai kas bet lai nav tiek"),
    _language("ėšųžūąįčę", "ir yra su tai kad bei iki ar buvo nuo kaip jo ne arba nera"),
    _language("äõüöšž", "ja ei ta see oma kui ning mis ka oli ole ega"),
)
CYRILLIC = (
    _language("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
    _language("оаніиетвркслудмпзьябгйчхцжїюєшщфґ"),
    _language("аоиентрсвлкдпмъузгбячщцжхюйшфь"),
    _language("аоиенрстујкмвдлпзгбчшцжћњхљђфџ"),
)
GREEK = (_language("αοιετσνηυρπκμλςίόάέωήδγύώχθφβξζψϊΐϋΰ"),)
_HEBREW_POINTS = "".join(map(chr, (*range(0x5B0, 0x5BD), 0x5C1, 0x5C2)))
HEBREW = (_language("יוהלארמתבשנחםדעקפטצןגסזכךףץ" + _HEBREW_POINTS),)
ARABIC = (_language("الينمرتوبدعسفهكقحةجشأصىخطضذءزثئغظؤإآ،؟"),)
THAI = (_language("ารนก่อเ้งมยลวัีดทิสตะปบคหแจุพำชขใไ็์ืูโึผศณซถภธษญฟฐฉฝฆฏฬฎฌฑฒฤฯๆ๊๋ฮฃฅฺฦ฿ํ๎๐๑๒๓๔๕๖๗๘๙ๅ"),)
UNMIXED = {CYRILLIC, GREEK, HEBREW, ARABIC, THAI}
"""Scripts whose words hold no Latin letters."""
