// Two nodes on one PostgreSQL behind HAProxy, by the configuration that we hand out: a node may be stopped without a request
// lost, and one that dies takes with it only what a repetition brings back.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request as dial } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeKeyText } from '#kernel/key-text.ts';
import { ada } from '#test/support/ada.ts';
import { createContact, nameOf } from '#test/support/contacts.ts';
import { startDaemon, type Daemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { until } from '#test/support/until.ts';
import { freePort } from '#test/support/ports.ts';

const root = join(import.meta.dirname, '..', '..');

/** The file that we hand out, without TLS and on ports of this test. */
function configuration(frontPort: number, nodes: readonly URL[]): string {
  const [first, second] = nodes.map(({ host }) => host);
  const given = readFileSync(join(root, 'packaging/haproxy.cfg'), 'utf8');
  const ours = given
    .replace('bind :443 ssl crt /etc/haproxy/hostyard.pem', `bind 127.0.0.1:${frontPort}`)
    .replace('10.0.0.11:8080', first!)
    .replace('10.0.0.12:8080', second!);
  assert.ok(!ours.includes('10.0.0.') && !ours.includes(':443'), 'every address was replaced');
  return ours;
}

/** A GET from an address of its own choice; resolves to status and text. */
function get(url: string, key: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key };
    const sent = dial(url, { agent, headers, localAddress: '127.0.0.5' }, (answer) => {
      let text = `${answer.statusCode} `;
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve(text)).on('error', reject);
    });
    sent.on('error', reject).end();
  });
}

test('two nodes behind the balancer are one service', needs('initdb', 'postgres', 'haproxy'), async () => {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('balancer')).path;
  const postgres = owned.use(await startPostgres());
  const database = await postgres.createDatabase();
  const { text: key, printableId: id, secretHash } = makeKeyText();
  const limits = { rate: 2000, burst: 10_000 };
  const keys = [{ name: 'own', id, hash: secretHash.toString('hex'), scopes: ['all'], limits }];
  const site = { provider: { name: 'Two', currency: { code: 'EUR' } }, customers: [{ ...ada, keys }] };
  writeFileSync(join(folder, 'site.yaml'), JSON.stringify(site), { mode: 0o600 });
  writeFileSync(join(folder, 'sealing.key'), randomBytes(32).toString('base64'), { mode: 0o600 });

  const start = async (name: string, listen = '127.0.0.1:0'): Promise<{ daemon: Daemon; url: URL }> => {
    const env = {
      PATH: process.env['PATH'],
      HOSTYARD_DATA: join(folder, name),
      HOSTYARD_LISTEN: listen,
      HOSTYARD_DATABASE: database,
      HOSTYARD_SITE: join(folder, 'site.yaml'),
      HOSTYARD_SEALING_KEY_FILE: join(folder, 'sealing.key'),
      HOSTYARD_TRUSTED_PROXIES: '127.0.0.1',
    };
    const daemon = owned.use(await startDaemon(process.execPath, ['src/main.ts'], { cwd: root, env }));
    await daemon.printed('Reference');
    return { daemon, url: new URL(/API +(http:\S+)/.exec(daemon.output())![1]!) };
  };
  const [first, second] = [await start('a'), await start('b')];
  const frontPort = await freePort();
  writeFileSync(join(folder, 'haproxy.cfg'), configuration(frontPort, [first.url, second.url]));
  owned.use(await startDaemon('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]));
  const url = `http://127.0.0.1:${frontPort}`;
  const agent = new Agent({ keepAlive: true });
  owned.defer(() => agent.destroy());
  const ready = async () => (await get(`${url}/readyz`, key, agent).catch(() => '')).startsWith('200');
  await until(ready, { patienceMs: 60_000 });

  // Both serve, and both know the caller behind the balancer.
  const requestsOf = ({ daemon }: { daemon: Daemon }) =>
    daemon.output().split('"operation":"v2.accountGet"').length - 1;
  await until(
    async () => {
      assert.match(await get(`${url}/v2/account`, key, agent), /^200 /);
      return requestsOf(first) > 0 && requestsOf(second) > 0;
    },
    { patienceMs: 60_000 },
  );
  assert.match(await get(`${url}/v2/account`, key, agent), /127\.0\.0\.5/);

  // One is stopped in good order while calls come: none of them fails.
  const answers: string[] = [];
  const stop = new AbortController();
  const asking = Array.from({ length: 3 }, async () => {
    while (!stop.signal.aborted) answers.push(await get(`${url}/v2/account`, key, agent));
  });
  await until(() => answers.length > 20);
  await first.daemon.stop('SIGTERM');
  const then = answers.length;
  await until(() => answers.length > then + 20);
  stop.abort();
  await Promise.all(asking);
  assert.deepEqual(
    answers.filter((answer) => !answer.startsWith('200 ')),
    [],
  );

  // It comes back; the other is shot while customers write. Who got no answer repeats, and has one contact for one call.
  const again = await start('a', first.url.host);
  assert.equal(again.url.host, first.url.host);
  let next = 0;
  const unanswered = new Set<number>();
  const writing = new AbortController();
  const writers = Array.from({ length: 3 }, async () => {
    while (!writing.signal.aborted) {
      const number = next++;
      const answer = await createContact(url, key, number, agent);
      if (answer?.startsWith('200 ') !== true) unanswered.add(number);
    }
  });
  await until(() => next > 6);
  await second.daemon.stop('SIGKILL');
  const shotAt = next;
  await until(() => next > shotAt + 6);
  writing.abort();
  await Promise.all(writers);
  for (const number of unanswered)
    await until(async () => (await createContact(url, key, number, agent))?.startsWith('200 ') === true, {
      patienceMs: 60_000,
    });
  const listed = await get(`${url}/v2/account/contact`, key, agent);
  const names = (JSON.parse(listed.slice(4)) as { result: { firstname: string }[] }).result.map((one) => one.firstname);
  assert.deepEqual(names.toSorted(), Array.from({ length: next }, (_, number) => nameOf(number)).toSorted());
});
