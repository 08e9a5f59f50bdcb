import pytest

from indexing.partition.texts.code_pages import guess_encoding

GERMAN = "Der Schlüssel für die Tür hängt über der Waage; das Öl läuft aus der großen Kanne."
CZECH = "Nájemní smlouva končí v březnu; klíč má vrátný u dveří skladiště."


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", GERMAN),
        ("cp1252", "L’été dernier, les élèves ont étudié à l’école près de la forêt."),
        ("cp1252", "El niño comió mañana, señal del año español. ¿Qué tal?"),
        ("cp1250", CZECH),
        ("cp1250", "Zażółć gęślą jaźń, proszę przynieść książki."),
        ("cp1251", "Договор аренды заключён между сторонами."),
        ("cp1251", "Привет, мир"),
        ("cp1253", "Η σύμβαση μίσθωσης λήγει τον Μάρτιο."),
        ("cp1254", "Sözleşme mart ayında sona erecektir, İstanbul şubesi."),
        ("cp1255", "חוזה השכירות מסתיים במרץ."),
        ("cp1256", "ينتهي عقد الإيجار في مارس."),
        ("iso8859_6", "ينتهي عقد الإيجار في مارس."),
        ("cp874", "สัญญาเช่าสิ้นสุดในเดือนมีนาคม ค่าเช่าชำระทุกเดือน"),
        ("mac_cyrillic", "Договор аренды заключён между сторонами."),
        ("euc_jp", "契約は三月に終了します。家賃は毎月支払われます。"),
        ("cp1257", "Nomas līgums beidzas martā; šķūņa īre jāmaksā."),
        ("koi8_u", "Договор аренды заключён между сторонами."),
        ("mac_roman", GERMAN),
        ("cp850", GERMAN),
        ("cp932", "契約は三月に終了します。家賃は毎月支払われます。"),
        ("gb18030", "租赁合同于三月结束。租金每月支付，押金为一万二千英镑。"),
        ("cp949", "임대 계약은 3월에 종료됩니다. 임대료는 매월 지불됩니다."),
        ("cp949", "똠방각하 씨는 임대료를 매월 1일에 지불하고, 열쇠는 관리인에게 맡깁니다."),
        ("cp855", "Договор аренды заключён между сторонами на два года."),
        ("cp866", "Ключ от склада лежит у сторожа."),
        ("cp1251", "Уговор о закупу истиче у марту, а кључ је код чувара."),
        ("cp1251", "Договорът за наем изтича през март, ключът е при пазача."),
        ("koi8_u", "Договір оренди закінчується в березні, ключ у сторожа."),
        ("cp1251", "Вся заявка принята; я и моя семья не меняются."),
        ("cp1255", "השוכר ישלם את דמי השכירות בכל חודש, והמפתח אצל השומר בכניסה."),
        ("cp1255", "הַמַּפְתֵּחַ אֵצֶל הַשּׁוֹמֵר"),
        ("iso8859_7", "Άδεια εισόδου έχει ο φύλακας, Άννα."),
        ("cp852", "A bérleti szerződés márciusban lejár, a kulcs az őrnél van."),
        ("mac_roman", "Sopimus päättyy keväällä; avain on vartijalla yöllä."),
        ("cp1252", "Il contratto è di due anni; la chiave è lì, più in là."),
        ("big5", "租約於三月到期，租金每月支付，鑰匙在管理員那裡。"),
        ("euc_jp", "鍵は守衛が持っている。"),
        ("cp737", "Η σύμβαση μίσθωσης λήγει τον Μάρτιο."),
        ("cp869", "Η σύμβαση μίσθωσης λήγει τον Μάρτιο."),
        ("mac_greek", "Η σύμβαση αυτή λήγει τον Μάρτιο. Το κλειδί της αποθήκης έχει ο φύλακας."),
        ("cp862", "השוכר ישלם את דמי השכירות בכל חודש, והמפתח אצל השומר בכניסה."),
        ("cp857", "Sözleşme mart ayında sona erecektir, anahtar kapıdaki görevlide, İstanbul."),
        ("cp775", "Nuomos sutartis baigiasi kovo mėnesį; raktą turi sargas prie įėjimo."),
        ("cp775", "Nomas līgums beidzas martā; šķūņa īre jāmaksā."),
        ("cp720", "ينتهي عقد الإيجار في مارس."),
        ("cp860", "O contrato não é válido até março; a chave está com o porteiro, à saída."),
        ("mac_latin2", CZECH),
    ],
)
def test_text_of_old_computers_reads_as_it_was_written(encoding: str, text: str) -> None:
    sample = text.encode(encoding)

    assert sample.decode(guess_encoding(sample)) == text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Pieza;Descripción\n1;Caño Ø20\n2;Válvula Ø 32\n", id="Spanish"),
        pytest.param("Tuyau Ø 48 mm, coudé à 90°\nPoignée Ø 12, délai : 3 jours\n", id="French"),
        pytest.param("Tubo Ø20;qualità A\nGomito Ø25;qualità B\n", id="Italian"),
        pytest.param(
            "Achse;Größe;Stück\nAchse Ø20;3\nAchse Ø25 für Küche;4\nAchse Ø20;1\n", id="German"
        ),
        pytest.param("Tubería ø20\nVálvula ø 25\n", id="small"),
    ],
)
def test_sign_of_a_diameter_is_one_in_every_language(text: str) -> None:
    assert guess_encoding(text.encode("cp1252")) == "cp1252"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        pytest.param("cp1252", "Ökohof;Lüneburg\nÖmer;Nürtingen\n", id="umlauts of Windows"),
        pytest.param("cp1252", "Name\tMenge\nBüttner\t5\nÖmer\t7\n", id="two umlauts"),
        pytest.param("cp850", "Año;Meses\n2021;12\n", id="Spanish of DOS"),
        pytest.param("cp850", "Muñoz;Teléfono\nIñaki;12\n", id="small letters of DOS"),
    ],
)
def test_signs_and_capitals_do_not_stand_within_words(encoding: str, text: str) -> None:
    sample = text.encode(encoding)

    assert sample.decode(guess_encoding(sample)) == text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Før møtet", id="Norwegian"),
        pytest.param("La porta és oberta; això és català, però també històric.", id="Catalan"),
        pytest.param("On va à la gare à midi", id="à alone"),
    ],
)
def test_languages_of_windows_are_told_by_their_own_letters(text: str) -> None:
    assert guess_encoding(text.encode("cp1252")) == "cp1252"


