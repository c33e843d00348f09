// Kysely on better-sqlite3 with two connections to one file: a writer, one transaction at a time, and a reader that sees
// only what is committed and never waits for the writer. Kysely's own driver has one connection, on which a read between
// two statements of somebody's transaction would see half of it.
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
import { openSqlite, type SqliteHandle } from './sqlite-handle.ts';
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

export class TwoConnectionAdapter extends SqliteAdapter {
  /** Reads what is committed, past Kysely's machinery, which costs as much as the query itself: for prepared queries. Their
   * rows may be remembered until anybody commits, so whoever gets them must not change them. */
  readDirectly: ((sql: string, parameters: readonly unknown[]) => unknown[]) | undefined;

  /** Kysely would otherwise queue every query behind every other. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Whether these run in the process, where a statement costs no round trip. */
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
    this.#adapter.readDirectly = reader.readRemembered;
  }

  async acquireConnection(): Promise<Lane> {
    return new Lane(this.#writer!, this.#reader!);
  }

  async beginTransaction(lane: Lane): Promise<void> {
    await lane.begin();
  }
  async commitTransaction(lane: Lane): Promise<void> {
    await lane.commit();
  }
  async rollbackTransaction(lane: Lane): Promise<void> {
    lane.rollback();
  }
  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#writer?.close();
    this.#reader?.close();
  }
}

/** What Kysely takes for a connection: reads go to the reader, until a transaction begins. */
class Lane implements DatabaseConnection {
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

  /** Kysely asks for it also where a commit failed, of which nothing is left. */
  rollback(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    turn?.rollback();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#turn !== undefined) return this.#turn.run(() => run(this.#writer.handle, query));
    if (SelectQueryNode.is(query.query)) return { rows: this.#reader.read(query.sql, query.parameters) as R[] };
    return this.#writer.alone(() => run(this.#writer.handle, query));
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator; nothing of ours streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not offered: read in pages');
  }
}

interface Reader {
  read(sql: string, parameters: readonly unknown[]): unknown[];
  readRemembered(sql: string, parameters: readonly unknown[]): unknown[];
  /** What was committed until now is seen by the next read. */
  renew(): void;
  close(): void;
}

/** Small reads are what requests repeat; a whole zone or a month of traffic is not worth the memory. */
const rowsRemembered = 4;
const readsRemembered = 1000;

/** Reads that come in one turn of the event loop share a transaction, from the second on: to begin and end one, which is
 * locking, costs as much as a small read. So what another process commits is seen from the next turn on. And what nobody
 * has committed since need not be read again: SQLite's data_version, asked once a turn, says whether somebody has. */
function openReader(file: string): Reader {
  const { database, statement } = openSqlite(file);
  database.pragma('query_only = on');
  // Past the cache, pages are looked at where the system has them rather than copied: it matters with many zones.
  database.pragma('mmap_size = 1073741824');
  let readsThisTurn = 0;
  let sharing = false;
  let version: unknown;
  let versionAsked = false;
  const remembered = new Map<string, readonly unknown[]>();

  const renew = (): void => {
    if (sharing) statement('commit').run();
    sharing = false;
    versionAsked = false;
  };
  const endTurn = (): void => {
    renew();
    readsThisTurn = 0;
  };
  function read(sql: string, parameters: readonly unknown[]): unknown[] {
    readsThisTurn++;
    if (readsThisTurn === 1) setImmediate(endTurn);
    else if (!sharing) {
      statement('begin').run();
      sharing = true;
    }
    return statement(sql).all(parameters);
  }
  function forgetWhatChanged(): void {
    if (versionAsked) return;
    const [row] = read('pragma data_version', []) as [{ data_version: number }];
    versionAsked = true;
    if (row.data_version === version && remembered.size < readsRemembered) return;
    version = row.data_version;
    remembered.clear();
  }
  return {
    read,
    readRemembered(sql, parameters) {
      forgetWhatChanged();
      const question = `${sql}\n${parameters.join('\n')}`;
      const known = remembered.get(question);
      if (known !== undefined) return [...known];
      const rows = read(sql, parameters);
      if (rows.length <= rowsRemembered) remembered.set(question, [...rows]);
      return rows;
    },
    renew,
    close() {
      renew();
      database.close();
    },
  };
}

function run<R>(handle: SqliteHandle, query: CompiledQuery): QueryResult<R> {
  const statement = handle.statement(query.sql);
  if (statement.reader) return { rows: statement.all(query.parameters) as R[] };
  const { changes, lastInsertRowid } = statement.run(query.parameters);
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
}
