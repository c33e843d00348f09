// A PostgreSQL with a replica that has everything which was acknowledged (synchronous streaming), as who wants to survive the loss
// of a machine has it: the primary can be lost, and the replica be made the primary.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { account, settings, startOnFreePort, startPostgres } from './postgres.ts';
import { until } from './until.ts';

/** It crashes, or stays and can only be read, with all its connections. */
export type Loss = 'crash' | 'demotion';

export interface PostgresPair extends AsyncDisposable {
  /** A new database, at both addresses. */
  readonly database: string;
  /** The primary hears and says nothing, until what is answered is called. */
  hang(): () => void;
  /** The primary is lost; the replica becomes the primary. */
  failOver(loss: Loss): Promise<void>;
}

const streaming = { wal_level: 'replica', max_wal_senders: 4 };
const run = promisify(execFile);

/** `env` is for both servers. */
export async function startPostgresPair(env: Record<string, string> = {}): Promise<PostgresPair> {
  await using owned = new AsyncDisposableStack();
  const primary = owned.use(await startPostgres(streaming, env));
  const database = new URL(await primary.createDatabase());
  const folder = owned.use(await temporaryFolder('replica'));
  if (account.user !== undefined) await run('chown', [`${account.user}:`, folder.path]);
  const data = join(folder.path, 'data');
  const copied = await startDaemon(
    'pg_basebackup',
    ['-d', primary.url, '-D', data, '-R', '-X', 'stream', '-c', 'fast'],
    {
      ...account,
      cwd: folder.path,
    },
  );
  if ((await copied.ended) !== 0) throw new Error(`pg_basebackup failed:\n${copied.output()}`);
  const readyToRead = 'database system is ready to accept read-only connections';
  const replica = await startOnFreePort(folder.path, data, { ...settings, ...streaming }, { env, ready: readyToRead });
  owned.use(replica.daemon);
  await asked(primary.url, `alter system set synchronous_standby_names = '*'`);
  await asked(primary.url, 'select pg_reload_conf()');
  await until(async () => {
    const rows = await asked(primary.url, 'select sync_state from pg_stat_replication');
    return rows.some(({ sync_state }) => sync_state === 'sync');
  });
  const kept = owned.move();
  return {
    database: database.href.replace(database.host, `${database.host},127.0.0.1:${replica.port}`),
    hang() {
      const all = processesOf(primary.daemon);
      for (const pid of all) process.kill(pid, 'SIGSTOP');
      return () => {
        for (const pid of all) process.kill(pid, 'SIGCONT');
      };
    },
    async failOver(loss) {
      if (loss === 'demotion') {
        await asked(primary.url, 'alter system set default_transaction_read_only = on');
        await asked(primary.url, 'select pg_reload_conf()');
      } else {
        // As a crash, but for the shared memory, which would stay.
        await primary.daemon.stop('SIGQUIT');
      }
      const url = new URL(primary.url);
      url.port = String(replica.port);
      await asked(url.href, 'select pg_promote()');
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function asked(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The postmaster first, so that it starts no others meanwhile. */
function processesOf({ process: { pid } }: Daemon): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return [pid!, ...children];
}
