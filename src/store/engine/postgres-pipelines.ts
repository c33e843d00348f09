// Small reads on shared connections: each is sent without waiting for the answers to those before it, which takes half
// the CPU time of a connection for each. Benchmark: bench/api.ts.
import { openPostgresPool, type PostgresClient, type QueryTimeout } from './postgres-pool.ts';

interface Pipeline {
  client: Promise<PostgresClient> | undefined;
  /** Reads that are waiting for their answer. */
  waiting: number;
}

export interface Pipelines {
  read(sql: string, parameters: readonly unknown[]): Promise<unknown[]>;
  /**
   * Reads at most one row, as JSON: pg takes twice as long to read a row of 20 columns, and describes them every time. For many rows it
   * would only move the work to PostgreSQL.
   */
  readRow(sql: string, parameters: readonly unknown[]): Promise<unknown[]>;
  end(): Promise<void>;
}

/** Several, because a slow read delays those behind it. */
const connections = 4;
/** Reads prefer a pipeline with others, because answers that arrive together cost less. */
const preferredLength = 32;

export function openPipelines(url: string, queryTimeout?: QueryTimeout): Pipelines {
  const pool = openPostgresPool(url, connections, queryTimeout, { isPipelined: true });
  const pipelines = Array.from({ length: connections }, (): Pipeline => ({ client: undefined, waiting: 0 }));

  async function connect(pipeline: Pipeline): Promise<PostgresClient> {
    const connecting = (pipeline.client ??= pool.connect());
    try {
      const client = await connecting;
      if (client.isCurrent()) return client;
      if (pipeline.client === connecting) {
        client.release();
        pipeline.client = undefined;
      }
    } catch (error) {
      if (pipeline.client === connecting) pipeline.client = undefined;
      throw error;
    }
    return connect(pipeline);
  }

  function shortest(): Pipeline {
    return pipelines.reduce((best, candidate) => (candidate.waiting < best.waiting ? candidate : best));
  }

  async function read(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    const pipeline = pipelines.find(({ waiting }) => waiting < preferredLength) ?? shortest();
    pipeline.waiting++;
    try {
      const client = await connect(pipeline);
      return (await client.query(sql, parameters)).rows;
    } finally {
      pipeline.waiting--;
    }
  }

  const jsonTexts = new Map<string, string>();
  async function readRow(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    let text = jsonTexts.get(sql);
    if (text === undefined)
      jsonTexts.set(sql, (text = `select row_to_json(found)::text as found from (${sql}) as found`));
    const rows = (await read(text, parameters)) as { found: string }[];
    return rows.map(({ found }) => JSON.parse(found) as unknown);
  }

  async function end(): Promise<void> {
    for (const { client } of pipelines) (await client?.catch(() => undefined))?.release();
    await pool.end();
  }
  return { read, readRow, end };
}
