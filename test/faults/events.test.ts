// Events across crashes, restarts and changes of instance: a reader with a cursor, and a webhook receiver that comes
// back, get everything once and in order.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { readEvents } from '#test/support/event-stream.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { createKey, request, requestResult } from '#test/support/request.ts';
import { startServer, type Server } from '#test/support/server.ts';

const events = 90;

/** Creates `count` keys one after another on whichever instance responds; an interrupted call is repeated safely. */
async function write(nodes: readonly { url: string }[], key: string, written: (count: number) => Promise<void>) {
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

/** Reads `count` events, resuming from the last cursor whenever the stream ends, and on its own after every 20. */
async function read(nodes: readonly { url: string }[], key: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  let lastEventId: string | undefined;
  for (let turn = 0; ids.length < count; turn++) {
    assert.ok(turn < 2000, 'the stream does not come back');
    try {
      await using reader = await readEvents(nodes[turn % nodes.length]!, {
        key,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });
      for (const limit = ids.length + 20; ids.length < Math.min(limit, count);) {
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

function expected(from: number): string[] {
  return Array.from({ length: events }, (_, index) => `evt_1_${from + index}`);
}

describe('an event stream', { concurrency: true }, () => {
  test('read across kill -9 and a restart has no gap and no duplicate', async () => {
    await using server = await startServer();
    const { key } = server.lab.customer;
    const reading = read([server], key, events);
    await write([server], key, async (count) => {
      if (count === 30) {
        await server.kill('SIGKILL');
        await server.restart();
      }
      if (count === 60) await server.restart();
    });
    assert.deepEqual(await reading, expected(1));
  });

  test('read across a change of instance has no gap and no duplicate', needs('initdb', 'postgres'), async () => {
    await using postgres = await startPostgres();
    await using folder = await temporaryFolder('key');
    const keyFile = join(folder.path, 'sealing.key');
    await writeFile(keyFile, randomBytes(32).toString('base64'));
    const env = { HOSTYARD_SEALING_KEY_FILE: keyFile };
    await using first = await startServer({ database: postgres.url, env });
    await using second = await startServer({ database: postgres.url, env });
    const { key } = await createKey(first, first.lab.customer.key, { scopes: ['all'] });
    const nodes = [first, second];
    // Its own creation is event 1.
    const reading = read(nodes, key, events + 1);
    await write(nodes, key, async (count) => {
      if (count === 45) await first.kill('SIGKILL');
      if (count === 70) await first.restart();
    });
    assert.deepEqual(await reading, ['evt_1_1', ...expected(2)]);
  });

  test('ends at once, with a retry hint, when its server is asked to stop', async () => {
    await using server = await startServer();
    await using reader = await readEvents(server, { key: server.lab.customer.key });
    const ended = reader.next();
    assert.equal(await server.kill('SIGTERM'), 0);
    assert.equal(await ended, undefined);
    assert.match(reader.text(), /retry: 1000\n\n$/);
  });
});

/** Allows loopback for webhooks, as this installation's operator might. */
async function openLoopback(server: Server): Promise<void> {
  const file = join(server.data, 'opened.yaml');
  const site = await readFile(join(server.data, 'lab.yaml'), 'utf8');
  await writeFile(file, `${site}\nwebhooks: { allow: [127.0.0.0/8] }\n`);
  const env = { ...process.env, HOSTYARD_DATA: server.data };
  await promisify(execFile)(process.execPath, ['src/server/commands.ts', 'apply', file], { env });
}

describe('a webhook', () => {
  test('delivers everything in order to a receiver that was away, through kill -9 of the server', async () => {
    await using server = await startServer();
    await openLoopback(server);
    const { key } = server.lab.customer;
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
    await server.restart();
    await openLoopback(server);
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
