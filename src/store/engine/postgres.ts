// Kysely on our pool of pg connections.
import { PostgresAdapter, PostgresDialect, type Dialect } from 'kysely';
import type { DirectReading } from './prepared.ts';
import { openPostgresPool, type PostgresPool, type QueryTimeout } from './postgres-pool.ts';

const maxConnections = 20;

export function postgresDialect(url: string, queryTimeout?: QueryTimeout): Dialect {
  const pool = openPostgresPool(url, maxConnections, queryTimeout);
  const dialect = new PostgresDialect({ pool: pool as never });
  const adapter = new PooledAdapter(pool);
  return {
    createAdapter: () => adapter,
    createDriver: () => dialect.createDriver(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

class PooledAdapter extends PostgresAdapter implements DirectReading {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    super();
    this.#pool = pool;
  }

  async readDirectly(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    const client = await this.#pool.connect();
    try {
      return (await client.query(sql, parameters)).rows;
    } finally {
      client.release();
    }
  }
}
