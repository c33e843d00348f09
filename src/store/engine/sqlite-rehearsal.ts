// Finds out on SQLite what a change would do, without holding back writers: on a connection that can only read the
// file. A table is copied before the first write to it, into a temporary table of the same name, which SQLite then uses
// instead. Foreign keys are not checked, because they would refer to tables that are not copied.
import { SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { openReadOnlySqlite, runStatement, type SqliteHandle } from './sqlite-handle.ts';
import { TwoConnectionAdapter } from './sqlite.ts';

export function sqliteRehearsalDialect(file: string): Dialect {
  return {
    createAdapter: () => new TwoConnectionAdapter(),
    createDriver: () => new Rehearsal(file),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class Rehearsal implements Driver {
  readonly #file: string;
  #handle: SqliteHandle | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  async init(): Promise<void> {
    this.#handle = openReadOnlySqlite(this.#file);
  }
  async acquireConnection(): Promise<RehearsalConnection> {
    return new RehearsalConnection(this.#handle!);
  }
  async beginTransaction(): Promise<void> {
    this.#handle!.database.exec('begin');
  }
  async commitTransaction(): Promise<void> {
    this.#handle!.database.exec('rollback');
  }
  async rollbackTransaction(): Promise<void> {
    this.#handle!.database.exec('rollback');
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {
    this.#handle?.database.close();
  }
}

const write = /^\s*(?:insert into|update|delete from)\s+"?(\w+)"?/i;

class RehearsalConnection implements DatabaseConnection {
  readonly #handle: SqliteHandle;
  readonly #copied = new Set<string>();

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const table = write.exec(query.sql)?.[1];
    if (table !== undefined && !this.#copied.has(table)) this.#copy(table);
    return runStatement(this.#handle, query);
  }

  #copy(table: string): void {
    const { database } = this.#handle;
    const parts = database
      .prepare<[string], { type: string; sql: string }>(
        `select type, sql from main.sqlite_master where tbl_name = ? and type in ('table', 'index') and sql is not null
order by type desc`,
      )
      .all(table);
    for (const { type, sql } of parts) {
      const temporary = type === 'table' ? sql.replace(/^create table/i, 'create temp table') : sql;
      database.exec(temporary.replace(/^(create (?:unique )?index) (\S+)/i, '$1 temp.$2'));
      if (type === 'table') database.exec(`insert into temp."${table}" select * from main."${table}"`);
    }
    this.#copied.add(table);
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator; nothing of ours streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported: read in pages');
  }
}
