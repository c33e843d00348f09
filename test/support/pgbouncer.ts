// A real PgBouncer in transaction mode, in front of a PostgreSQL. Its pool is small, so that the transactions of one
// client run on different connections of the server.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { freePort } from './ports.ts';
import { account } from './postgres.ts';
import { withResources } from './resources.ts';

/** Returns the database's URL through PgBouncer. */
export async function startPgBouncer(database: string): Promise<AsyncDisposable & { readonly url: string }> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('pgbouncer'));
  const { hostname, port, username, password, pathname } = new URL(database);
  const listenPort = await freePort();
  const at = (name: string): string => join(folder.path, name);
  writeFileSync(at('users.txt'), `"${username}" "${password}"\n`);
  writeFileSync(
    at('pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${at('users.txt')}
pool_mode = transaction
default_pool_size = 4
query_wait_timeout = 10
`,
  );
  if (account.user !== undefined) await promisify(execFile)('chown', ['-R', `${account.user}:`, folder.path]);
  const daemon = owned.use(await startDaemon('pgbouncer', [at('pgbouncer.ini')], { ...account, cwd: folder.path }));
  await daemon.printed('process up');
  const url = `postgres://${username}:${password}@127.0.0.1:${listenPort}${pathname}`;
  return withResources(owned, { url });
}
