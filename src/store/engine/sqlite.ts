// Kysely on better-sqlite3 with two connections to one file: a writer, which runs one transaction at a time, and a
// reader, which sees only what is committed and never waits for the writer. Kysely's own driver has one connection, on
// which a read between two statements of another's transaction would see half of it.
import {
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely';
import { BoundedMap } from '#lib/bounded-map.ts';
import type { DirectReading } from './prepared.ts';
import { openSqlite, runStatement } from './sqlite-handle.ts';
import { SqliteWriter, type SqliteTurn } from './sqlite-writer.ts';

export function sqliteDialect(file: string): Dialect {
  const adapter = new TwoConnectionAdapter();
  return {
    createAdapter: () => adapter,
    createDriver: () => new TwoConnections(file, adapter),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

export class TwoConnectionAdapter extends SqliteAdapter implements DirectReading {
  /** Rows may be cached until somebody commits, so callers must not change them. */
  readDirectly?: (sql: string, parameters: readonly unknown[]) => unknown[];

  /** Otherwise Kysely would queue every query behind every other. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Returns true if queries run in this process, where a statement costs no round trip. */
export function isSqlite(queries: { getExecutor(): { adapter: unknown } }): boolean {
  return queries.getExecutor().adapter instanceof TwoConnectionAdapter;
}

class TwoConnections implements Driver {
  readonly #file: string;
  readonly #adapter: TwoConnectionAdapter;
  #writer: SqliteWriter | undefined;
  #reader: Reader | undefined;

  constructor(file: string, adapter: TwoConnectionAdapter) {
    this.#file = file;
    this.#adapter = adapter;
  }

  async init(): Promise<void> {
    const writing = openSqlite(this.#file);
    const reader = openReader(this.#file);
    this.#writer = new SqliteWriter(writing, reader.renew);
    this.#reader = reader;
    this.#adapter.readDirectly = reader.readCached;
  }

  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#writer!, this.#reader!);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await connection.begin();
  }
  async commitTransaction(connection: Connection): Promise<void> {
    await connection.commit();
  }
  async rollbackTransaction(connection: Connection): Promise<void> {
    connection.rollback();
  }
  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#writer?.drain();
    // The last connection to close writes the log into the file and waits for the disk as its own setting says.
    this.#reader?.close();
    this.#writer?.close();
  }
}

/** What Kysely sees as a connection: reads go to the reader until a transaction starts. */
class Connection implements DatabaseConnection {
  readonly #writer: SqliteWriter;
  readonly #reader: Reader;
  #turn: SqliteTurn | undefined;

  constructor(writer: SqliteWriter, reader: Reader) {
    this.#writer = writer;
    this.#reader = reader;
  }

  async begin(): Promise<void> {
    this.#turn = await this.#writer.begin();
  }

  async commit(): Promise<void> {
    const turn = this.#turn!;
    this.#turn = undefined;
    await turn.commit();
  }

  /** Kysely also calls this after a failed commit, when there is nothing left to roll back. */
  rollback(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    turn?.rollback();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#turn !== undefined) return this.#turn.run(() => runStatement(this.#writer.handle, query));
    if (SelectQueryNode.is(query.query)) return { rows: this.#reader.read(query.sql, query.parameters) as R[] };
    return this.#writer.alone(() => runStatement(this.#writer.handle, query));
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator; nothing of ours streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported: read in pages');
  }
}

interface Reader {
  read(sql: string, parameters: readonly unknown[]): unknown[];
  readCached(sql: string, parameters: readonly unknown[]): unknown[];
  /** Lets the next read see everything committed so far. */
  renew(): void;
  close(): void;
}

/** Requests repeat small reads; a whole zone or a month of traffic is not worth the memory. */
const maxCachedRows = 4;
const maxCachedReads = 1000;

/**
 * From the second on, reads in one turn of the event loop share a transaction, because starting and ending one (which
 * is locking) costs as much as a small read. So commits of other processes are visible from the next turn on. Reads
 * are cached until somebody commits, which SQLite's data_version, queried once a turn, shows.
 */
function openReader(file: string): Reader {
  const { database, statement } = openSqlite(file);
  database.pragma('query_only = on');
  // Beyond the cache, pages are read from the system's page cache instead of being copied, which matters with many
  // zones.
  database.pragma('mmap_size = 1073741824');
  // What the cache holds is only what the log still has.
  database.pragma('cache_size = -4000');
  let readsThisTurn = 0;
  let isSharing = false;
  let version: unknown;
  let isVersionChecked = false;
  const cachedReads = new BoundedMap<string, readonly unknown[]>(maxCachedReads);

  const renew = (): void => {
    if (isSharing) statement('commit').run();
    isSharing = false;
    isVersionChecked = false;
  };
  const endTurn = (): void => {
    renew();
    readsThisTurn = 0;
  };
  function read(sql: string, parameters: readonly unknown[]): unknown[] {
    readsThisTurn++;
    if (readsThisTurn === 1) setImmediate(endTurn);
    else if (!isSharing) {
      statement('begin').run();
      isSharing = true;
    }
    return statement(sql).all(parameters);
  }
  function dropStaleReads(): void {
    if (isVersionChecked) return;
    const [row] = read('pragma data_version', []) as [{ data_version: number }];
    isVersionChecked = true;
    if (row.data_version === version) return;
    version = row.data_version;
    cachedReads.clear();
  }
  return {
    read,
    readCached(sql, parameters) {
      dropStaleReads();
      const key = `${sql}\n${parameters.join('\n')}`;
      const cached = cachedReads.get(key);
      if (cached !== undefined) return [...cached];
      const rows = read(sql, parameters);
      if (rows.length <= maxCachedRows) cachedReads.set(key, [...rows]);
      return rows;
    },
    renew,
    close() {
      renew();
      database.close();
    },
  };
}
