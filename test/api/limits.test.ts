// A key's rate limit: reported on every response, enforced, and never shared with other keys.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as post, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { startMediaServer } from '#http/files/media-server.ts';
import { startMetricsServer } from '#http/metrics/metrics-server.ts';
import { createKeyText } from '#lib/key-text.ts';
import { upgradeStatus } from '#test/support/console.ts';
import { request } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';

describe('the rate limit of a key', () => {
  let app: TestApp;
  let small: string;
  let changing: string;
  let alsoChanging: string;
  let large: string;
  before(async () => {
    app = await openTestApp();
    const texts = ['small', 'changing', 'also changing', 'large'].map((name) => ({ name, ...createKeyText() }));
    [small, changing, alsoChanging, large] = texts.map(({ text }) => text) as [string, string, string, string];
    const keys = texts.map(({ name, printableId, secretHash }) => ({
      name,
      id: printableId,
      hash: secretHash.toString('hex'),
      scopes: ['all' as const],
      limits: { rate: 1, burst: 5 },
    }));
    const customers = (app.site.customers ?? []).map((customer) =>
      customer.id === 1 ? { ...customer, keys: [...(customer.keys ?? []), ...keys] } : customer,
    );
    await applySite(app.parts, { ...app.site, customers });
  });
  after(() => app[Symbol.asyncDispose]());

  test('is reported, and exceeding it is a 429 with the time to wait', async () => {
    const calls = Array.from({ length: 40 }, () =>
      request<{ result: { code?: string } }>(app, 'GET', '/v2/account', { key: small }),
    );
    const responses = await Promise.all(calls);
    for (const { status, headers, body } of responses) {
      assert.equal(headers.get('ratelimit-policy'), '"key";q=5;w=5');
      assert.match(headers.get('ratelimit') ?? '', /^"key";r=\d+;t=\d+$/);
      assert.equal(status === 429, body.result.code === 'rate_limited');
      assert.equal(headers.get('retry-after'), status === 429 ? '1' : null);
    }
    assert.ok(responses.filter(({ status }) => status === 200).length >= 5);
    assert.ok(responses.some(({ status }) => status === 429));
  });

  test('counts changes over all keys of the account, and those of equipment more than once', async () => {
    const params = { service: app.lab.dedicated.service, action: 'on' };
    const turnOn = async (key: string): Promise<number> =>
      (await request(app, 'POST', '/v2/device/power', { key, params })).status;
    assert.deepEqual([await turnOn(changing), await turnOn(alsoChanging)], [200, 429]);
    assert.equal((await request(app, 'GET', '/v2/account', { key: alsoChanging })).status, 200);
  });

  test('counts large bodies as several requests, also in pieces, and those of strangers', async () => {
    const { hostname, port } = new URL(app.url);
    const statusOf = async (path: string, key: string, localAddress: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'x-api-key': key };
      const call = post({ hostname, port, path, method: 'POST', headers, localAddress });
      call.write(JSON.stringify({ hostname: 'a'.repeat(200_000) }));
      call.end();
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      return response.resume().statusCode!;
    };
    const call = () => statusOf('/vps/list', large, '127.0.0.1');
    assert.deepEqual([await call(), await call()], [200, 429]);
    const stranger: number[] = [];
    // Another network, because the next test counts the calls of this one.
    for (let count = 0; count < 5; count++) stranger.push(await statusOf('/v2/session/recovery', '', '127.0.0.2'));
    assert.deepEqual([stranger[0], stranger[4]], [400, 429]);
  });

  test('counts large bodies that cannot be read, too', async () => {
    const headers = { 'content-type': 'application/json' };
    const { hostname, port } = new URL(app.url);
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) {
      const path = '/v2/session/recovery';
      const call = post({ hostname, port, path, method: 'POST', headers, localAddress: '127.0.0.3' });
      call.end('['.repeat(200_000));
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      statuses.push(response.resume().statusCode!);
    }
    assert.deepEqual([statuses[0], statuses[4]], [400, 429]);
  });

  test('does not let a stranger send requests without waiting for responses: the connection ends', async () => {
    const sent = 5000;
    const get = 'GET /v2/account HTTP/1.1\r\nhost: hostyard\r\n';
    const caller = connect(Number(new URL(app.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => caller.once('close', resolve));
    let received = '';
    caller.setEncoding('latin1').on('data', (text: string) => (received += text));
    caller.on('error', () => {}).write(`${`${get}\r\n`.repeat(sent)}${get}connection: close\r\n\r\n`);
    await closed;
    const responses = received.match(/HTTP\/1\.1 401 /g) ?? [];
    assert.ok(responses.length < sent / 2, `${responses.length} responses`);
    assert.equal((await request(app, 'GET', '/v2/account', { key: app.lab.customer.key })).status, 200);
  });

  test('ends the other connections of that stranger, too, before they are read', async () => {
    const port = Number(new URL(app.url).port);
    const open = async (localAddress: string): Promise<Socket> => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
      socket.resume().write('GET /healthz HTTP/1.1\r\nhost: hostyard\r\n\r\n');
      await once(socket, 'data');
      return socket;
    };
    const [sending, other, neighbour] = [await open('127.0.0.4'), await open('127.0.0.4'), await open('127.0.0.5')];
    const closed = new Promise((resolve) => other.once('close', resolve));
    sending.write('GET /healthz HTTP/1.1\r\nhost: hostyard\r\n\r\n'.repeat(1000));
    await closed;
    neighbour.write('GET /healthz HTTP/1.1\r\nhost: hostyard\r\n\r\n');
    await once(neighbour, 'data');
    neighbour.destroy();
  });

  test('is not looked up for a caller who has closed the connection, and so has no address', async () => {
    const [caller, connection] = duplexPair();
    app.http.server.emit('connection', connection);
    caller.write('GET /v2/account HTTP/1.1\r\nhost: hostyard\r\n\r\n');
    await once(app.http.server, 'request');
    assert.equal((await request(app, 'GET', '/v2/account', { key: app.lab.customer.key })).status, 200);
    assert.equal(caller.read(), null);
    connection.destroy();
  });

  test('is not shared', async () => {
    assert.equal((await request(app, 'GET', '/v2/account', { key: app.lab.customer.key })).status, 200);
  });

  test('in the lab is 2,000 a second with bursts of 10,000', async () => {
    const { headers } = await request(app, 'GET', '/v2/account', { key: app.lab.customer.key });
    assert.equal(headers.get('ratelimit-policy'), '"key";q=10000;w=5');
  });

  test('for sign-in without a key is small and per address', async () => {
    const params = { email: 'not an address', password: 'x' };
    const calls = Array.from({ length: 100 }, () => request(app, 'POST', '/v2/session', { params }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.ok(statuses.includes(429), statuses.join());
    assert.ok(statuses.includes(400));
  });
});

describe('the limit of connections', () => {
  /** Returns how many of 4,001 connections stay open. */
  async function countOpen(app: TestApp, remoteAddress: string): Promise<number> {
    const connections = Array.from({ length: 4001 }, () => Object.assign(duplexPair()[0], { remoteAddress }));
    for (const connection of connections) app.http.server.emit('connection', connection);
    const open = connections.filter(({ destroyed }) => !destroyed).length;
    for (const connection of connections) connection.destroy();
    return open;
  }

  test('is 4,000 per address, and none for a trusted proxy', async () => {
    await using app = await openTestApp({ trustedProxies: ['192.0.2.2'] });
    assert.equal(await countOpen(app, '192.0.2.1'), 4000);
    assert.equal(await countOpen(app, '192.0.2.2'), 4001);
  });

  /** Opens connections from one address, and returns how many the server has closed when it serves another one. */
  async function countClosed(port: number, count: number): Promise<number> {
    const open = (localAddress: string): Socket =>
      connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
    const connections = Array.from({ length: count }, () => open('127.0.0.9').resume());
    await Promise.all(connections.map((connection) => once(connection, 'connect')));
    // Neither HTTP nor TLS: a server that serves it closes it.
    const stranger = open('127.0.0.10').resume();
    stranger.write('stranger\r\n\r\n');
    await once(stranger, 'close');
    const closed = connections.filter((connection) => connection.closed).length;
    for (const connection of connections) connection.destroy();
    return closed;
  }

  test('is smaller on the listeners of media and metrics', async () => {
    await using app = await openTestApp();
    const local = { host: '127.0.0.1', port: 0 };
    for (const protocol of ['http', 'https'] as const) {
      await using media = await startMediaServer(app.parts, { listen: '127.0.0.1:0', protocol }, local);
      assert.equal(await countClosed(media.port, 1001), 1, protocol);
    }
    await using metrics = await startMetricsServer(app.http, local);
    assert.equal(await countClosed((metrics.server.address() as AddressInfo).port, 101), 1);
  });
});

describe('the budget of a network for proofs that fail', () => {
  let app: TestApp;
  before(async () => void (app = await openTestApp({ trustedProxies: ['127.0.0.1'] })));
  after(() => app[Symbol.asyncDispose]());
  const flood = async (attempt: () => Promise<number>): Promise<Set<number>> =>
    new Set([await attempt(), ...(await Promise.all(Array.from({ length: 200 }, attempt)))]);

  test('is small for signed reports, whatever they are about, and of no other network', async () => {
    const report = (kind: string, address: string) =>
      request(app, 'POST', `/hooks/${kind}/nobody`, { params: {}, headers: { 'x-forwarded-for': address } });
    const kinds = ['payments', 'payment-notices', 'invoices', 'detector'];
    let sent = 0;
    const statuses = await flood(async () => (await report(kinds[sent++ % kinds.length]!, '192.0.2.1')).status);
    assert.deepEqual(statuses, new Set([401, 429]));
    assert.equal((await report('payments', '192.0.2.2')).status, 401);
  });

  test('is of the memory for bodies, too, for callers without a key, and of no other network', async () => {
    const { hostname: host, port } = new URL(app.url);
    const head = `POST /hooks/detector/x HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${256 * 1024}\r\n\r\n`;
    /** Returns the beginning of a response, which comes before the body is sent only if it is rejected. */
    const announce = async (localAddress: string): Promise<Socket> => {
      const socket = connect({ host, port: Number(port), localAddress }).on('error', () => {});
      await once(socket, 'connect');
      socket.write(head);
      return socket;
    };
    const isRejected = (socket: Socket): Promise<boolean> =>
      Promise.race([
        once(socket, 'data').then(([data]) => /^HTTP\/1.1 429 /.test(String(data))),
        request(app, 'GET', '/healthz').then(() => false),
      ]);
    const held = await Promise.all(Array.from({ length: 128 }, () => announce('127.0.0.20')));
    // Those that are announced before it have taken the memory.
    const further = await announce('127.0.0.20');
    const [answer] = (await once(further, 'data')) as [Buffer];
    assert.match(String(answer), /^HTTP\/1.1 429 /);
    const other = await announce('127.0.0.21');
    assert.equal(await isRejected(other), false);
    for (const socket of [...held, further, other]) socket.destroy();
  });

  test('is small for console tickets', async () => {
    const path = '/v2/device/console/socket?ticket=wrong';
    const open = (address: string) => upgradeStatus(app.url, path, { 'x-forwarded-for': address });
    assert.deepEqual(await flood(() => open('192.0.2.1')), new Set([401, 429]));
    assert.equal(await open('192.0.2.2'), 401);
  });
});
