// Reads a bank's list of payments from CSV as banks export it: comma, semicolon or tab as the separator, quoted or not,
// decimal point or comma, dates as 2026-11-15 or 15.11.2026. Columns are recognised by name, in any order.
import { parse } from 'csv-parse/sync';
import { dayNumber } from '#lib/time.ts';
import { moneyCents } from '#lib/money.ts';

export interface BankRow {
  /** Line number in the file, from 1. */
  readonly line: number;
  readonly day: number;
  readonly cents: number;
  /** The bank's own id of the payment; empty if the list has none. */
  readonly reference: string;
  /** The payer's text. */
  readonly text: string;
}

const columnNames = {
  date: ['date', 'booking date', 'value date', 'valuta', 'datum', 'buchungstag'],
  amount: ['amount', 'betrag', 'bedrag', 'montant'],
  reference: ['reference', 'transaction id', 'id', 'bank reference', 'referenz'],
  text: ['text', 'description', 'purpose', 'details', 'verwendungszweck', 'omschrijving', 'remittance information'],
} as const;
type Column = keyof typeof columnNames;

export class BankListUnreadable extends Error {}

/** Returns the payments, and as problems the lines that could not be read. */
export function readBankList(file: string) {
  const [header, ...records] = readCsv(file, findSeparator(file));
  const names = header?.fields ?? [];
  const indexes = findColumns(names);
  const rows: BankRow[] = [];
  const problems: { line: number; reason: string }[] = [];
  for (const { line, fields } of records) {
    if (fields.every((field) => field.trim() === '')) continue;
    // An amount such as 107,69 without quotes is two fields, and its payment would be one of 107.00.
    if (fields.slice(names.length).some((field) => field.trim() !== '')) {
      problems.push({ line, reason: `it has ${fields.length} fields, but the first line names ${names.length}` });
      continue;
    }
    const field = (column: Column): string => fields[indexes[column] ?? -1]?.trim() ?? '';
    const day = readDay(field('date'));
    const cents = readAmount(field('amount'));
    if (day === undefined) problems.push({ line, reason: `"${field('date')}" is not a date` });
    else if (cents === undefined)
      problems.push({ line, reason: `"${field('amount')}" is not an amount with at most two decimals` });
    else rows.push({ line, day, cents, reference: field('reference'), text: field('text') });
  }
  return { rows, problems };
}

function findSeparator(content: string): string {
  const end = content.indexOf('\n');
  const first = end < 0 ? content : content.slice(0, end);
  const count = (separator: string): number => first.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

function findColumns(header: readonly string[]): Partial<Record<Column, number>> {
  const headerNames = header.map((name) => name.trim().toLowerCase());
  const indexes: Partial<Record<Column, number>> = {};
  for (const [column, names] of Object.entries(columnNames) as [Column, readonly string[]][]) {
    const index = headerNames.findIndex((name) => names.includes(name));
    if (index >= 0) indexes[column] = index;
  }
  const missing = (['date', 'amount', 'text'] as const).filter((column) => indexes[column] === undefined);
  if (missing.length > 0)
    throw new BankListUnreadable(
      `The first line has no column for ${missing.join(' and ')}. It must name the columns date, amount, text and, optionally, reference.`,
    );
  return indexes;
}

/** Returns the records of a CSV file, each with the line on which it begins. */
export function readCsv(content: string, delimiter: string): { line: number; fields: string[] }[] {
  try {
    const records = parse(content, {
      bom: true,
      delimiter,
      info: true,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      relax_quotes: true,
    }) as unknown as { info: { lines: number }; record: string[] }[];
    // `lines` counts up to the end of a record, which may contain line breaks.
    return records.map(({ record: fields }, index) => ({ line: (records[index - 1]?.info.lines ?? 0) + 1, fields }));
  } catch (error) {
    throw new BankListUnreadable(`The file is not valid CSV: ${(error as Error).message}.`);
  }
}

function readDay(text: string): number | undefined {
  const german = /^([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})$/.exec(text);
  if (german === null) return dayNumber(text);
  return dayNumber(`${german[3]}-${german[2]!.padStart(2, '0')}-${german[1]!.padStart(2, '0')}`);
}

/**
 * Reads 1234.56, 1234,56, 1,234.56 and 1.234,56 as the same amount. Rejects a single separator followed by three digits:
 * it could be either, and a wrong guess is off by a factor of a thousand.
 */
function readAmount(text: string): number | undefined {
  const plain = text.replace(/^\+/, '').replaceAll(/[ \u00A0']/g, '');
  const lastPoint = plain.lastIndexOf('.');
  const lastComma = plain.lastIndexOf(',');
  if (lastPoint < 0 && lastComma < 0) return moneyCents(plain);
  const [decimal, thousands] = lastComma > lastPoint ? [',', '.'] : ['.', ','];
  const [whole, decimals, ...more] = plain.split(decimal);
  if (more.length > 0 || decimals === undefined || decimals.length > 2) return undefined;
  const groups = whole!.split(thousands);
  const isGrouped = groups.length === 1 || groups.slice(1).every((group) => group.length === 3);
  return isGrouped ? moneyCents(`${groups.join('')}.${decimals}`) : undefined;
}