@pytest.mark.parametrize(
    "text",
    [
        "It’s ours — yours, too.",
        "He paid “at once”… twice.",
        "The fee is £5, or 7 € on the 1–2 May.",
        "§ 5 of the law, © 2020, Brand™ and Other®",
        "• 20 °C ± 1 at 50 µg/m³, 1 ½ × 2",
        "Bar Ø 20, ø25; 1º and 2ª",
    ],
)
def test_signs_alone_are_those_of_windows(text: str) -> None:
    assert guess_encoding(text.encode("cp1252")) == "cp1252"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        pytest.param("cp850", "Le café est déjà fermé.", id="French of DOS"),
        pytest.param("iso8859_2", "Źle, śnieg pada, a wąż śpi.", id="Polish"),
        pytest.param("cp932", "ああ、そうです。", id="Japanese"),
    ],
)
def test_letters_with_the_bytes_of_signs_stay_letters(encoding: str, text: str) -> None:
    assert guess_encoding(text.encode(encoding)) == encoding


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        pytest.param("cp932", "氏名,住所\n山田太郎,東京都\n鈴木一郎,大阪府\n", id="names of Japan"),
        pytest.param("euc_jp", "商品;金額\n醤油;300\n味噌;450\n昆布;800\n", id="goods of Japan"),
        pytest.param("gb18030", "产品;数量\n螺丝;100\n钢管;20\n水泵;3\n", id="goods of China"),
        pytest.param("big5", "姓名,電話\n王小明,0912\n陳怡君,0922\n", id="names of Taiwan"),
        pytest.param("cp932", "高橋", id="one name"),
        pytest.param("cp874", "ใบเสร็จรับเงิน", id="one word of Thai"),
        pytest.param("iso8859_2", "id;name\n1;Rozman d.o.o.\n2;Žižek d.o.o.\n", id="of Slovenia"),
    ],
)
def test_lists_of_names_and_goods_read_as_they_were_written(encoding: str, text: str) -> None:
    sample = text.encode(encoding)

    assert sample.decode(guess_encoding(sample)) == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1253", "Άδεια εισόδου έχει ο φύλακας, Άννα."),
        ("cp1253", "Άρθρο 5: Ο μισθωτής πληρώνει κάθε μήνα."),
        ("iso8859_7", "Άρθρο 5: Ο μισθωτής πληρώνει κάθε μήνα."),
        ("iso8859_7", "Το σπίτι της είναι μακριά απ’ όλα."),
    ],
)
def test_greek_alpha_with_its_accent_is_no_apostrophe(encoding: str, text: str) -> None:
    sample = text.encode(encoding)

    assert sample.decode(guess_encoding(sample)) == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        pytest.param("iso8859_15", "Miete: 500,00 €\nKaution: 1.500,00 €\n", id="amounts alone"),
        pytest.param("iso8859_15", "Item;Price\nBolt;€ 5.00\nNut;€ 0.40\n", id="before figures"),
        pytest.param("iso8859_15", "Größe;Preis\nklein;5 €\n", id="German"),
        pytest.param("iso8859_15", "Le café coûte 2 €.", id="French"),
        pytest.param("cp1252", "Le café coûte 2 €.", id="of Windows"),
        pytest.param("mac_roman", "Nach § 5 der Verordnung über Häuser", id="§ of Macintosh"),
        pytest.param("cp850", "Año 2021: 300 niños", id="ñ of DOS"),
    ],
)
def test_amounts_in_euros_are_read(encoding: str, text: str) -> None:
    sample = text.encode(encoding)

    assert sample.decode(guess_encoding(sample)) == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        pytest.param("cp1250", "Ključ je pri čuvarju.", id="Slovene"),
        pytest.param("iso8859_2", "Najemnina se plača vsak mesec.", id="Slovene of Unix"),
        pytest.param("cp852", "Pogodba preneha marca, ključ ima hišnik.", id="Slovene of DOS"),
        pytest.param("cp1250", "Stan se plaća na početku mjeseca.", id="Croatian"),
        pytest.param("cp1250", "Chiria se plăteşte din martie.", id="Romanian"),
        pytest.param("iso8859_2", "Cheia este la paznic, lângă uşă.", id="Romanian of Unix"),
        pytest.param("cp850", "Der Schlüssel hängt an der Tür.", id="German of DOS"),
        pytest.param("cp1250", "Written by Dvořák and Šimůnek in the autumn.", id="English"),
    ],
)
def test_a_short_text_is_told_by_the_words_around_its_letters(encoding: str, text: str) -> None:
    sample = text.encode(encoding)

    assert sample.decode(guess_encoding(sample)) == text


