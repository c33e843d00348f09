// Small packets that were expensive once: a flood of queries for names of 120 labels, from another process. The name
// server answers as many as its limit allows, and neither it nor the API stops.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { queryMessage, queryTcp } from '#drivers/dns/client.ts';
import { startThread } from '#lib/thread.ts';
import { encodeMessage } from '#protocols/dns/message.ts';
import { rcodes, rrTypes } from '#protocols/dns/types.ts';
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

describeOnEngines('a flood of queries for long names', ({ openApp }) => {
  test('is limited, and both the API and real resolvers get their answers', async () => {
    // The limit holds for all threads together.
    const nameserver = { names: ['ns1.example.net'], listen: '127.0.0.1:0', responsesPerSecond, threads: 2 };
    const app = await openApp({ site: { nameserver } });
    const { key } = app.lab.customer;
    await dnsCalls(app, key).makeZone(zone);

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
