// The tables of a SQLite file, to copy from or to.
import type SQLite from 'better-sqlite3';
import { CommandError } from '#lib/command-error.ts';
import { searchIndexes } from '../migrations/0053-lists.ts';
import { jobsTable, normalizeJob, pageRows, tableNotCopied, type CopyTarget, type Row } from './tables.ts';

/** A job's number differs between the engines, and the process that ran it has ended. */
const jobColumnsNotCopied = new Set(['id', 'claimed_by', 'heartbeat_at']);

/** Their tables are not copied, because PostgreSQL has no such tables. */
const searchTables = Object.keys(searchIndexes).map((index) => `${index}_search`);

export function sqliteTables(database: SQLite.Database): CopyTarget {
  const columns = readColumns(database);
  /** The statements that create the triggers again. */
  let triggers: string[] = [];
  return {
    columns,
    *rows(table, names) {
      const order = table === jobsTable ? ' order by id' : '';
      const statement = database
        .prepare(`select ${quoted(names)} from "${table}"${order}`)
        .raw()
        .safeIntegers();
      let page: Row[] = [];
      for (const row of statement.iterate() as IterableIterator<Row>) {
        page.push(table === jobsTable ? normalizeJob(row, names) : row);
        if (page.length < pageRows) continue;
        yield page;
        page = [];
      }
      yield page;
    },
    async lastIds() {
      const rows = database.prepare('select name, seq from sqlite_sequence').raw().safeIntegers().all();
      return new Map((rows as [string, bigint][]).filter(([name]) => name !== jobsTable));
    },
    async measure() {
      const counts = [...columns.keys()].map((table) => `select count(*) from "${table}"`);
      const number = (text: string): number => database.prepare(text).pluck().get() as number;
      return {
        rows: counts.reduce((sum, text) => sum + number(text), 0),
        bytes: number('select page_count * page_size from pragma_page_count, pragma_page_size'),
      };
    },
    async start() {
      const found = database.prepare("select name, sql from sqlite_schema where type = 'trigger'").all();
      for (const { name, sql } of found as { name: string; sql: string }[]) {
        triggers.push(sql);
        database.exec(`drop trigger "${name}"`);
      }
      // Outside a transaction, where it has an effect.
      database.pragma('foreign_keys = off');
      database.exec('begin');
      for (const table of columns.keys()) database.exec(`delete from "${table}"`);
    },
    async insert(table, names, rows) {
      const statement = database.prepare(
        `insert into "${table}" (${quoted(names)}) values (${names.map(() => '?').join(', ')})`,
      );
      for (const row of rows) statement.run(row);
    },
    async setLastId(table, id) {
      database.prepare('delete from sqlite_sequence where name = ?').run(table);
      database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, id);
    },
    async finish() {
      // Their process has ended, so that the next server restarts them.
      database.exec(`update ${jobsTable} set heartbeat_at = 0 where state = 'running'`);
      for (const sql of triggers) database.exec(sql);
      triggers = [];
      for (const index of searchTables) database.exec(`insert into ${index} (${index}) values ('rebuild')`);
      database.exec('commit');
      const [orphan] = database.pragma('foreign_key_check') as { table: string }[];
      if (orphan !== undefined) throw new CommandError(`a row of ${orphan.table} refers to a missing row`);
    },
  };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function readColumns(database: SQLite.Database): Map<string, readonly string[]> {
  const rows = database
    .prepare(
      `select tables.name, columns.name from sqlite_schema as tables join pragma_table_info(tables.name) as columns
       where tables.type = 'table' and tables.name not like 'sqlite%' and tables.name not glob '*_search*'
       order by tables.name, columns.cid`,
    )
    .raw()
    .all() as [table: string, column: string][];
  const columns = new Map<string, string[]>();
  for (const [table, column] of rows.filter(([name]) => name !== tableNotCopied)) {
    const list = columns.get(table) ?? [];
    if (table !== jobsTable || !jobColumnsNotCopied.has(column)) list.push(column);
    columns.set(table, list);
  }
  return columns;
}
