// Reads facts about one of our SQLite files without changing it: whether it is intact, which migrations it has had, and
// which key seals its secrets. Works whether or not a server has the file open.
import SQLite from 'better-sqlite3';
import { sealingKeyEntry } from '../meta.ts';

export interface DatabaseFacts {
  readonly migrations: readonly string[];
  /** Fingerprint of the sealing key; undefined before the first start. */
  readonly sealingKey: string | undefined;
}
export interface InspectedFile extends DatabaseFacts {
  /** Damaged pages and indexes that SQLite reports; empty if there are none. */
  readonly damage: readonly string[];
  /** Rows that refer to missing rows, by table. */
  readonly orphans: readonly { readonly table: string; readonly rows: number }[];
}

export function inspectSqlite(file: string): InspectedFile {
  const database = new SQLite(file, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    const damage = (database.pragma('integrity_check(20)') as { integrity_check: string }[])
      .map((row) => row.integrity_check)
      .filter((line) => line !== 'ok');
    if (damage.length > 0) return { damage, orphans: [], migrations: [], sealingKey: undefined };
    const orphans = Object.entries(
      Object.groupBy(database.pragma('foreign_key_check') as { table: string }[], (row) => row.table),
    ).map(([table, rows]) => ({ table, rows: rows!.length }));
    return { damage, orphans, ...facts(database) };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code !== 'SQLITE_CORRUPT' && code !== 'SQLITE_NOTADB') throw error;
    return { damage: [message], orphans: [], migrations: [], sealingKey: undefined };
  } finally {
    database.close();
  }
}

function facts(database: SQLite.Database): DatabaseFacts {
  const has = (table: string) =>
    database.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(table) !== undefined;
  const column = (sql: string, ...values: string[]) =>
    database
      .prepare(sql)
      .pluck()
      .all(...values) as string[];
  return {
    migrations: has('migrations') ? column('select name from migrations order by name') : [],
    sealingKey: has('meta') ? column('select value from meta where name = ?', sealingKeyEntry)[0] : undefined,
  };
}
