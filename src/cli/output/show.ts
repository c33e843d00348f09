// How a command answers: a table for people, JSON or YAML for programs. Programs get the API's answer as it is, with every
// member; the table shows what people look for.
import type { Shell } from '../shell.ts';
import { paletteFor, type Palette } from './colour.ts';
import { cellText, fieldsText, tableText, type Column } from './table.ts';
import { harmless } from './text.ts';

export const formats = ['table', 'json', 'yaml'] as const;
export type Format = (typeof formats)[number];

export interface Show {
  readonly format: Format;
  readonly palette: Palette;
  /** Columns of the terminal; undefined where the answer goes elsewhere. */
  readonly width: number | undefined;
  rows<Item>(items: readonly Item[], columns: readonly Column<Item>[]): Promise<void>;
  /** One thing, with the members named, or all of them. */
  fields<Item extends object>(item: Item, columns?: readonly Column<Item>[]): Promise<void>;
  /** An answer that is a word or a sentence. */
  word(answer: string): Promise<void>;
  /** An answer whose text for people is made by the command. */
  drawn(answer: unknown, text: () => string): Promise<void>;
  /** One of many, as they come: a line for people, a line of JSON, a document of YAML. */
  next(answer: unknown, line: () => string): Promise<void>;
}

export function showOn(shell: Shell, format: Format): Show {
  const palette = paletteFor(shell);
  const width = shell.out.isTTY === true ? (shell.out.columns ?? 80) : undefined;
  const print = (text: string): void => void shell.out.write(text);

  async function drawn(answer: unknown, text: () => string): Promise<void> {
    if (format === 'json') print(`${JSON.stringify(answer, null, 2)}\n`);
    else if (format === 'yaml') print(await yamlText(answer));
    else print(text());
  }

  return {
    format,
    palette,
    width,
    drawn,
    rows: (items, columns) => drawn(items, () => tableText(items, columns, { width, palette })),
    fields: (item, columns = Object.keys(item) as (keyof typeof item & string)[]) =>
      drawn(item, () =>
        fieldsText(
          columns.map((column) =>
            typeof column === 'string' ? [column, cellText(item[column])] : [column[0], column[1](item) ?? ''],
          ),
          palette,
        ),
      ),
    word: (answer) => drawn(answer, () => `${harmless(answer)}\n`),
    async next(answer, line) {
      if (format === 'json') print(`${JSON.stringify(answer)}\n`);
      else if (format === 'yaml') print(`---\n${await yamlText(answer)}`);
      else print(`${line()}\n`);
    },
  };
}

async function yamlText(answer: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(answer, { lineWidth: 0 });
}
