// Prints a response whose shape is not known beforehand: a list as a table, an object as fields, anything else as text.
import type { Printer } from './printer.ts';
import { cellText, fieldsText } from './table.ts';
import { stripControls } from './text.ts';

type Item = Readonly<Record<string, unknown>>;

export async function printAny(print: Printer, response: unknown): Promise<void> {
  if (Array.isArray(response) && response.every(isItem)) {
    const keys = [...new Set(response.flatMap((item: Item) => Object.keys(item).filter((key) => isFlat(item[key]))))];
    await print.table<Item>(
      response,
      keys.map((key) => [key, (item) => cellText(item[key])] as const),
    );
  } else if (isMessage(response)) await printMessage(print, response);
  else if (isItem(response)) await print.fields(response);
  else await print.text(cellText(response));
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
