// A PostgreSQL with a synchronous replica, which therefore has everything that was acknowledged: the primary can be
// lost and the replica promoted.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { account, settings, startOnFreePort, startPostgres } from './postgres.ts';
import { until } from './until.ts';
import { withResources } from './resources.ts';

/** The primary crashes, or stays up but read-only with its connections open. */
export type Loss = 'crash' | 'demotion';

export interface PostgresPair extends AsyncDisposable {
  /** A new database, at both addresses. */
  readonly database: string;
  /** Makes the primary hang until the returned function is called. */
  hang(): () => void;
  /** Loses the primary and promotes the replica. */
  failOver(loss: Loss): Promise<void>;
}

const streaming = { wal_level: 'replica', max_wal_senders: 4 };
const run = promisify(execFile);

/** `env` applies to both servers. */
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
  await query(primary.url, `alter system set synchronous_standby_names = '*'`);
  await query(primary.url, 'select pg_reload_conf()');
  await until(async () => {
    const rows = await query(primary.url, 'select sync_state from pg_stat_replication');
    return rows.some(({ sync_state }) => sync_state === 'sync');
  });
  return withResources(owned, {
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
        await query(primary.url, 'alter system set default_transaction_read_only = on');
        await query(primary.url, 'select pg_reload_conf()');
      } else {
        // Like a crash, but without leaving shared memory behind.
        await primary.daemon.stop('SIGQUIT');
      }
      const url = new URL(primary.url);
      url.port = String(replica.port);
      await query(url.href, 'select pg_promote()');
    },
  });
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The postmaster first, so that it starts no further processes. */
function processesOf({ process: { pid } }: Daemon): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return [pid!, ...children];
}
