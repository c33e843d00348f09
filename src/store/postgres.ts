// Kysely on pg. Statements are named after their text, so that the server plans each once per connection: three to four
// times faster on the small queries that a request is made of.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely';
import { NoConnection } from './unavailable.ts';

const int8 = 20;
const numeric = 1700;
/** Statements past this many are sent unnamed: a text that varies without end must not fill the server's memory. */
const namedStatements = 1000;

export function postgresDialect(url: string): Dialect {
  const pool = new pg.Pool({
    connectionString: url,
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
      wrapped = {
        query: (text: unknown, values?: readonly unknown[]) =>
          typeof text !== 'string' || values === undefined || values.length === 0
            ? client.query(text as string)
            : client.query({ text, values: values as unknown[], ...named(text) }),
        release: (error?: Error) => client.release(error),
      } as unknown as PostgresPoolClient;
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
  return new PostgresDialect({
    pool: { connect: () => pool.connect().then(naming, refused), end: () => pool.end() } as never,
  });
}
