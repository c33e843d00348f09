// Two instances of the previous release behind HAProxy, upgraded one after the other while customers read and write: no
// call is refused, and none is lost or made twice.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { v2 } from '#contract/contract.ts';
import { createContact, nameOf } from '#test/support/contacts.ts';
import type { Daemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { startHaproxy } from '#test/support/haproxy.ts';
import { createInstances, type Instance } from '#test/support/instances.ts';
import { leaveOut, needs, type SuiteOptions } from '#test/support/needs.ts';
import { lastRelease } from '#test/support/releases.ts';
import { request } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

const root = join(import.meta.dirname, '..', '..');

/** A clone without history does not have the release. */
function needsRelease(): SuiteOptions {
  try {
    execFileSync('git', ['cat-file', '-e', lastRelease.commit], { cwd: root, stdio: 'ignore' });
    return needs('initdb', 'postgres', 'haproxy');
  } catch {
    return leaveOut(`commit ${lastRelease.commit} is not in this clone`);
  }
}

function unpackRelease(folder: string): void {
  execFileSync('sh', ['-c', 'git archive "$1" | tar --extract --directory "$2"', 'sh', lastRelease.commit, folder], {
    cwd: root,
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

test('two instances are upgraded one after the other without a refused request', needsRelease(), async () => {
  await using owned = new AsyncDisposableStack();
  const release = owned.use(await temporaryFolder('rolling-release')).path;
  unpackRelease(release);
  const instances = await createInstances(owned);
  const { key } = instances;
  const daemons: Daemon[] = [];
  const start = async (...args: Parameters<typeof instances.start>): Promise<Instance> => {
    const instance = await instances.start(...args);
    daemons.push(instance.daemon);
    return instance;
  };
  const errors = (): string =>
    daemons
      .flatMap((daemon) => daemon.output().split('\n'))
      .filter((line) => line.includes('"level":50'))
      .join('\n');
  const [first, second] = [await start('a', { version: release }), await start('b', { version: release })];
  const { url } = owned.use(await startHaproxy([first.url.host, second.url.host]));
  const agent = new Agent({ keepAlive: true });
  owned.defer(() => agent.destroy());
  const status = async (path: string): Promise<number> => (await request({ url }, 'GET', path, { key })).status;
  await until(async () => (await status('/readyz')) === 200);

  const paths: string[] = [];
  for (const path of new Set(
    Object.values(v2)
      .filter(({ method }) => method === 'GET')
      .map((each) => each.path),
  ))
    if (!path.includes('{') && (await status(path)) === 200) paths.push(path);
  assert.ok(paths.length > 10, paths.join(' '));

  const refused: string[] = [];
  const calls = { read: 0, written: 0 };
  const stop = new AbortController();
  const readers = Array.from({ length: 3 }, async () => {
    while (!stop.signal.aborted) {
      const path = paths[calls.read++ % paths.length]!;
      const found = await status(path).catch(String);
      if (found !== 200) refused.push(`GET ${path}: ${found}`);
    }
  });
  const writer = (async () => {
    while (!stop.signal.aborted) {
      const response = await createContact(url, key, calls.written, agent, 'without key');
      if (response?.startsWith('200 ') !== true) refused.push(`POST contact ${calls.written}: ${response}`);
      calls.written++;
    }
  })();
  /** Until every path was read again, and something was written. */
  const workOn = async (): Promise<void> => {
    const { read, written } = calls;
    await until(() => calls.read > read + 3 * paths.length && calls.written > written + 5, { saw: () => calls });
  };

  await workOn();
  for (const [name, old] of Object.entries({ a: first, b: second })) {
    await old.daemon.stop('SIGTERM');
    await workOn();
    // The first one migrates the database, while the other one of the previous release works.
    await start(name, { listen: old.url.host });
    await workOn();
  }
  stop.abort();
  await Promise.all([...readers, writer]);
  assert.deepEqual(refused, [], errors());
  const { body } = await request<{ result: { firstname: string }[] }>({ url }, 'GET', '/v2/account/contact', { key });
  assert.deepEqual(
    body.result.map(({ firstname }) => firstname).toSorted(),
    Array.from({ length: calls.written }, (_, number) => nameOf(number)).toSorted(),
  );
});
