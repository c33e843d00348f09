// Writes a Buchungsstapel in DATEV's EXTF format: header version 700, format version 13. Windows-1252, lines end with
// CRLF, amounts have a decimal comma and no sign.

export interface DatevBatch {
  /** Number of the tax consultant, and of the client there. */
  readonly consultant: number;
  readonly client: number;
  readonly chart: '03' | '04';
  /** Digits of general ledger accounts, 4 to 8. Those of customers have one more. */
  readonly accountLength: number;
  /** All as YYYY-MM-DD. */
  readonly yearStart: string;
  readonly from: string;
  readonly until: string;
  readonly currency: string;
  readonly createdAt: number;
}

export interface DatevBooking {
  readonly cents: number;
  /** The account that is debited, and the one that is credited. */
  readonly account: number;
  readonly offset: number;
  /** YYYY-MM-DD. */
  readonly day: string;
  /** The number of the document, by which DATEV matches payments and invoices. */
  readonly document: string;
  readonly text: string;
}

const numbered = (count: number, ...names: readonly string[]): string[] =>
  Array.from({ length: count }, (_, index) => names.map((name) => `${name} ${index + 1}`)).flat();

/** DATEV reads columns by position; all of them must be there. */
export const datevColumns: readonly string[] = [
  'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz',
  'WKZ Basis-Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1',
  'Belegfeld 2;Skonto;Buchungstext;Postensperre;Diverse Adressnummer;Geschäftspartnerbank',
  'Sachverhalt;Zinssperre;Beleglink',
  ...numbered(8, 'Beleginfo - Art', 'Beleginfo - Inhalt'),
  'KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID;EU-Steuersatz',
  'Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L;BU 49 Hauptfunktionstyp',
  'BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung',
  ...numbered(20, 'Zusatzinformation - Art', 'Zusatzinformation- Inhalt'),
  'Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp',
  'Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen)',
  'Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz',
  'Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername',
  'Beteiligtennummer;Identifikationsnummer;Zeichnernummer;Postensperre bis',
  'Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum',
  'Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU);Steuersatz;Land;Abrechnungsreferenz',
  'BVV-Position;EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto',
].flatMap((names) => names.split(';'));
const textColumn = datevColumns.indexOf('Buchungstext');
/** What follows the text of a booking; a batch that is not locked can still be corrected in DATEV. */
const emptyFields = datevColumns.slice(textColumn + 1).map((name) => (name === 'Festschreibung' ? '0' : ''));
/** DATEV rejects a batch with more bookings. */
export const maxBookings = 99_999;

export function datevHeader(batch: DatevBatch): Buffer {
  const compact = (day: string): string => day.replaceAll('-', '');
  const created = new Date(batch.createdAt).toISOString().replaceAll(/[-:TZ.]/g, '');
  const origin = [
    quote('EXTF'),
    '700',
    '21',
    quote('Buchungsstapel'),
    '13',
    created,
    '',
    quote('RE'),
    quote(''),
    quote(''),
  ];
  const scope = [batch.consultant, batch.client, compact(batch.yearStart), batch.accountLength];
  const period = [compact(batch.from), compact(batch.until), quote('Hostyard'), quote(''), '1', '0', '0'];
  const rest = [quote(batch.currency), '', quote(''), '', '', quote(batch.chart), '', '', quote(''), quote('')];
  return datevLine([...origin, ...scope.map(String), ...period, ...rest], datevColumns);
}

export function datevBooking({ cents, account, offset, day, document, text }: DatevBooking): Buffer {
  const [, month, date] = day.split('-') as [string, string, string];
  const amount = `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
  const known = [amount, quote('S'), quote(''), '', '', quote(''), String(account), String(offset), quote('')];
  const described = [`${date}${month}`, quote(documentNumber(document)), quote(''), '', quote(plainText(text))];
  return datevLine([...known, ...described, ...emptyFields]);
}

function datevLine(...lines: readonly (readonly string[])[]): Buffer {
  return encodeWindows1252(lines.map((fields) => `${fields.join(';')}\r\n`).join(''));
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const maxDocumentLength = 36;
const maxTextLength = 60;

/** Only these characters are allowed in the number of a document. */
export function documentNumber(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9$&%*+\-/]/g, '').slice(0, maxDocumentLength);
}

/** One line of at most 60 characters. */
function plainText(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, maxTextLength);
}

/** The characters from 0x80 to 0x9f, which differ from Latin-1; five of them are not assigned. */
const specialCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const firstSpecial = 0x80;

const sameInLatin1 = /^[^\u0080-\u009f\u0100-\uffff]*$/;

/** Characters that Windows-1252 does not have lose their accent, or become a question mark. */
export function encodeWindows1252(text: string): Buffer {
  if (sameInLatin1.test(text)) return Buffer.from(text, 'latin1');
  return Buffer.from(Array.from(text, (character) => byteOf(character) ?? byteOf(withoutAccent(character)) ?? 0x3f));
}

function byteOf(character: string): number | undefined {
  const special = specialCharacters.indexOf(character);
  if (special >= 0) return firstSpecial + special;
  const code = character.codePointAt(0)!;
  return code < firstSpecial || (code >= 0xa0 && code <= 0xff) ? code : undefined;
}

function withoutAccent(character: string): string {
  return character.normalize('NFD').slice(0, 1);
}
