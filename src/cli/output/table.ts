// Tables for people, no wider than the terminal: the widest columns are truncated first. Without a terminal nothing is
// truncated, so that grep and awk see everything.
import type { Palette } from './colour.ts';
import { truncate, displayWidth, singleLine, padTo } from './text.ts';

/** A property of the item, or a heading and a function that returns the cell. */
export type Column<Item> =
  | (keyof Item & string)
  | readonly [heading: string, cell: (item: Item) => string | null | undefined];

const gap = 2;
const minimumWidth = 6;

export function tableText<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  { width, palette }: { readonly width: number | undefined; readonly palette: Palette },
): string {
  const headings = columns.map((column) => (typeof column === 'string' ? column : column[0]).toUpperCase());
  const rows = items.map((item) => columns.map((column) => singleLine(cellOf(item, column))));
  const natural = headings.map((heading, index) =>
    Math.max(displayWidth(heading), ...rows.map((row) => displayWidth(row[index]!))),
  );
  const widths = width === undefined ? natural : fitWidths(natural, width);
  const line = (cells: readonly string[], paint: (text: string, value: string) => string): string =>
    cells
      .map((cell, index) => {
        const text = truncate(cell, widths[index]!);
        const isLast = index === cells.length - 1;
        return paint(isLast ? text : padTo(text, widths[index]!), cell);
      })
      .join(' '.repeat(gap))
      .trimEnd();
  const lines = [line(headings, palette.heading), ...rows.map((row) => line(row, palette.status))];
  return `${lines.join('\n')}\n`;
}

/** Renders one object, a property per line. */
export function fieldsText(fields: readonly (readonly [name: string, value: string])[], palette: Palette): string {
  const width = Math.max(0, ...fields.map(([name]) => displayWidth(name)));
  return fields
    .map(([name, value]) => `${palette.heading(padTo(name, width))}  ${palette.status(singleLine(value), value)}\n`)
    .join('');
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function cellOf<Item>(item: Item, column: Column<Item>): string {
  return typeof column === 'string' ? cellText(item[column]) : (column[1](item) ?? '');
}

function fitWidths(natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, columnWidth) => sum + columnWidth, gap * (widths.length - 1)) - width;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= minimumWidth) break;
    widths[widths.indexOf(widest)] = widest - 1;
    excess--;
  }
  return widths;
}
