// SIGTERM under load: every request gets its response, and the process exits soon and cleanly.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLabBmc } from '#lab/bmc/bmc.ts';
import { createContact } from '#test/support/contacts.ts';
import { startDaemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { needs } from '#test/support/needs.ts';
import { freePort } from '#test/support/ports.ts';
import { request } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { singleServerSite } from '#test/support/single-server-site.ts';
import { startRequests } from '#test/support/steady-requests.ts';
import { until } from '#test/support/until.ts';

const connections = 32;

/** A client with one connection that knows exactly what it sent and received: fetch would retry on its own. */
async function client(url: URL, key: string): Promise<{ lost: number; answered: number }> {
  let answered = 0;
  for (;;) {
    const socket = connect(Number(url.port), url.hostname);
    try {
      await once(socket, 'connect');
    } catch {
      return { lost: 0, answered };
    }
    for (;;) {
      const response = await exchange(socket, url, key);
      if (response === undefined) return { lost: 1, answered };
      answered++;
      if (/^connection: close/im.test(response)) break;
    }
    socket.destroy();
  }
}

/** Returns undefined if a request got no complete response. */
function exchange(socket: Socket, url: URL, key: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (response: string | undefined) => {
      socket.removeAllListeners();
      socket.on('error', () => {});
      resolve(response);
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      if (head !== -1 && Buffer.byteLength(text.slice(head + 4)) >= length) finish(text);
    });
    socket.on('close', () => finish(undefined));
    socket.on('error', () => finish(undefined));
    socket.write(`GET /v2/account HTTP/1.1\r\nHost: ${url.host}\r\nX-API-KEY: ${key}\r\n\r\n`);
  });
}

describe('a server that is asked to stop', () => {
  test('responds to every request and exits with 0 within 10 s, although idle connections stay open', async () => {
    const { site, key } = machineSite([], []);
    await using server = await startSite(site);
    const url = new URL(server.url);
    const idle = Array.from({ length: 8 }, () => connect(Number(url.port), url.hostname));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    await exchange(idle[0]!, url, key);
    const closed = Promise.all(
      idle.map(
        (socket) =>
          new Promise((resolve) =>
            socket
              .on('error', () => {})
              .on('close', resolve)
              .resume(),
          ),
      ),
    );
    const clients = Array.from({ length: connections }, () => client(url, key));
    // Changes are in progress too: hashing a password takes longer than anything else here. The first request of each
    // connection has been answered, so that the server has accepted it: a connection in the kernel's queue is not a
    // request yet.
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const eight = (first: number) =>
      Array.from({ length: 8 }, (_, number) => createContact(server.url, key, first + number, agent));
    await Promise.all(eight(0));
    const changes = eight(8);
    await sleep(500);
    const began = performance.now();
    await server.kill('SIGTERM');
    const seconds = (performance.now() - began) / 1000;
    const outcomes = await Promise.all(clients);
    assert.equal(server.process.exitCode, 0);
    assert.ok(seconds < 10, `it took ${seconds} s`);
    assert.equal(
      outcomes.reduce((sum, { lost }) => sum + lost, 0),
      0,
      JSON.stringify(outcomes),
    );
    assert.ok(
      outcomes.every(({ answered }) => answered > 0),
      JSON.stringify(outcomes),
    );
    for (const change of await Promise.all(changes)) assert.match(change ?? 'lost', /^200 /);
    agent.destroy();
    await closed;
  });
});

