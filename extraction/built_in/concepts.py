"""What the words of labels and of fields mean, in the languages of business papers.

"Invoice No.", "Rechnungsnr." and "facture n°" mean the same two things: an invoice and a number. A
label that means what a field means is its label, and one that means something else is not.
"""

import re
import unicodedata
from enum import StrEnum, auto
from functools import lru_cache


class Concept(StrEnum):
    """One of the things that labels of business papers speak of."""

    DOCUMENT = auto()
    INVOICE = auto()
    ORDER = auto()
    CUSTOMER = auto()
    NUMBER = auto()
    DATE = auto()
    DUE = auto()
    DELIVERY = auto()
    EFFECTIVE = auto()
    SIGNED = auto()
    END = auto()
    BIRTH = auto()
    TIME = auto()
    PERIOD = auto()
    TOTAL = auto()
    NET = auto()
    GROSS = auto()
    TAX = auto()
    DISCOUNT = auto()
    ROUNDING = auto()
    PAID = auto()
    CHANGE = auto()
    SERVICE = auto()
    PRICE = auto()
    QUANTITY = auto()
    CURRENCY = auto()
    ROLE = auto()
    ORGANISATION = auto()
    SELLER = auto()
    PARTY = auto()
    PERSON = auto()
    ADDRESS = auto()
    PHONE = auto()
    FAX = auto()
    EMAIL = auto()
    WEBSITE = auto()
    BANK = auto()
    REGISTRATION = auto()
    LAW = auto()
    TABLE = auto()
    STAFF = auto()


BASE = frozenset(
    {
        Concept.DOCUMENT,
        Concept.INVOICE,
        Concept.DATE,
        Concept.EFFECTIVE,
        Concept.NUMBER,
        Concept.TOTAL,
        Concept.CURRENCY,
    }
)
"""What a document is about as a whole: its date, its number or its total may stand there without
any label. A due date or an order number may not.
"""

