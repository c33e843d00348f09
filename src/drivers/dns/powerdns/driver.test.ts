import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import { describe, it } from 'node:test';
import { TYPE } from '#wire/dns/types.ts';
import { serialOf } from '../builtin/transfer.ts';
import { rrset, zoneOf } from '../conformance.ts';
import type { NameServerErrorCode } from '../driver.ts';
import { openPowerDns } from './driver.ts';

/** A driver whose PowerDNS is this listener. */
async function withListener(
  listener: RequestListener,
  use: (driver: ReturnType<typeof openPowerDns>) => Promise<void>,
  timeoutMs = 20_000,
): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const url = `http://127.0.0.1:${address.port}/`;
  try {
    await using driver = openPowerDns({ url, apiKey: 'k', timeoutMs, writers: 'one' });
    await use(driver);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const zone = zoneOf('example.test', 1);
const signal = () => AbortSignal.timeout(20_000);
const failsWith = (code: NameServerErrorCode) => ({ name: 'NameServerError', code });

describe('the PowerDNS driver', () => {
  it('tells a refusal, a fault, nonsense and a broken connection apart', async () => {
    const cases: [RequestListener, NameServerErrorCode][] = [
      [(_, response) => void response.writeHead(401).end('Unauthorized'), 'nameserver_refused'],
      [(_, response) => void response.writeHead(422).end('{"error":"no such content"}'), 'nameserver_refused'],
      [(_, response) => void response.writeHead(500).end('Internal Server Error'), 'nameserver_error'],
      [(_, response) => void response.end('<html>'), 'nameserver_error'],
      [(_, response) => void response.end('{"name":5}'), 'nameserver_error'],
      [(request) => void request.socket.destroy(), 'nameserver_unreachable'],
    ];
    for (const [listener, code] of cases) {
      await withListener(listener, async (driver) => {
        await assert.rejects(driver.read('example.test', signal()), failsWith(code));
        await assert.rejects(driver.publish(zone, signal()), failsWith(code));
      });
    }
  });

  it('takes silence for unreachable once its time is over', () =>
    withListener(
      () => {},
      (driver) => assert.rejects(driver.read('example.test', signal()), failsWith('nameserver_unreachable')),
      50,
    ));

  it('passes on the reason of a refusal', () =>
    withListener(
      (_, response) => void response.writeHead(422).end('{"error":"RRset x IN MX non-hostname content"}'),
      (driver) => assert.rejects(driver.publish(zone, signal()), /422: RRset x IN MX non-hostname content/),
    ));

  it('tries again after a fault, and sends nothing where the change had happened after all', async () => {
    const calls: string[] = [];
    const there = { name: 'example.test.', serial: 1, rrsets: [] as object[] };
    const listener: RequestListener = (request, response) => {
      calls.push(request.method!);
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        if (request.method === 'GET') return void response.end(JSON.stringify(there));
        const { rrsets } = JSON.parse(body) as { rrsets: object[] };
        there.rrsets = rrsets;
        response.writeHead(500).end('database is locked');
      });
    };
    await withListener(listener, (driver) => driver.publish(zone, signal()));
    assert.deepEqual(calls, ['GET', 'PATCH', 'GET']);
  });

  it('undoes an older change that is carried out late, after its connection broke', async () => {
    type Patch = { name: string; type: string; changetype: string }[];
    const sets = new Map<string, object>();
    const apply = (patch: Patch) => patch.forEach((set) => sets.set(`${set.name} ${set.type}`, set));
    let late: Patch | undefined;
    let isStalled = true;
    const listener: RequestListener = (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        if (request.method === 'GET') {
          if (late && sets.size > 0) {
            apply(late);
            late = undefined;
          }
          return void response.end(JSON.stringify({ name: 'example.test.', serial: 1, rrsets: [...sets.values()] }));
        }
        const { rrsets } = JSON.parse(body) as { rrsets: Patch };
        if (isStalled) {
          late = rrsets;
          return void request.socket.destroy();
        }
        apply(rrsets);
        response.writeHead(204).end();
      });
    };
    await withListener(listener, async (driver) => {
      await assert.rejects(driver.publish(zoneOf('example.test', 2), signal()), failsWith('nameserver_unreachable'));
      isStalled = false;
      await driver.publish(zoneOf('example.test', 3), signal());
      const serials = (await driver.read('example.test', signal()))!
        .filter(({ type }) => type === TYPE.SOA)
        .map(serialOf);
      assert.deepEqual(serials, [3]);
      assert.equal(late, undefined, 'the late change did happen');
    });
  });

  it('sends only what differs, in one PATCH', async () => {
    const patches: unknown[] = [];
    const record = (content: string) => ({ content, disabled: false });
    const set = (name: string, type: string, ...contents: string[]) => ({
      name,
      type,
      ttl: 300,
      records: contents.map(record),
    });
    const there = {
      name: 'example.test.',
      serial: 1,
      rrsets: [
        set('example.test.', 'SOA', 'ns1.lab.test. hostmaster.lab.test. 1 10800 3600 604800 3600'),
        set('example.test.', 'NS', 'ns2.lab.test.', 'NS1.lab.test.'),
        set('same.example.test.', 'TXT', '"a" "b"'),
        set('gone.example.test.', 'A', '192.0.2.1'),
        set('strange.example.test.', 'ALIAS', 'x.test.'),
        { ...set('off.example.test.', 'A', '192.0.2.1'), records: [{ content: '192.0.2.1', disabled: true }] },
      ],
    };
    const listener: RequestListener = (request, response) => {
      if (request.method === 'GET') return void response.end(JSON.stringify(there));
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        patches.push(JSON.parse(body));
        response.writeHead(204).end();
      });
    };
    const wanted = zoneOf(
      'example.test',
      2,
      rrset('same.example.test', 'TXT', '"a" "b"'),
      rrset('off.example.test', 'A', '192.0.2.1'),
    );
    await withListener(listener, (driver) => driver.publish(wanted, signal()));
    assert.deepEqual(patches, [
      {
        rrsets: [
          { name: 'gone.example.test.', type: 'A', changetype: 'DELETE' },
          { name: 'strange.example.test.', type: 'ALIAS', changetype: 'DELETE' },
          {
            changetype: 'REPLACE',
            ...set('example.test.', 'SOA', 'ns1.lab.test. hostmaster.lab.test. 2 10800 3600 604800 3600'),
          },
          { changetype: 'REPLACE', ...set('off.example.test.', 'A', '192.0.2.1') },
        ],
      },
    ]);
  });

  it('stops at once when its caller gives up', () =>
    withListener(
      () => {},
      (driver) => assert.rejects(driver.publish(zone, AbortSignal.abort(new Error('enough'))), /enough/),
    ));
});