def test_text_with_a_few_words_of_another_encoding_pasted_into_it_is_utf8() -> None:
    content = "Über uns: Lebensqualität für Gärten, schöne Bäume".encode() + "Gärtner".encode(
        "cp1252"
    )

    assert guess_encoding(content) == "utf-8"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        pytest.param("cp850", "╔═══════╗\n║ Käse  ║\n╚═══════╝\nGrüße", id="a box"),
        pytest.param("cp437", "╒═══════╤════╕\n│ Cheese│ 10 │\n╞═══════╪════╡", id="both lines"),
        pytest.param("cp866", "┌───────┐\n│ Ключ  │\n└───────┘\nу сторожа", id="Russian"),
        pytest.param("cp737", "╔═══════╗\n║ Κλειδί║\n╟───────╢\nστον φύλακα", id="Greek"),
        pytest.param("cp862", "┌───────┐\n│ מפתח  │\n└───────┘\nאצל השומר", id="Hebrew"),
        pytest.param("cp852", "┌───────┐\n│ Klíč  │\n└───────┘\nmá vrátný u dveří", id="Czech"),
    ],
)
def test_a_text_with_boxes_is_of_dos(encoding: str, text: str) -> None:
    sample = text.encode(encoding)

    assert sample.decode(guess_encoding(sample)) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        # Tones are marks of their own in this code page, the accents of letters are not.
        pytest.param(
            "Hô\u0323i đô\u0300ng qua\u0309n tri\u0323 quyê\u0301t đi\u0323nh sư\u0309a chư\u0303a",
            "cp1258",
            id="Vietnamese",
        ),
        pytest.param("Così può partire lunedì, però non ciò che può", "cp1252", id="Italian"),
        pytest.param("Viņa ceļš, viņi, reģions, viņam, soļi", "cp1257", id="Latvian"),
        pytest.param("Размер A м, B т; масса и объём в CAD", "cp1251", id="Russian"),
    ],
)
def test_vietnamese_is_told_by_its_tones(text: str, encoding: str) -> None:
    assert guess_encoding(text.encode(encoding)) == encoding
