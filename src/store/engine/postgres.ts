// Kysely on our pool of pg connections.
import { PostgresDialect, type Dialect } from 'kysely';
import { openPostgresPool, type QueryTimeout } from './postgres-pool.ts';

const maxConnections = 20;

export function postgresDialect(url: string, queryTimeout?: QueryTimeout): Dialect {
  return new PostgresDialect({ pool: openPostgresPool(url, maxConnections, queryTimeout) as never });
}
