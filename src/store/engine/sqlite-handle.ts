// A connection to a SQLite file with our settings, and its prepared statements.
import SQLite from 'better-sqlite3';
import type { CompiledQuery, QueryResult } from 'kysely';
import { BoundedMap } from '#lib/bounded-map.ts';

const statementsKept = 500;

export interface SqliteHandle {
  readonly database: SQLite.Database;
  statement(sql: string): SQLite.Statement;
}

export function openSqlite(file: string): SqliteHandle {
  const database = new SQLite(file);
  database.pragma('journal_mode = wal');
  // A reopened WAL file falls back to NORMAL, which can lose the last commits on a power failure.
  database.pragma('synchronous = full');
  database.pragma('foreign_keys = on');
  database.pragma('busy_timeout = 10000');
  // Four times the default: an idle server rewrites the same few pages, which are copied to the file once per 16 MB.
  database.pragma('wal_autocheckpoint = 4000');
  database.pragma('cache_size = -16000');
  return handleOf(database);
}

/** Opens a connection that can write only to temporary tables. */
export function openReadOnlySqlite(file: string): SqliteHandle {
  const database = new SQLite(file, { readonly: true });
  database.pragma('foreign_keys = off');
  database.pragma('busy_timeout = 10000');
  return handleOf(database);
}

function handleOf(database: SQLite.Database): SqliteHandle {
  const statements = new BoundedMap<string, SQLite.Statement>(statementsKept);
  return {
    database,
    statement(sql) {
      let statement = statements.get(sql);
      if (statement === undefined) {
        statement = database.prepare(sql);
        statements.set(sql, statement);
      }
      return statement;
    },
  };
}

export function runStatement<R>(handle: SqliteHandle, query: CompiledQuery): QueryResult<R> {
  const statement = handle.statement(query.sql);
  if (statement.reader) return { rows: statement.all(query.parameters) as R[] };
  const { changes, lastInsertRowid } = statement.run(query.parameters);
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
}
