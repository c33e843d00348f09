// Prints a response whose shape is not known beforehand: a list as a table, an object as fields and then its lists as tables,
// anything else as text.
import type { Printer } from './printer.ts';
import { cellText, fieldsText, tableText, type Column } from './table.ts';
import { stripControls } from './text.ts';

type Item = Readonly<Record<string, unknown>>;

export async function printAny(print: Printer, response: unknown): Promise<void> {
  if (isList(response) && response.length === 0) await print.value(response, () => 'No results.\n');
  else if (isList(response)) await print.table<Item>(response, columnsOf(response));
  else if (isMessage(response)) await printMessage(print, response);
  else if (isItem(response)) await print.value(response, () => itemText(print, response));
  else await print.text(cellText(response));
}

function columnsOf(items: readonly Item[]): Column<Item>[] {
  const keys = new Set(items.flatMap((item) => Object.keys(item).filter((key) => isFlat(item[key]))));
  return [...keys].map((key) => [key, (item) => cellText(item[key])] as const);
}

function itemText(print: Printer, item: Item): string {
  const entries = Object.entries(item);
  const tables = entries.flatMap(([name, value]) =>
    isList(value) && value.length > 0 ? [[name, value] as const] : [],
  );
  const fields = entries.filter(([name]) => !tables.some(([table]) => table === name));
  return [
    fieldsText(
      fields.map(([name, value]) => [name, cellText(value)]),
      print.palette,
    ),
    ...tables.map(([name, items]) => `${print.palette.heading(name)}\n${tableText(items, columnsOf(items), print)}`),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function isList(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.every(isItem);
}

type Message = Item & { readonly text: string };

function isMessage(value: unknown): value is Message {
  return isItem(value) && typeof value['text'] === 'string' && typeof value['subject'] === 'string';
}

/** Prints an email as a person reads it: its fields, then its text. The HTML of the same text is for programs. */
export async function printMessage(print: Printer, message: { readonly text: string }): Promise<void> {
  await print.value(message, () => {
    const head = Object.entries(message).filter(([name]) => name !== 'text' && name !== 'html');
    const fields = head.map(([name, value]) => [name, cellText(value)] as const);
    return `${fieldsText(fields, print.palette)}\n${stripControls(message.text).trimEnd()}\n`;
  });
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFlat(value: unknown): boolean {
  return typeof value !== 'object' || value === null || (Array.isArray(value) && !value.some(isItem));
}
