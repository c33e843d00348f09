// Connections to PostgreSQL. Statements are named after a hash of their text, so that the server plans each once per
// connection, which makes small queries three to four times faster.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { plannedEachTime } from './plan-mark.ts';
import { directUrl, postgresRoute } from './postgres-route.ts';
import { isStalePlan, isUnavailable, NoConnection } from './unavailable.ts';

const int8 = 20;
const numeric = 1700;
/**
 * Statements beyond this number are sent unnamed, so that texts that vary endlessly do not fill the server's memory.
 */
const namedStatements = 1000;

/**
 * The query timeout: a server that hangs, or a broken network path, must not block callers for ever. It is set once
 * the migrations are done, which may take long.
 */
export interface QueryTimeout {
  timeoutMs: number | undefined;
}

export interface PostgresClient {
  query(text: unknown, values?: readonly unknown[]): Promise<pg.QueryResult>;
  /** Returns false once the connection has failed, or if others go to another server by now. */
  isCurrent(): boolean;
  release(): void;
}

export interface PoolOptions {
  /** Sends queries before earlier ones are answered. */
  readonly isPipelined?: boolean;
  /**
   * After this time, a connection is replaced. A primary that becomes read-only keeps its connections, and those that
   * only read would not notice that another server has taken its place.
   */
  readonly lifetimeSeconds?: number;
}

export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
}

export function openPostgresPool(
  url: string,
  max: number,
  queryTimeout: QueryTimeout = { timeoutMs: undefined },
  { isPipelined = false, lifetimeSeconds = 0 }: PoolOptions = {},
): PostgresPool {
  const route = postgresRoute(url);
  const keepsSessions = directUrl(url) === undefined;
  const pool = new pg.Pool({
    ...route.options,
    async onConnect(client) {
      await route.options.onConnect?.(client);
      if (keepsSessions) await client.query(costsInMemory);
    },
    pipeline: isPipelined,
    maxLifetimeSeconds: lifetimeSeconds,
    keepAlive: true,
    max,
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: (oid, format) => (oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  // A broken connection is replaced at the next use, and a query on it fails anyway; without listeners its error
  // would end the process. The pool listens to idle connections only, so connections in use need a listener of their
  // own.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const names = new Map<string, string>();
  /** Counts renewals of the names. */
  let generation = 0;
  const clients = new WeakMap<object, PostgresClient>();

  function namedClient(client: pg.PoolClient): PostgresClient {
    let wrapped = clients.get(client);
    if (wrapped === undefined) {
      /** Set once this connection is unusable, so that it is replaced. */
      let connectionError: Error | undefined;
      const onQueryError = (error: Error): never => {
        if (isReadOnly(error)) route.reportReadOnly(client);
        if (isUnavailable(error)) connectionError = error;
        throw error;
      };
      client.once('error', (error: Error) => (connectionError ??= error));
      const query: PostgresClient['query'] = async (text, values) => {
        if (connectionError !== undefined) throw connectionError;
        if (typeof text !== 'string') return client.query(text as never);
        const send = (): Promise<pg.QueryResult> => {
          const bound =
            values === undefined || values.length === 0 ? {} : { values: values as unknown[], ...statementName(text) };
          return client.query({ text, ...bound, query_timeout: queryTimeout.timeoutMs } as pg.QueryConfig);
        };
        const sentIn = generation;
        return send()
          .catch((error: unknown) => {
            if (!isStalePlan(error)) throw error;
            if (sentIn === generation) renewNames();
            // The error has ended a transaction, which is then retried as a whole.
            if (client.getTransactionStatus() !== 'I') throw error;
            return send();
          })
          .catch(onQueryError);
      };
      const place = route.place();
      const isCurrent = (): boolean => connectionError === undefined && route.place() === place;
      wrapped = { query, isCurrent, release: () => client.release(connectionError ?? !isCurrent()) };
      clients.set(client, wrapped);
    }
    return wrapped;
  }
  function renewNames(): void {
    generation++;
    names.clear();
  }
  function statementName(text: string): { name?: string } {
    let name = names.get(text);
    if (name === undefined && keepsSessions && names.size < namedStatements && !text.includes(plannedEachTime)) {
      name = createHash('sha256').update(`${generation} ${text}`).digest('hex').slice(0, 24);
      names.set(text, name);
    }
    return name === undefined ? {} : { name };
  }
  /** Tries each address once: if the first is gone or only a replica, the next may be the primary. */
  async function connect(): Promise<PostgresClient> {
    for (let left = route.addresses; ; left--) {
      try {
        return namedClient(await pool.connect());
      } catch (error) {
        if (left === 1 || (error as Error).message === poolIsFull) throw toConnectionError(error);
      }
    }
  }
  return { connect, end: () => pool.end() };
}

/** Most of the database is in memory, or else on an SSD. By default, PostgreSQL avoids indexes as if it were on a rotating disk. */
const costsInMemory = 'set random_page_cost = 1.1';
/** A server whose disk is full fails so, because it cannot write its own files, before any statement was sent. */
const internalError = 'XX000';
/** Returns the error of a failed connection. One from PostgreSQL itself, such as a wrong password, says more than NoConnection. */
export function toConnectionError(error: unknown): Error {
  return error instanceof pg.DatabaseError && error.code !== internalError ? error : new NoConnection(error);
}

/** The pool's message when it is full; another address would not help. */
const poolIsFull = 'timeout exceeded when trying to connect';
const readOnlyTransaction = '25006';
/** A primary that becomes a replica keeps its connections. */
function isReadOnly(error: Error): boolean {
  return (error as { code?: unknown }).code === readOnlyTransaction;
}
