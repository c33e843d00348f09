// A bank's list of payments as CSV, read as banks write them: comma, semicolon or tab between, quotes or none, decimals with a
// point or a comma, days as 2026-11-15 or 15.11.2026. The columns are known by their names, in any order.
import { dayNumber } from '#kernel/moments.ts';
import { moneyCents } from '#kernel/money.ts';

export interface BankRow {
  /** In the file, from 1. */
  readonly line: number;
  readonly day: number;
  readonly cents: number;
  /** The bank's own number of the payment; empty where the list has none. */
  readonly reference: string;
  /** What the payer wrote. */
  readonly text: string;
}
export interface BankList {
  readonly rows: readonly BankRow[];
  /** Lines that could not be read, with why. */
  readonly faults: readonly { readonly line: number; readonly reason: string }[];
}

const columnNames = {
  date: ['date', 'booking date', 'value date', 'valuta', 'buchungstag'],
  amount: ['amount', 'betrag', 'bedrag', 'montant'],
  reference: ['reference', 'transaction id', 'id', 'bank reference', 'referenz'],
  text: ['text', 'description', 'purpose', 'details', 'verwendungszweck', 'omschrijving', 'remittance information'],
} as const;
type Column = keyof typeof columnNames;

export class BankListUnreadable extends Error {}

export function readBankList(file: string): BankList {
  const content = file.replace(/^\uFEFF/, '');
  const separator = separatorOf(content);
  const [header, ...records] = readCsv(content, separator);
  const places = placesOf(header?.fields ?? []);
  const rows: BankRow[] = [];
  const faults: { line: number; reason: string }[] = [];
  for (const { line, fields } of records) {
    if (fields.every((field) => field.trim() === '')) continue;
    const field = (column: Column): string => fields[places[column] ?? -1]?.trim() ?? '';
    const day = readDay(field('date'));
    const cents = readAmount(field('amount'));
    if (day === undefined) faults.push({ line, reason: `${field('date') || 'nothing'} is no day` });
    else if (cents === undefined)
      faults.push({ line, reason: `${field('amount') || 'nothing'} is no amount with at most two decimals` });
    else rows.push({ line, day, cents, reference: field('reference'), text: field('text') });
  }
  return { rows, faults };
}

function separatorOf(content: string): string {
  const end = content.indexOf('\n');
  const first = end < 0 ? content : content.slice(0, end);
  const count = (separator: string): number => first.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

function placesOf(header: readonly string[]): Partial<Record<Column, number>> {
  const given = header.map((name) => name.trim().toLowerCase());
  const places: Partial<Record<Column, number>> = {};
  for (const [column, names] of Object.entries(columnNames) as [Column, readonly string[]][]) {
    const place = given.findIndex((name) => names.includes(name));
    if (place >= 0) places[column] = place;
  }
  const missing = (['date', 'amount', 'text'] as const).filter((column) => places[column] === undefined);
  if (missing.length > 0) throw new BankListUnreadable(`The first line names no column for ${missing.join(' and ')}.`);
  return places;
}

/** Records of a CSV with the line on which each begins. A quote inside quotes is doubled. */
export function readCsv(content: string, separator: string): { line: number; fields: string[] }[] {
  const records: { line: number; fields: string[] }[] = [];
  let fields: string[] = [];
  let field = '';
  let quoted = false;
  let line = 1;
  let began = 1;
  const endRecord = (): void => {
    records.push({ line: began, fields: [...fields, field] });
    [fields, field] = [[], ''];
  };
  for (let index = 0; index < content.length; index++) {
    const character = content[index]!;
    if (character === '\n') line++;
    if (quoted) {
      if (character !== '"') field += character;
      else if (content[index + 1] === '"') field += content[++index]!;
      else quoted = false;
    } else if (character === '"' && field === '') quoted = true;
    else if (character === separator) {
      fields.push(field);
      field = '';
    } else if (character === '\n') {
      endRecord();
      began = line;
    } else if (character !== '\r') field += character;
  }
  if (field !== '' || fields.length > 0) endRecord();
  return records;
}

function readDay(text: string): number | undefined {
  const german = /^([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})$/.exec(text);
  if (german === null) return dayNumber(text);
  return dayNumber(`${german[3]}-${german[2]!.padStart(2, '0')}-${german[1]!.padStart(2, '0')}`);
}

/** 1234.56, 1234,56, 1,234.56 and 1.234,56 are one amount. One separator with three digits after it could be either, and is
 * refused: a thousand for a one is not to be guessed. */
function readAmount(text: string): number | undefined {
  const plain = text.replace(/^\+/, '').replaceAll(/[ \u00A0']/g, '');
  const lastPoint = plain.lastIndexOf('.');
  const lastComma = plain.lastIndexOf(',');
  if (lastPoint < 0 && lastComma < 0) return moneyCents(plain);
  const [decimal, thousands] = lastComma > lastPoint ? [',', '.'] : ['.', ','];
  const [whole, decimals, ...more] = plain.split(decimal);
  if (more.length > 0 || decimals === undefined || decimals.length > 2) return undefined;
  const groups = whole!.split(thousands);
  const grouped = groups.length === 1 || groups.slice(1).every((group) => group.length === 3);
  return grouped ? moneyCents(`${groups.join('')}.${decimals}`) : undefined;
}