# A star stands for further letters. Longer phrases win over the shorter ones inside them.
PHRASES: dict[tuple[Concept, ...], str] = {
    (Concept.DOCUMENT,): """agreement | contract* | document | letter | vertrag* | contrat |
        overeenkomst | contratto | contrato | purchase | transaction | issue | issued""",
    (Concept.INVOICE,): """invoice* | receipt* | bill | inv | rechnung* | faktura | facture* |
        factuur* | fattura | factura | ticket | bon | quittung""",
    (Concept.ORDER,): """order | orders | purchase order | po | bestell* | auftrag* |
        commande* | bestelling* | ordine | pedido""",
    (Concept.CUSTOMER,): """customer* | client* | kunde* | klant* | buyer* | bill to |
        billed to | sold to | ship to | debitor* | cliente | abonne""",
    (Concept.NUMBER,): """number | no | nr | num | nummer* | numero | numeros | n° | # | id |
        identifier | code | ref | reference | referenz""",
    (Concept.DATE,): "date | dated | dates | datum | data | fecha | dt | bizdate | day | when",
    (Concept.DUE,): """due date | due by | due on | payment due | payable by | pay by |
        deadline | fallig* | zahlungsziel | zahlbar bis | echeance | date limite* |
        limite de paiement | vervaldatum | uiterste betaaldatum | scadenza | vencimiento |
        overdue""",
    (Concept.DELIVERY,): """delivery | delivered | shipping | shipment | shipped | dispatch* |
        liefer* | versand* | livraison | lever* | verzend* | consegna | entrega""",
    (Concept.EFFECTIVE,): """effective | in force | into force | entered into | made as of |
        dated as of | made and entered | is made | commencement | commence* | start date |
        start | begin | begins | beginning | starts | in kraft | inkrafttreten | vigueur |
        ingangsdatum""",
    (Concept.SIGNED,): "signed | signature | executed | unterzeichnet | signe",
    (Concept.END,): """expiry | expiration | end date | end | ends | until | last day |
        termination | terminated | ablauf""",
    (Concept.BIRTH,): "birth | born | dob | birthday | geburt* | geboren | naissance | geboorte*",
    (Concept.TIME,): "time | uhrzeit | heure | tijd | hours",
    (Concept.PERIOD,): """term | duration | period | how long | years | months | laufzeit |
        dauer | duree | looptijd | durata | plazo | remain in effect | remains in effect |
        in effect | full force and effect | remain in force | remains in force""",
    (Concept.PERIOD, Concept.END): """expire | expires | shall terminate | will terminate |
        terminate on | terminates | terminate upon | automatically terminate | endet""",
    (Concept.TOTAL,): """total | totals | totaal* | gesamt* | summe | somme | grand total |
        amount due | balance due | amount payable | total due | total payable | net total |
        totale | total sales | endbetrag | rechnungsbetrag | montant total | a payer |
        te betalen | importe | zu zahlen | zahlbetrag | overall | sum | total facture |
        net to pay | net a payer |
        amount paid | total paid""",
    (Concept.NET,): """subtotal | subtotaal | sub total | net | netto* | untaxed | ht |
        hors taxe* | excl* | before tax | before taxes | before vat | before gst | without tax |
        without vat | excluding | excluding tax | excluding vat | excl tax | excl vat |
        excl gst | excluding gst | exclusief btw | excl btw | zwischensumme | ohne mwst |
        ohne ust | net amount | net of tax | imponibile | base imponible | taxable amount |
        not including tax | no tax | pre tax""",
    (Concept.GROSS,): """gross | brutto* | incl* | ttc | including tax | including vat |
        including taxes | inclusive of gst | inclusive gst | incl gst | incl tax | incl vat |
        incl btw | inclusief btw | inkl mwst | with tax | tax included | after tax |
        including gst | including all taxes | with gst""",
    (Concept.TAX,): """tax | taxes | vat | gst | sst | mwst | mw st | ust | umsatzsteuer |
        mehrwertsteuer | tva | btw | iva | sales tax | steuer*""",
    (Concept.DISCOUNT,): """discount* | disc | rabatt* | remise | korting | sconto | saving |
        savings""",
    (Concept.ROUNDING,): """round | rounding | rounded | arrondi | arrondis | rundung* | adj |
        adjustment""",
    (Concept.PAID,): """cash | paid | payment | tender* | tendered | received | bar | gegeben |
        visa | mastercard | card | pay | especes | espece | contant | ideal | betaald |
        reglement""",
    (Concept.CHANGE,): """change | change due | your change | wechselgeld | ruckgeld |
        wisselgeld | monnaie""",
    (Concept.SERVICE,): """service charge* | service chrg | serv chg | svc | serv | charge |
        charges | fee""",
    (Concept.PRICE,): "price | unit price | prix | preis | prijs | prezzo | precio | each",
    (Concept.QUANTITY,): """qty | quantity | menge | anzahl | aantal | quantite | pcs |
        item count | items | total qty | tot qty | total item | total items | no of item |
        points""",
    (Concept.CURRENCY,): "currency | wahrung | devise | valuta | munt | monnaie de facturation",
    (Concept.ROLE,): """tenant | landlord | lessor | lessee | licensor | licensee | borrower |
        lender | employer | employee | contractor | consultant | guarantor | insurer | insured |
        mieter | vermieter | arbeitgeber | arbeitnehmer | auftragnehmer | locataire | bailleur |
        huurder | verhuurder | disclosing party | receiving party""",
    (Concept.ORGANISATION,): """company | business | organisation | organization | firm | shop |
        store | merchant | restaurant | firma | unternehmen | societe | entreprise | bedrijf |
        bank name | corporation""",
    (Concept.SELLER,): """seller | vendor | supplier | issuer | issued by | issued the |
        issues | sold by | merchant | lieferant | verkaufer | aussteller | fournisseur |
        vendeur | emetteur | leverancier | verkoper | biller | from whom | provider | payee |
        store | shop | retailer""",
    (Concept.PARTY,): """party | parties | between | contracting | signatory | signatories |
        vertragspartei* | contractors | counterparty""",
    (Concept.PERSON,): """person | name of the person | full name | surname | contact | attn |
        attention | vorname""",
    (Concept.ADDRESS,): """address | street | anschrift | adresse | adres | indirizzo |
        direccion | located | location | registered office""",
    (Concept.PHONE,): "tel | telephone | phone | telefon | mobile | h p | hotline | telefoon",
    (Concept.FAX,): "fax | telefax",
    (Concept.EMAIL,): "email | e mail | mail",
    (Concept.WEBSITE,): "website | web | url | homepage | www | internet | web address | site",
    (Concept.BANK,): """iban | bic | swift | bank | bank account | account | konto | kto |
        compte | blz""",
    (Concept.REGISTRATION,): """registration | reg | registered | company no | co no |
        company reg | kvk | hrb | siren | siret | ustid | handelsregister | tax id | tin |
        gst id | gst no | gst reg | vat id | vat no | vat number | tva intra* | ust id |
        steuer nr | cin | brn""",
    (Concept.LAW,): """law | laws | governing law | governed | jurisdiction | applicable law |
        courts | recht | gerichtsstand | droit | legge""",
    (Concept.TABLE,): "table | tisch | room | pos | pos no | terminal | counter | ctr",
    (Concept.STAFF,): "cashier | server | waiter | salesperson | kassierer | caissier | served by",
    # Not what they seem to be.
    (): """payment terms | terms of payment | terms | subject to | due to | in order |
        order to | net weight""",
}

