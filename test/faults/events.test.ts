// Events across crashes, restarts and changes of instance: a reader with a cursor, and a webhook receiver that comes
// back, get everything once and in order.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { Webhook } from 'standardwebhooks';
import { readEvents } from '#test/support/event-stream.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { needs } from '#test/support/needs.ts';
import { notDurable, startPostgres } from '#test/support/postgres.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { createKey, request, requestResult } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { startSmtpServer, type Behaviour } from '#test/support/smtp-server.ts';
import { until } from '#test/support/until.ts';

const events = 90;
/** The provider has no equipment, so that the server starts fast. */
const { site, key } = machineSite([], []);

/** Creates keys one after another on whichever instance responds; an interrupted call is repeated safely. */
async function write(nodes: readonly { url: string }[], written: (count: number) => Promise<void>) {
  for (let count = 0; count < events; count++) {
    const headers = { 'idempotency-key': randomUUID() };
    const params = { name: `key ${count}`, scopes: ['account:read'] };
    for (let attempt = 0; ; attempt++) {
      const node = nodes[(count + attempt) % nodes.length]!;
      const status = await request(node, 'POST', '/v2/account/key', { key, params, headers }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) break;
      assert.ok(attempt < 600, `answered ${status}`);
      await sleep(50);
    }
    await written(count + 1);
  }
}

/** Reads all events, resuming from the last cursor whenever the stream ends, and on its own after every 20. */
async function read(nodes: readonly { url: string }[]): Promise<string[]> {
  const ids: string[] = [];
  let lastEventId: string | undefined;
  for (let turn = 0; ids.length < events; turn++) {
    assert.ok(turn < 2000, 'the stream does not come back');
    try {
      await using reader = await readEvents(nodes[turn % nodes.length]!, {
        key,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });
      for (const limit = ids.length + 20; ids.length < Math.min(limit, events);) {
        const event = await reader.next();
        if (event === undefined) break;
        ids.push(event.data.id);
        lastEventId = event.id;
      }
    } catch {
      await sleep(50);
    }
  }
  return ids;
}

const expected = Array.from({ length: events }, (_, index) => `evt_1_${index + 1}`);

describe('an event stream', { concurrency: true }, () => {
  test('read across kill -9 and a restart has no gap and no duplicate', async () => {
    await using server = await startSite(site);
    const reading = read([server]);
    await write([server], async (count) => {
      if (count !== 30 && count !== 60) return;
      await server.kill(count === 30 ? 'SIGKILL' : 'SIGTERM');
      await server.start();
    });
    assert.deepEqual(await reading, expected);
  });

  test('read across a change of instance has no gap and no duplicate', needs('initdb', 'postgres'), async () => {
    await using postgres = await startPostgres(notDurable);
    await using folder = await temporaryFolder('key');
    const keyFile = join(folder.path, 'sealing.key');
    await writeFile(keyFile, randomBytes(32).toString('base64'));
    const env = { HOSTYARD_SEALING_KEY_FILE: keyFile, HOSTYARD_DATABASE: await postgres.createStoreDatabase() };
    await using first = await startSite(site, env);
    await using second = await startSite(site, env);
    const nodes = [first, second];
    const reading = read(nodes);
    await write(nodes, async (count) => {
      if (count === 45) await first.kill('SIGKILL');
      if (count === 70) await first.start();
    });
    assert.deepEqual(await reading, expected);
  });

  test('ends at once, with a retry hint, when its server is asked to stop', async () => {
    await using server = await startSite(site);
    await using reader = await readEvents(server, { key });
    const ended = reader.next();
    await server.kill('SIGTERM');
    assert.equal(server.process.exitCode, 0);
    assert.equal(await ended, undefined);
    assert.match(reader.text(), /retry: 1000\n\n$/);
  });
});

describe('a webhook', () => {
  test('delivers everything in order to a receiver that was away, through kill -9 of the server', async () => {
    await using server = await startSite({ ...site, webhooks: { allow: ['127.0.0.0/8'] } });
    let receiver = await startReceiver();
    const { port, url } = receiver;
    const webhook = { key, params: { url } };
    const { id, secret } = await requestResult<{ id: string; secret: string }>(
      server,
      'POST',
      '/v2/account/webhook',
      webhook,
    );
    const emit = (name: string) => createKey(server, key, { name, scopes: ['account:read'] });
    await emit('0');
    await receiver.accepted(1);
    await receiver[Symbol.asyncDispose]();
    for (const name of ['1', '2', '3']) await emit(name);
    await server.kill('SIGKILL');
    await server.start();
    for (const name of ['4', '5', '6']) await emit(name);
    receiver = await startReceiver(port);
    // They would arrive within a minute anyway; a replay saves the wait.
    await request(server, 'PUT', '/v2/account/webhook', { key, params: { id, status: 'Active' } });
    try {
      const received = await receiver.accepted(6);
      assert.deepEqual(
        received.map(({ event }) => event.data['name']),
        ['1', '2', '3', '4', '5', '6'],
      );
      const signer = new Webhook(secret);
      for (const { body, headers } of received) signer.verify(body, headers as Record<string, string>);
    } finally {
      await receiver[Symbol.asyncDispose]();
    }
  });
});

describe('a queue of messages', () => {
  test('loses none through kill -9 of the server in the middle of sending', async () => {
    await using relay = await startSmtpServer();
    const relays = [{ host: '127.0.0.1', port: relay.port, security: 'none' as const, timeoutSeconds: 300 }];
    await using server = await startSite({ ...site, mail: { from: 'noreply@example.net', relays } });
    const names = Array.from({ length: 25 }, (_, number) => `key-${number}`);
    // The relay takes the fifth message and never says so.
    relay.next.push(...Array<Behaviour>(4).fill('accepts'), 'hangs');
    for (const name of names) await createKey(server, key, { name, scopes: ['account:read'] });
    await until(() => relay.accepted.length >= 4);
    await server.kill('SIGKILL');
    await server.start();
    const mails = new Map<string, string>();
    await until(async () => {
      for (const { source } of relay.accepted) {
        const { subject, messageId } = await PostalMime.parse(source);
        // A message that arrives twice has one id.
        assert.equal(mails.get(subject!) ?? messageId, messageId);
        mails.set(subject!, messageId!);
      }
      return names.every((name) => mails.has(`New API key: ${name}`));
    });
    assert.equal(mails.size, names.length);
  });
});
