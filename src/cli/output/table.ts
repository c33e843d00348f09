// Tables for people, no wider than the terminal: the widest columns are truncated first. Items with more columns than fit are
// printed one below the other. Without a terminal nothing is truncated, so that grep and awk see everything.
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
  const headings = columns.map((column) => nameOf(column).toUpperCase());
  const rows = items.map((item) => columns.map((column) => singleLine(cellOf(item, column))));
  const natural = headings.map((heading, index) =>
    Math.max(displayWidth(heading), ...rows.map((row) => displayWidth(row[index]!))),
  );
  const widths = width === undefined ? natural : fitWidths(natural, width);
  if (widths === undefined) return items.map((item) => rowText(item, columns, palette)).join('\n');
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

/** Renders one item, a column per line. */
export function rowText<Item>(item: Item, columns: readonly Column<Item>[], palette: Palette): string {
  return fieldsText(
    columns.map((column) => [nameOf(column), cellOf(item, column)]),
    palette,
  );
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

function nameOf<Item>(column: Column<Item>): string {
  return typeof column === 'string' ? column : column[0];
}

function cellOf<Item>(item: Item, column: Column<Item>): string {
  return typeof column === 'string' ? cellText(item[column]) : (column[1](item) ?? '');
}

/** Returns undefined if not even the shortest columns fit. */
function fitWidths(natural: readonly number[], width: number): number[] | undefined {
  const widths = [...natural];
  let excess = widths.reduce((sum, columnWidth) => sum + columnWidth, gap * (widths.length - 1)) - width;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= minimumWidth) return undefined;
    widths[widths.indexOf(widest)] = widest - 1;
    excess--;
  }
  return widths;
}
