// What a SQLite file of ours says of itself, read without changing it: whether it is whole, which migrations it has had, and
// under which key its secrets are sealed. For files that no server has open, and for those that a server has.
import SQLite from 'better-sqlite3';
import { sealingKeyMeta } from '../meta.ts';

export interface DatabaseFacts {
  readonly migrations: readonly string[];
  /** Fingerprint of the sealing key; undefined before the first start. */
  readonly sealingKey: string | undefined;
}
export interface InspectedFile extends DatabaseFacts {
  /** What SQLite finds wrong with its pages and indices; empty: nothing. */
  readonly damage: readonly string[];
  /** Rows that refer to one that is not there, by table. */
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
    sealingKey: has('meta') ? column('select value from meta where name = ?', sealingKeyMeta)[0] : undefined,
  };
}
