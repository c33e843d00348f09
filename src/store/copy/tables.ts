// Copies every table of a database into another, which may be of the other engine, and proves that both are equal. Which
// tables and columns there are is read from the databases, so that a migration needs no change here.
import { hash } from 'node:crypto';
import { CommandError } from '#lib/command-error.ts';

/** A value as both engines have it. Whole numbers are bigints, so that none is rounded. */
export type Cell = null | bigint | number | string | Buffer;
export type Row = readonly Cell[];
/** The names of the columns of each table. */
export type TableColumns = ReadonlyMap<string, readonly string[]>;

/** The migrations are those of the program that creates the tables. */
export const tableNotCopied = 'migrations';
/** On PostgreSQL it is pg-boss's. */
export const jobsTable = 'jobs';
/** Few enough that a page of the largest rows fits into memory. */
export const pageRows = 200;

export interface DatabaseSize {
  readonly rows: number;
  readonly bytes: number;
}

export interface CopySource {
  readonly columns: TableColumns;
  /** Reads a table in pages. */
  rows(table: string, columns: readonly string[]): AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
  /** Returns the last number that each table has given to a row; a number is never given twice. */
  lastIds(): Promise<ReadonlyMap<string, bigint>>;
  measure(): Promise<DatabaseSize>;
}

export interface CopyTarget extends CopySource {
  /** Removes the rows that migrations add, and suspends triggers and references until `finish`. */
  start(): Promise<void>;
  insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>;
  setLastId(table: string, id: bigint): Promise<void>;
  /** Throws if a row refers to a missing one. */
  finish(): Promise<void>;
}

export interface TableDigest {
  readonly rows: number;
  /** Independent of the order of the rows, in which the engines differ. */
  readonly digest: string;
}

/** Copies everything, reads it back, and returns the digest of each table. Throws if a table differs. */
export async function copyTables(source: CopySource, target: CopyTarget): Promise<Map<string, TableDigest>> {
  checkColumns(source.columns, target.columns);
  await target.start();
  const copied = new Map<string, TableDigest>();
  for (const [table, columns] of source.columns)
    try {
      copied.set(table, await digestRows(source.rows(table, columns), (rows) => target.insert(table, columns, rows)));
    } catch (error) {
      throw new CommandError(`table ${table} cannot be copied: ${(error as Error).message}`, { cause: error });
    }
  const lastIds = await source.lastIds();
  for (const [table, id] of lastIds) await target.setLastId(table, id);
  await target.finish();
  for (const [table, columns] of source.columns) {
    const { rows, digest } = copied.get(table)!;
    const found = await digestRows(target.rows(table, columns));
    if (found.digest !== digest || found.rows !== rows)
      throw new CommandError(`table ${table} differs after the copy: ${found.rows} rows instead of ${rows}, or others`);
  }
  const copiedIds = await target.lastIds();
  for (const [table, id] of lastIds)
    if ((copiedIds.get(table) ?? 0n) < id) throw new CommandError(`table ${table} would give number ${id} again`);
  return copied;
}

function checkColumns(source: TableColumns, target: TableColumns): void {
  const names = (columns: TableColumns): Set<string> =>
    new Set([...columns].flatMap(([table, list]) => list.map((column) => `${table}.${column}`)));
  const [ours, theirs] = [names(source), names(target)];
  const difference = [...ours, ...theirs].filter((name) => !ours.has(name) || !theirs.has(name));
  if (difference.length > 0) throw new CommandError(`the two databases differ in ${difference.join(', ')}`);
}

const digestBits = 256;

export async function digestRows(
  pages: ReturnType<CopySource['rows']>,
  onPage: (rows: readonly Row[]) => Promise<void> = async () => {},
): Promise<TableDigest> {
  let rows = 0;
  let sum = 0n;
  for await (const page of pages) {
    for (const row of page) sum += BigInt(`0x${hash('sha256', row.map(cellText).join('\0'))}`);
    rows += page.length;
    await onPage(page);
  }
  return { rows, digest: BigInt.asUintN(digestBits, sum).toString(16) };
}

/** With its type, so that the text '1' is not taken for the number. */
function cellText(cell: Cell): string {
  if (cell === null) return 'null';
  if (typeof cell === 'string') return `text ${cell.length} ${cell}`;
  return Buffer.isBuffer(cell) ? `bytes ${cell.toString('hex')}` : `${typeof cell} ${cell}`;
}

/** Sorts the keys of a job's payload, because PostgreSQL does not keep their order. */
export function normalizeJob(row: Row, columns: readonly string[]): Row {
  return row.with(columns.indexOf('payload'), sortKeys(row[columns.indexOf('payload')] as string));
}

function sortKeys(text: string): string {
  return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
}