# German and Dutch write in one word what others write in two.
_COMPOUND = re.compile(
    r"\b(rechnungs?|faktura|factuur|klant|kunden?|order|bestell?|auftrags?|liefer|lever|verval|"
    r"invoice|bestel)(nummer|nr|no|num|datum|dat|bedrag|betrag|adresse?|date|id)\b"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_A_WORD = re.compile(r"[^\w#°]+|_")
_ACCENT = re.compile("[\u0300-\u036f]")


def read(text: str) -> str:
    """Return the words of a label or a name in plain small letters, separated by single spaces."""
    text = unicodedata.normalize("NFKD", _CAMEL.sub(" ", text).replace("°", "° ")).casefold()
    text = _NOT_A_WORD.sub(" ", _ACCENT.sub("", text).replace("#", " # "))
    return _COMPOUND.sub(r"\1 \2", " ".join(text.split()))


@lru_cache(maxsize=20_000)
def concepts(text: str) -> frozenset[Concept]:
    """Return what the words of a text mean, as far as it is known."""
    found: set[Concept] = set()
    for match in _PATTERN.finditer(read(text)):
        found.update(_meaning(match[0]))
    return frozenset(found)


def _phrases() -> dict[str, tuple[Concept, ...]]:
    meanings: dict[str, tuple[Concept, ...]] = {}
    for meaning, listed in PHRASES.items():
        for phrase in listed.split("|"):
            key = " ".join(phrase.split())
            meanings[key] = (*meanings.get(key, ()), *meaning)
    return meanings


_PHRASES = _phrases()
_WHOLE = {phrase: meaning for phrase, meaning in _PHRASES.items() if not phrase.endswith("*")}
_STEMS = sorted((phrase[:-1] for phrase in _PHRASES if phrase.endswith("*")), key=len, reverse=True)
_PATTERN = re.compile(
    r"(?<!\w)(?:"
    + "|".join(
        re.escape(phrase).replace(r"\*", r"\w*")
        for phrase in sorted(_PHRASES, key=lambda phrase: -len(phrase))
    )
    + r")(?!\w)"
)


def _meaning(phrase: str) -> tuple[Concept, ...]:
    if phrase in _WHOLE:
        return _WHOLE[phrase]
    return next(_PHRASES[f"{stem}*"] for stem in _STEMS if phrase.startswith(stem))
