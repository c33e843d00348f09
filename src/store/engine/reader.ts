// A read-only connection to the database for a separate thread, without Kysely, so that the thread stays small. Each
// read sees everything that was committed before it.
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { sqliteName, type StoreLocation } from '../location.ts';

export interface Reader {
  /** Values are marked with `?` in the text. */
  read<Row>(sql: string, values: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function openReader({ dataFolder, database }: StoreLocation): Promise<Reader> {
  return database === undefined ? openSqliteReader(join(dataFolder, sqliteName)) : openPostgresReader(database);
}

const lockTimeoutMs = 10_000;

function openSqliteReader(file: string): Reader {
  const database = new SQLite(file, { readonly: true, fileMustExist: true, timeout: lockTimeoutMs });
  // Pages are read from the system's page cache instead of being copied, which matters with many zones.
  database.pragma('mmap_size = 1073741824');
  const statements = new Map<string, SQLite.Statement>();
  return {
    async read<Row>(sql: string, values: readonly unknown[]) {
      let statement = statements.get(sql);
      if (statement === undefined) statements.set(sql, (statement = database.prepare(sql)));
      return statement.all(values) as Row[];
    },
    async close() {
      database.close();
    },
  };
}

const maxConnections = 4;
const queryTimeoutMs = 10_000;

async function openPostgresReader(url: string): Promise<Reader> {
  // Loaded only when used, to keep small installations small.
  const { openPostgresPool } = await import('./postgres-pool.ts');
  const pool = openPostgresPool(url, maxConnections, { timeoutMs: queryTimeoutMs });
  const numbered = new Map<string, string>();
  return {
    async read<Row>(sql: string, values: readonly unknown[]) {
      let text = numbered.get(sql);
      if (text === undefined) numbered.set(sql, (text = numberPlaceholders(sql)));
      const client = await pool.connect();
      try {
        return (await client.query(text, values)).rows as Row[];
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}

function numberPlaceholders(sql: string): string {
  let number = 0;
  return sql.replaceAll('?', () => `$${++number}`);
}
