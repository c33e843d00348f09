import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { temporaryFolder } from '#test/support/folder.ts';
import { until } from '#test/support/until.ts';
import { openSpool } from './detect-spool.ts';

const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
const deadlineMs = 60_000;
const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'hostyard.js');

interface Report {
  fastnetmon: { address: string; direction: string; packetsPerSecond: number; action: string; text: string };
  at: number;
}

/** A server that verifies signatures and records reports while its status is 200. */
async function startReceiver() {
  const reports: Report[] = [];
  const state = { status: 200 };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const report = new Webhook(secret).verify(body, request.headers as Record<string, string>) as Report;
      if (state.status === 200) reports.push(report);
      response.writeHead(state.status).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    reports,
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function detect(config: string, args: readonly string[], text: string): Promise<number> {
  const child = spawn(process.execPath, [bin, 'detect', '--config', config, ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // The program may end before it has read everything.
  child.stdin.on('error', () => {});
  child.stdin.end(text);
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

async function settingsIn(folder: string, url: string) {
  const spool = join(folder, 'spool');
  const config = join(folder, 'detector.json');
  await writeFile(config, JSON.stringify({ url, name: 'fastnetmon', secret, spool }));
  return { spool, config, waiting: () => readdirSync(spool).filter((name) => name.endsWith('.json')) };
}

test('the notify script sends its arguments and text, signed', async () => {
  await using folder = await temporaryFolder('detect');
  await using receiver = await startReceiver();
  const { config, waiting } = await settingsIn(folder.path, receiver.url);
  const text = 'IP: 203.0.113.66\nAttack type: udp_flood\n';
  assert.equal(await detect(config, ['203.0.113.66', 'incoming', '12756', 'ban'], text), 0);
  const [report, ...others] = receiver.reports;
  assert.equal(others.length, 0);
  const expected = { address: '203.0.113.66', direction: 'incoming', packetsPerSecond: 12_756, action: 'ban', text };
  assert.deepEqual(report!.fastnetmon, expected);
  assert.ok(Math.abs(report!.at * 1000 - Date.now()) < deadlineMs);
  assert.deepEqual(waiting(), []);
  assert.equal(await detect(config, ['203.0.113.66', 'incoming', 'many', 'ban'], ''), 1);
});

test('a report that the server cannot take is saved and sent in order by a background process', async () => {
  await using folder = await temporaryFolder('detect');
  await using receiver = await startReceiver();
  const { config, spool, waiting } = await settingsIn(folder.path, receiver.url);
  receiver.state.status = 503;
  for (const action of ['ban', 'attack_details', 'unban'])
    assert.equal(await detect(config, ['2001:0db8::0077', 'incoming', '1', action], ''), 0);
  assert.equal(waiting().length, 3);
  receiver.state.status = 200;
  await until(() => receiver.reports.length === 3, { saw: () => receiver.reports });
  assert.deepEqual(
    receiver.reports.map(({ fastnetmon }) => fastnetmon.action),
    ['ban', 'attack_details', 'unban'],
  );
  await until(() => waiting().length === 0, { saw: waiting });
  const { withLock } = await openSpool(spool);
  await until(async () => (await withLock('trying', async () => true)) === true);
});

test('a rejected report does not block the others', async () => {
  await using folder = await temporaryFolder('detect');
  const spool = await openSpool(folder.path);
  for (const name of ['one', 'bad', 'two']) await spool.put({ name });
  const sentNames: string[] = [];
  const isEmpty = await spool.send(async (body) => {
    const { name } = JSON.parse(body.toString()) as { name: string };
    sentNames.push(name);
    return name === 'bad' ? 'rejected' : 'recorded';
  });
  assert.equal(isEmpty, true);
  assert.deepEqual(sentNames.sort(), ['bad', 'one', 'two']);
  assert.deepEqual(
    readdirSync(folder.path).map((name) => name.replace(/^.*\.json/, '')),
    ['.refused'],
  );
});

test('only one process sends at a time', async () => {
  await using folder = await temporaryFolder('detect');
  const [first, second] = [await openSpool(folder.path), await openSpool(folder.path)];
  await first.put({});
  let attempts = 0;
  const outcome = await first.send(async () => {
    await second.send(async () => {
      attempts++;
      return 'recorded';
    });
    return 'recorded';
  });
  assert.deepEqual([outcome, attempts], [true, 0]);
});

test('the help is shown without any settings', async () => {
  assert.equal(await detect('/nonexistent', ['--help'], ''), 0);
});