describe('a service whose listener systemd keeps', needs('python3'), () => {
  test('is restarted without a refused or lost request', async () => {
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder('kept')).path;
    const settings = join(folder, 'hostyard.env');
    const site = join(folder, 'site.yaml');
    const port = await freePort();
    await writeFile(site, 'provider: { name: Example, currency: { code: EUR } }\n');
    await writeFile(
      settings,
      `HOSTYARD_LISTEN=127.0.0.1:${port}\nHOSTYARD_DATA=${folder}/data\nHOSTYARD_SITE=${site}\n`,
    );
    const support = join(import.meta.dirname, '..', 'support');
    const launch = join(support, '..', '..', 'packaging', 'debian', 'launch');
    const command = [launch, '--keep-listener', settings, process.execPath, 'src/main.ts'];
    const manager = owned.use(
      await startDaemon('python3', [join(support, 'service-manager.py'), join(folder, 'notify'), ...command], {
        stopSignal: 'SIGTERM',
      }),
    );
    await manager.printed('Hostyard is running.');

    const requests = startRequests(new URL(`http://127.0.0.1:${port}/healthz`));
    const starts = (): number => manager.output().split('Hostyard is running.').length - 1;
    await requests.advance();
    manager.process.kill('SIGHUP');
    await until(() => starts() === 2, { saw: () => manager.output() });
    await requests.advance();
    assert.deepEqual(await requests.stop(), []);
    assert.equal(manager.output().split('FDSTORE=1').length - 1, 1, 'the same listener is used again');

    const otherPort = await freePort();
    await appendFile(settings, `HOSTYARD_LISTEN=127.0.0.1:${otherPort}\n`);
    manager.process.kill('SIGHUP');
    await until(() => starts() === 3, { saw: () => manager.output() });
    assert.equal((await fetch(`http://127.0.0.1:${otherPort}/healthz`)).status, 200);
    const released = connect(port, '127.0.0.1');
    await assert.rejects(once(released, 'connect'), { code: 'ECONNREFUSED' }, 'the old address is released');
  });
});

describe('a power cycle on a slow BMC', () => {
  test('gets a response although the process stops, and continues after the restart', async () => {
    const admin = { username: 'provider', password: 'secret-enough' };
    await using bmc = await startLabBmc({ admin, timing: { bootMs: 1, cycleOffMs: 1, softOffMs: 1 } });
    const { chassis } = bmc;
    chassis.turnOn();
    const { site, env, key, service } = singleServerSite({ address: bmc.address, port: bmc.port, ...admin });
    await using server = await startSite(site, env);
    const call = (method: string, path: string, params: Record<string, string> = {}) =>
      request<{ result: { status: string }[] }>(server, method, path, { key, params });
    assert.equal((await call('GET', `/v2/device/power/${service}`)).status, 200);
    bmc.setMalfunctions({ responseDelayMs: 1500 });
    const cycle = call('POST', '/v2/device/power', { service, action: 'cycle' });
    await until(() => chassis.power === 'off');
    const stopAt = performance.now();
    const stopped = server.kill('SIGTERM');
    // Not 200: the cycle is not over. A connection that is cut would reject.
    assert.equal((await cycle).status, 504);
    await stopped;
    assert.ok(performance.now() - stopAt < 10_000);
    bmc.setMalfunctions({});
    await server.start();
    await until(() => chassis.power === 'on');
    await until(async () => (await call('GET', '/v2/action')).body.result[0]?.status === 'Completed');
    assert.deepEqual([chassis.counts.off, chassis.counts.on], [1, 1]);
  });

  test('completes the command that is running when the process stops', async () => {
    const admin = { username: 'provider', password: 'secret-enough' };
    await using bmc = await startLabBmc({ admin, timing: { bootMs: 1, cycleOffMs: 1, softOffMs: 1 } });
    const { site, env, key, service } = singleServerSite({ address: bmc.address, port: bmc.port, ...admin });
    await using server = await startSite(site, env);
    assert.equal((await request(server, 'GET', `/v2/device/power/${service}`, { key })).status, 200);
    bmc.setMalfunctions({ responseDelayMs: 1500 });
    const powerOn = request(server, 'POST', '/v2/device/power', { key, params: { service, action: 'on' } });
    await sleep(300);
    const stopped = server.kill('SIGTERM');
    assert.equal((await powerOn).status, 200);
    await stopped;
    assert.equal(bmc.chassis.power, 'on');
  });
});
