// How commands print: a table for people, JSON or YAML for programs. Programs get the API's response unchanged; the table
// shows what people look for.
import type { Shell } from '../shell.ts';
import { paletteFor, type Palette } from './colour.ts';
import { rowText, tableText, type Column } from './table.ts';
import { escapeControls, stripControls } from './text.ts';

export const formats = ['table', 'json', 'yaml'] as const;
export type Format = (typeof formats)[number];

export interface Printer {
  readonly format: Format;
  readonly palette: Palette;
  /** Columns of the terminal; undefined if the output is not a terminal. */
  readonly width: number | undefined;
  table<Item>(items: readonly Item[], columns: readonly Column<Item>[]): Promise<void>;
  /** Prints one object, a property per line: those named, or all. */
  fields<Item extends object>(item: Item, columns?: readonly Column<Item>[]): Promise<void>;
  text(text: string): Promise<void>;
  /** Prints a value whose text for people the command renders itself. */
  value(value: unknown, render: () => string): Promise<void>;
  /** Prints one value of a stream: a line of text, a line of JSON or a YAML document. */
  streamItem(value: unknown, line: () => string): Promise<void>;
}

export function createPrinter(shell: Shell, format: Format): Printer {
  const palette = paletteFor(shell);
  const width = shell.out.isTTY === true ? shell.out.columns || 80 : undefined;
  const write = (text: string): void => void shell.out.write(text);

  async function printValue(value: unknown, render: () => string): Promise<void> {
    if (format === 'json') write(`${jsonText(value, 2)}\n`);
    else if (format === 'yaml') write(await yamlText(value));
    else write(render());
  }

  return {
    format,
    palette,
    width,
    value: printValue,
    table: (items, columns) => printValue(items, () => tableText(items, columns, { width, palette })),
    fields: (item, columns = Object.keys(item) as (keyof typeof item & string)[]) =>
      printValue(item, () => rowText(item, columns, palette)),
    text: (text) => printValue(text, () => `${stripControls(text)}\n`),
    async streamItem(value, line) {
      if (format === 'json') write(`${jsonText(value, 0)}\n`);
      else if (format === 'yaml') write(`---\n${await yamlText(value)}`);
      else write(`${line()}\n`);
    },
  };
}

function jsonText(value: unknown, indent: number): string {
  return escapeControls(String(JSON.stringify(value, null, indent)));
}

async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  const text = stringify(value, { lineWidth: 0 });
  if (text === stripControls(text)) return text;
  return escapeControls(stringify(value, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' }));
}
