// Kysely on pg. Statements are named after their text, so that the server plans each once per connection: three to four
// times faster on the small queries that a request is made of.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely';
import { postgresRoute } from './postgres-route.ts';
import { isLostConnection, NoConnection } from './unavailable.ts';

const int8 = 20;
const numeric = 1700;
/** Statements past this many are sent unnamed: a text that varies without end must not fill the server's memory. */
const namedStatements = 1000;

/** How long an answer is waited for: a server that hangs, or a way to it that broke without a word, must not keep callers for
 * ever. It is changed once the migrations are done, which may take their time. */
export interface Patience {
  answerMs: number | undefined;
}

export function postgresDialect(url: string, patience: Patience = { answerMs: undefined }): Dialect {
  const route = postgresRoute(url);
  const pool = new pg.Pool({
    ...route.options,
    keepAlive: true,
    max: 20,
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: (oid, format) => (oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  // A connection that breaks is replaced at the next use, and a query on it fails by itself; without listeners the error
  // would end the process. The pool listens to idle connections only, so those in use need one of their own.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const names = new Map<string, string>();
  const clients = new WeakMap<object, PostgresPoolClient>();

  function naming(client: pg.PoolClient): PostgresPoolClient {
    let wrapped = clients.get(client);
    if (wrapped === undefined) {
      /** Why this connection is of no more use: whoever comes next is given another. */
      let lost: Error | undefined;
      const lose = (error: Error): never => {
        if (isReadOnly(error)) route.isReadOnly(client);
        if (isReadOnly(error) || isLostConnection(error)) lost = error;
        throw error;
      };
      const query = async (text: unknown, values?: readonly unknown[]): Promise<unknown> => {
        if (lost !== undefined) throw lost;
        if (typeof text !== 'string') return client.query(text as never);
        const bound =
          values === undefined || values.length === 0 ? {} : { values: values as unknown[], ...named(text) };
        return client.query({ text, ...bound, query_timeout: patience.answerMs } as pg.QueryConfig).catch(lose);
      };
      wrapped = { query, release: () => client.release(lost) } as unknown as PostgresPoolClient;
      clients.set(client, wrapped);
    }
    return wrapped;
  }
  function named(text: string): { name?: string } {
    let name = names.get(text);
    if (name === undefined && names.size < namedStatements) {
      name = createHash('sha256').update(text).digest('hex').slice(0, 24);
      names.set(text, name);
    }
    return name === undefined ? {} : { name };
  }
  /** What PostgreSQL itself answers, such as a wrong password, says more than that there is no connection. */
  function refused(error: unknown): never {
    throw error instanceof pg.DatabaseError ? error : new NoConnection(error);
  }
  /** Once for each address: where the first is gone or only a replica, the next may be the primary. */
  async function connect(): Promise<PostgresPoolClient> {
    for (let left = route.addresses; ; left--) {
      try {
        return naming(await pool.connect());
      } catch (error) {
        if (left === 1 || (error as Error).message === poolIsFull) return refused(error);
      }
    }
  }
  return new PostgresDialect({ pool: { connect, end: () => pool.end() } as never });
}

/** As the pool says it: no address would help. */
const poolIsFull = 'timeout exceeded when trying to connect';
const readOnlyTransaction = '25006';
/** A primary that became a replica keeps the connections that it had. */
function isReadOnly(error: Error): boolean {
  return (error as { code?: unknown }).code === readOnlyTransaction;
}
