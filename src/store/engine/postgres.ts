// Kysely on our pool of pg connections.
import { PostgresAdapter, PostgresDialect, type Dialect } from 'kysely';
import type { DirectReading } from './prepared.ts';
import { openPipelines, type Pipelines } from './postgres-pipelines.ts';
import { openPostgresPool, type QueryTimeout } from './postgres-pool.ts';

const maxConnections = 16;

export function postgresDialect(url: string, queryTimeout?: QueryTimeout): Dialect {
  const pool = openPostgresPool(url, maxConnections, queryTimeout);
  const pipelines = openPipelines(url, queryTimeout);
  const end = async (): Promise<void> => void (await Promise.all([pool.end(), pipelines.end()]));
  const dialect = new PostgresDialect({ pool: { ...pool, end } as never });
  const adapter = new PipelinesAdapter(pipelines);
  return {
    createAdapter: () => adapter,
    createDriver: () => dialect.createDriver(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

class PipelinesAdapter extends PostgresAdapter implements DirectReading {
  readonly readDirectly: Pipelines['read'];
  readonly readRowDirectly: Pipelines['readRow'];

  constructor({ read, readRow }: Pipelines) {
    super();
    this.readDirectly = read;
    this.readRowDirectly = readRow;
  }
}
