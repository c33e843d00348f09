// Small packets that were expensive once: a flood of queries for names of 120 labels, from another process. The name
// server answers as many as its limit allows, and neither it nor the API stops. And threads that die or hang.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { queryMessage, queryTcp } from '#drivers/dns/client.ts';
import { startThread } from '#lib/thread.ts';
import { encodeMessage } from '#protocols/dns/message.ts';
import { rcodes, rrTypes } from '#protocols/dns/types.ts';
import type { TestApp } from '#test/support/app.ts';
import { dnsCalls } from '#test/support/dns-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { request } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

const responsesPerSecond = 50;
const burst = 2 * responsesPerSecond;
const zone = 'flood.example.org';
const longName = `${'x.'.repeat(117)}${zone}`;

const flood = `
  import { createSocket } from 'node:dgram';
  const [packet, port, address] = process.argv.slice(1);
  const counts = { answered: 0, truncated: 0, sent: 0 };
  const socket = createSocket('udp4');
  socket.on('message', (reply) => (reply[2] & 2 ? counts.truncated++ : counts.answered++));
  const end = performance.now() + 1500;
  function sendSome() {
    for (let index = 0; index < 50; index++, counts.sent++) socket.send(Buffer.from(packet, 'hex'), port, address);
    if (performance.now() < end) setImmediate(sendSome);
    else stopWhenQuiet(-1);
  }
  function stopWhenQuiet(received) {
    const now = counts.answered + counts.truncated;
    if (now !== received) return setTimeout(stopWhenQuiet, 500, now);
    console.log(JSON.stringify(counts));
    socket.close();
  }
  sendSome();
`;
interface FloodCounts {
  readonly answered: number;
  readonly truncated: number;
  readonly sent: number;
}

async function sendFlood(server: { address: string; port: number }): Promise<FloodCounts> {
  const packet = encodeMessage(queryMessage(longName, rrTypes.A)).toString('hex');
  const args = ['--input-type=module', '--eval', flood, packet, String(server.port), server.address];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout)) as FloodCounts;
}

interface SentQuery {
  isAnswered: boolean;
}
/** Sends queries from many ports, among which the kernel divides them to the threads, and never waits for an answer. */
function keepAsking(server: { address: string; port: number }) {
  const sent: SentQuery[] = [];
  const bytes = encodeMessage(queryMessage(longName, rrTypes.A));
  const clients = Array.from({ length: 16 }, () => {
    const socket = createSocket('udp4');
    const queries: SentQuery[] = [];
    socket.on('message', (reply) => void (queries[reply.readUInt16BE(0)]!.isAnswered = true));
    return { socket, queries };
  });
  const timer = setInterval(() => {
    for (const { socket, queries } of clients) {
      const query = { isAnswered: false };
      const packet = Buffer.from(bytes);
      packet.writeUInt16BE(queries.length);
      queries.push(query);
      sent.push(query);
      socket.send(packet, server.port, server.address);
    }
  }, 10);
  return {
    sent,
    unanswered: () => sent.filter(({ isAnswered }) => !isAnswered),
    stop: () => clearInterval(timer),
    [Symbol.dispose]() {
      clearInterval(timer);
      for (const { socket } of clients) socket.close();
    },
  };
}

describeOnEngines('a name server with two threads', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let key: string;
  before(async () => {
    // The limit holds for all threads together.
    const nameserver = { names: ['ns1.example.net'], listen: '127.0.0.1:0', responsesPerSecond, threads: 2 };
    app = await openApp({ site: { nameserver } });
    ({ key } = app.lab.customer);
    await dnsCalls(app, key).makeZone(zone);
  });

  test('limits a flood of queries for long names; both the API and real resolvers get their answers', async () => {
    const startedMs = performance.now();
    const ended = sendFlood(app.dns);
    const over = new AbortController();
    void ended.finally(() => over.abort());
    let calls = 0;
    for (; !over.signal.aborted; calls++) {
      assert.equal((await request(app, 'GET', '/v2/account', { key })).status, 200);
      const answer = await queryTcp(app.dns, queryMessage(longName, rrTypes.A), AbortSignal.timeout(20_000));
      assert.equal(answer.rcode, rcodes.NXDOMAIN);
    }
    const { answered, truncated, sent } = await ended;
    const seconds = (performance.now() - startedMs) / 1000;

    assert.ok(calls > 0);
    const limit = burst + Math.ceil(seconds * responsesPerSecond);
    assert.ok(answered > 0 && answered <= limit, `${answered} of ${sent} answered, the limit is ${limit}`);
    assert.ok(truncated > 0, 'a resolver is sent to TCP');
    const { counters, restarts } = app.parts.nameService.status()!;
    assert.ok(Math.abs(counters.droppedByLimit - counters.truncatedByLimit) <= 1, JSON.stringify(counters));
    const within = counters.udpQueries - counters.droppedByLimit - counters.truncatedByLimit;
    assert.ok(answered <= within && within <= limit, JSON.stringify(counters));
    assert.equal(restarts, 0);
  });

  test('loses no query but those that a dying thread has not answered, and replaces the thread', async () => {
    const { nameService } = app.parts;
    await nameService.close();
    const workers: Worker[] = [];
    const ready = new Set<Worker>();
    const keep = (worker: Worker): void => {
      workers.push(worker);
      worker.once('message', () => ready.add(worker));
    };
    process.on('worker', keep);
    try {
      const settings = { ...app.site.nameserver!, listen: '127.0.0.1:0', responsesPerSecond: 1_000_000 };
      const server = (await nameService.open(settings))!;
      assert.equal(workers.length, 2);
      using clients = keepAsking(server);
      const { sent } = clients;
      const moreSent = (count: number) => {
        const total = sent.length + count;
        return until(() => sent.length >= total);
      };
      const mayBeLost = new Set<SentQuery>();
      // The replacement of the first to die answers while the other one is dead.
      for (const [index, victim] of [workers[1]!, workers[0]!].entries()) {
        await moreSent(200);
        for (const query of clients.unanswered()) mayBeLost.add(query);
        const calledAt = sent.length;
        const exited = once(victim, 'exit');
        void victim.terminate();
        await exited;
        const diedAt = sent.length;
        for (const query of sent.slice(calledAt)) mayBeLost.add(query);
        await until(() => ready.size === 3 + index);
        assert.ok(sent.length > diedAt, 'queries came while there was one thread');
        assert.equal(nameService.status()!.restarts, 1 + index);
        const answer = await queryTcp(server, queryMessage(longName, rrTypes.A), AbortSignal.timeout(20_000));
        assert.equal(answer.rcode, rcodes.NXDOMAIN);
      }
      await moreSent(200);
      clients.stop();
      await until(() => clients.unanswered().every((query) => mayBeLost.has(query)), {
        saw: () => `${clients.unanswered().length} of ${sent.length} unanswered, ${mayBeLost.size} may be`,
      });
    } finally {
      process.off('worker', keep);
    }
  });
});

describe('a thread whose event loop hangs', () => {
  test('is replaced', { timeout: 60_000 }, async () => {
    const source = `
      import { reportReady } from ${JSON.stringify(new URL('../../src/lib/thread.ts', import.meta.url))};
      await reportReady('ready', { onMessage() { for (;;); }, onStop: async () => {} });
    `;
    await using thread = await startThread<undefined, string, never>({
      file: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
      name: 'the test',
      data: () => undefined,
      onMessage: () => {},
      log: pino({ level: 'silent' }),
    });
    thread.post('hang');
    await until(() => thread.restarts === 1 && thread.isRunning, { patienceMs: 50_000 });
  });
});
