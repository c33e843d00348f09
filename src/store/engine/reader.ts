// A read-only connection to the database for a separate thread, without Kysely, so that the thread stays small. Each
// read sees everything that was committed before it.
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import type { PostgresClient } from './postgres-pool.ts';
import { sqliteName, type StoreLocation } from '../location.ts';
import type { Engine } from '../store.ts';

export interface Reader {
  readonly engine: Engine;
  /** Values are marked with `?` in the text. */
  read<Row>(sql: string, values: readonly unknown[]): Promise<Row[]>;
  /** Runs reads that all see the same state of the database. One at a time. */
  readSnapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openReader({ dataFolder, database }: StoreLocation): Promise<Reader> {
  return database === undefined ? openSqliteReader(join(dataFolder, sqliteName)) : openPostgresReader(database);
}

const lockTimeoutMs = 10_000;

function openSqliteReader(file: string): Reader {
  const database = new SQLite(file, { readonly: true, fileMustExist: true, timeout: lockTimeoutMs });
  const statements = new Map<string, SQLite.Statement>();
  const reader: Reader = {
    engine: 'sqlite',
    async read<Row>(sql: string, values: readonly unknown[]) {
      let statement = statements.get(sql);
      if (statement === undefined) statements.set(sql, (statement = database.prepare(sql)));
      return statement.all(values) as Row[];
    },
    async readSnapshot(work) {
      database.exec('begin');
      try {
        return await work(reader);
      } finally {
        database.exec('commit');
      }
    },
    async close() {
      database.close();
    },
  };
  return reader;
}

const maxConnections = 4;
const queryTimeoutMs = 10_000;
const lifetimeSeconds = 15;

async function openPostgresReader(url: string): Promise<Reader> {
  // Loaded only when used, to keep small installations small.
  const { openPostgresPool } = await import('./postgres-pool.ts');
  const pool = openPostgresPool(url, maxConnections, { timeoutMs: queryTimeoutMs }, { lifetimeSeconds });
  const numbered = new Map<string, string>();

  function readerOn(client: Pick<PostgresClient, 'query'>): Reader {
    const reader: Reader = {
      engine: 'postgres',
      async read<Row>(sql: string, values: readonly unknown[]) {
        let text = numbered.get(sql);
        if (text === undefined) numbered.set(sql, (text = numberPlaceholders(sql)));
        return (await client.query(text, values)).rows as Row[];
      },
      readSnapshot: (work) =>
        withClient(async (own) => {
          await own.query('begin isolation level repeatable read read only');
          try {
            return await work(readerOn(own));
          } finally {
            await own.query('commit');
          }
        }),
      close: () => pool.end(),
    };
    return reader;
  }

  async function withClient<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }

  return readerOn({ query: (text, values) => withClient((client) => client.query(text, values)) });
}

function numberPlaceholders(sql: string): string {
  let number = 0;
  return sql.replaceAll('?', () => `$${++number}`);
}
