import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { rrTypes } from '#protocols/dns/types.ts';
import { serialOf } from '../builtin/transfer.ts';
import { rrset, createZone } from '../conformance.ts';
import type { NameServerErrorCode } from '../driver.ts';
import { openPowerDns } from './driver.ts';

/** Opens a driver whose PowerDNS is this listener. */
async function withListener(
  listener: RequestListener,
  use: (driver: ReturnType<typeof openPowerDns>) => Promise<void>,
  timeoutMs = 20_000,
): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await using driver = openPowerDns({ url, apiKey: 'k', timeoutMs, writers: 'one' });
    await use(driver);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const zone = createZone('example.test', 1);
const signal = () => AbortSignal.timeout(20_000);
const withCode = (code: NameServerErrorCode) => ({ name: 'NameServerError', code });

describe('the PowerDNS driver', () => {
  it('distinguishes rejections, errors, invalid responses and broken connections', async () => {
    const cases: [RequestListener, NameServerErrorCode][] = [
      [(_, response) => void response.writeHead(401).end('Unauthorized'), 'nameserver_refused'],
      [(_, response) => void response.writeHead(422).end('{"error":"no such content"}'), 'record_refused'],
      [(_, response) => void response.writeHead(500).end('Internal Server Error'), 'nameserver_error'],
      [(_, response) => void response.end('<html>'), 'nameserver_error'],
      [(_, response) => void response.end('{"name":5}'), 'nameserver_error'],
      [(request) => void request.socket.destroy(), 'nameserver_unreachable'],
    ];
    for (const [listener, code] of cases) {
      await withListener(listener, async (driver) => {
        await assert.rejects(driver.read('example.test', signal()), withCode(code));
        await assert.rejects(driver.publish(zone, signal()), withCode(code));
      });
    }
  });

  it('reports silence as unreachable after its timeout', () =>
    withListener(
      () => {},
      (driver) => assert.rejects(driver.read('example.test', signal()), withCode('nameserver_unreachable')),
      50,
    ));

  it("includes PowerDNS's reason for a rejection", () =>
    withListener(
      (_, response) => void response.writeHead(422).end('{"error":"RRset x IN MX non-hostname content"}'),
      (driver) =>
        assert.rejects(driver.publish(zone, signal()), /^NameServerError: RRset x IN MX non-hostname content$/),
    ));

  it('retries after an error, and sends nothing if the change had happened', async () => {
    const calls: string[] = [];
    const current = { name: 'example.test.', serial: 1, rrsets: [] as object[] };
    const listener: RequestListener = async (request, response) => {
      calls.push(request.method!);
      if (request.method === 'GET') return void response.end(JSON.stringify(current));
      current.rrsets = ((await json(request)) as { rrsets: object[] }).rrsets;
      response.writeHead(500).end('database is locked');
    };
    await withListener(listener, (driver) => driver.publish(zone, signal()));
    assert.deepEqual(calls, ['GET', 'PATCH', 'GET']);
  });

  it('corrects an older change that is executed late after its connection broke', async () => {
    type Patch = { name: string; type: string; changetype: string }[];
    const sets = new Map<string, object>();
    const apply = (patch: Patch) => patch.forEach((set) => sets.set(`${set.name} ${set.type}`, set));
    let late: Patch | undefined;
    let isStalled = true;
    const listener: RequestListener = async (request, response) => {
      if (request.method === 'GET') {
        if (late && sets.size > 0) {
          apply(late);
          late = undefined;
        }
        return void response.end(JSON.stringify({ name: 'example.test.', serial: 1, rrsets: [...sets.values()] }));
      }
      const { rrsets } = (await json(request)) as { rrsets: Patch };
      if (isStalled) {
        late = rrsets;
        return void request.socket.destroy();
      }
      apply(rrsets);
      response.writeHead(204).end();
    };
    await withListener(listener, async (driver) => {
      await assert.rejects(driver.publish(createZone('example.test', 2), signal()), withCode('nameserver_unreachable'));
      isStalled = false;
      await driver.publish(createZone('example.test', 3), signal());
      const serials = (await driver.read('example.test', signal()))!
        .filter(({ type }) => type === rrTypes.SOA)
        .map(serialOf);
      assert.deepEqual(serials, [3]);
      assert.equal(late, undefined, 'the late change was executed');
    });
  });

  it('sends only the differences, in one PATCH', async () => {
    const patches: unknown[] = [];
    const record = (content: string) => ({ content, disabled: false });
    const set = (name: string, type: string, ...contents: string[]) => ({
      name,
      type,
      ttl: 300,
      records: contents.map(record),
    });
    const current = {
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
    const listener: RequestListener = async (request, response) => {
      if (request.method === 'GET') return void response.end(JSON.stringify(current));
      patches.push(await json(request));
      response.writeHead(204).end();
    };
    const expected = createZone(
      'example.test',
      2,
      rrset('same.example.test', 'TXT', '"a" "b"'),
      rrset('off.example.test', 'A', '192.0.2.1'),
    );
    await withListener(listener, (driver) => driver.publish(expected, signal()));
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

  it('stops when its caller aborts', () =>
    withListener(
      () => {},
      (driver) => assert.rejects(driver.publish(zone, AbortSignal.abort(new Error('enough'))), /enough/),
    ));
});
