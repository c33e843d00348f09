// Restores PostgreSQL to a point in time from a base backup and archived WAL, with the settings and commands of
// docs/guides/backup.md: what was acknowledged before a mistake is there, the mistake is not, and the server starts on it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { createContact, nameOf } from '#test/support/contacts.ts';
import { startDaemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { account, settings, startOnFreePort, startPostgres } from '#test/support/postgres.ts';
import { requestResult } from '#test/support/request.ts';
import { startServer } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const guide = readFileSync(join(root, 'docs/guides/backup.md'), 'utf8');
/** The values of a configuration block of the guide, with the test's folder. */
function documented(first: string, archive: string): Record<string, string> {
  const block = guide.split('```').find((text) => new RegExp(`^ini\\n *${first}`).test(text));
  assert.ok(block, `the guide has the block ${first}`);
  return Object.fromEntries(
    block
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => /^ *(\w+) = '?(.*?)'?$/.exec(line)!.slice(1) as [string, string])
      .map(([name, value]) => [name, value.replaceAll('/var/backups/postgresql/wal', archive)]),
  );
}

const programs = needs('initdb', 'postgres', 'pg_basebackup', 'pg_verifybackup');

test('a database is restored to the moment before a mistake', programs, async () => {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('point-in-time')).path;
  const archive = join(folder, 'wal');
  mkdirSync(archive);
  chmodSync(folder, 0o755);
  if (account.user !== undefined) await promisify(execFile)('chown', ['-R', `${account.user}:`, folder]);
  const archiving = documented('wal_level', archive);
  const streaming = { max_wal_senders: 4 };
  const postgres = owned.use(await startPostgres({ ...archiving, ...streaming }));
  const database = await postgres.createDatabase();
  const server = owned.use(await startServer({ database }));
  const { key } = server.lab.customer;
  const agent = new Agent({ keepAlive: true });
  owned.defer(() => agent.destroy());
  const write = async (number: number): Promise<void> =>
    assert.match((await createContact(server.url, key, number, agent))!, /^200 /);

  await write(0);
  const data = join(folder, 'data');
  const base = await startDaemon('pg_basebackup', ['-d', postgres.url, '-D', data, '-c', 'fast'], {
    ...account,
    cwd: folder,
  });
  assert.equal(await base.ended, 0, base.output());
  const verified = await startDaemon('pg_verifybackup', [data], { ...account, cwd: folder });
  assert.equal(await verified.ended, 0, verified.output());
  await write(1);

  const client = new pg.Client(database);
  await client.connect();
  const { rows } = await client.query<{ moment: string }>('select clock_timestamp()::text as moment');
  const { moment } = rows[0]!;
  // The mistake.
  await client.query('delete from sign_ins where contact_id is not null');
  await client.query('delete from contacts');
  await write(2);
  const [{ segment }] = (await client.query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment'))
    .rows as [{ segment: string }];
  await client.end();
  await until(() => existsSync(join(archive, segment)), { saw: () => readdirSync(archive) });
  await server.kill('SIGTERM');
  await postgres.daemon.stop('SIGQUIT');

  const recovery = documented('restore_command', archive);
  assert.equal(recovery['recovery_target_time'], '2026-03-14 09:30:00 UTC');
  const lines = Object.entries({ ...recovery, recovery_target_time: moment }).map(
    ([name, value]) => `${name} = '${value}'`,
  );
  appendFileSync(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  writeFileSync(join(data, 'recovery.signal'), '');
  const restored = await startOnFreePort(
    folder,
    data,
    { ...settings, ...streaming, wal_level: 'replica' },
    { env: {} },
  );
  owned.use(restored.daemon);
  const url = new URL(database);
  url.port = String(restored.port);
  await until(() => restored.daemon.output().includes('archive recovery complete'), {
    saw: () => restored.daemon.output(),
  });

  const env = { PATH: process.env['PATH'], HOSTYARD_DATA: server.data, HOSTYARD_LISTEN: '127.0.0.1:0' };
  const again = owned.use(
    await startDaemon(process.execPath, ['src/main.ts'], { cwd: root, env: { ...env, HOSTYARD_DATABASE: url.href } }),
  );
  await again.printed('  Try ');
  const api = { url: /API +(http:\S+)/.exec(again.output())![1]! };
  const contacts = await requestResult<{ firstname: string }[]>(api, 'GET', '/v2/account/contact', { key });
  const names = contacts.map(({ firstname }) => firstname);
  assert.ok(names.includes(nameOf(0)) && names.includes(nameOf(1)), names.join(' '));
  assert.ok(!names.includes(nameOf(2)), 'it was written after the mistake');
  assert.match((await createContact(api.url, key, 3, agent))!, /^200 /);
});
