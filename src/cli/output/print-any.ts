// Prints a response whose shape is not known beforehand: a list as a table, an object as fields, anything else as text.
import type { Printer } from './printer.ts';
import { cellText } from './table.ts';

type Item = Readonly<Record<string, unknown>>;

export async function printAny(print: Printer, response: unknown): Promise<void> {
  if (Array.isArray(response) && response.every(isItem)) {
    const keys = [...new Set(response.flatMap((item: Item) => Object.keys(item).filter((key) => isFlat(item[key]))))];
    await print.table<Item>(
      response,
      keys.map((key) => [key, (item) => cellText(item[key])] as const),
    );
  } else if (isItem(response)) await print.fields(response);
  else await print.text(cellText(response));
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFlat(value: unknown): boolean {
  return typeof value !== 'object' || value === null || (Array.isArray(value) && !value.some(isItem));
}
