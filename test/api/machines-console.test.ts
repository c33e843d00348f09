// Consoles of virtual machines: a password per session through our VNC listener, a ticket for the browser, and who may
// connect.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { startVncProxy, type VncProxyLimits } from '#http/consoles/vnc-proxy.ts';
import { readBytes } from '#protocols/rfb/bytes.ts';
import { challengeBytes, vncResponse } from '#protocols/rfb/password.ts';
import type { MachineConsole } from '#sdk/v2.ts';
import { upgradeStatus, watchConsoleAt } from '#test/support/console.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { becomeContainer, openMachine, type TestMachine } from '#test/support/machines.ts';
import { needs } from '#test/support/needs.ts';
import { operatorResult } from '#test/support/operators.ts';
import { notDurable, startPostgres } from '#test/support/postgres.ts';
import { createKey, request, requestResult } from '#test/support/request.ts';
import { viewScreen, viewTicket } from '#test/support/vnc.ts';
import type { TestAppOptions } from '#test/support/app.ts';
import { until } from '#test/support/until.ts';

const limits: VncProxyLimits = {
  connections: 50,
  unauthenticated: 20,
  unauthenticatedPerAddress: 10,
  handshakeMs: 10_000,
  failures: 3,
  viewers: 5,
};

/** With a VNC listener. */
async function open(options: TestAppOptions = {}, own: Partial<VncProxyLimits> = {}) {
  const machine = await openMachine(options);
  const { parts } = machine.app;
  const door = await startVncProxy(parts, { host: '127.0.0.1', port: 0 }, { ...limits, ...own });
  parts.vncListeners.address = { host: door.address, port: door.port };
  const close = async () => {
    await door[Symbol.asyncDispose]();
    await machine[Symbol.asyncDispose]();
  };
  return { ...machine, door, [Symbol.asyncDispose]: close };
}

async function wayIn(machine: TestMachine, key?: string): Promise<MachineConsole> {
  const response = await machine.v2('GET', 'console', {}, key);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body.result as MachineConsole;
}
async function ticket(machine: TestMachine): Promise<string> {
  const response = await machine.v2('POST', 'console');
  return (response.body.result as { url: string }).url;
}
const turnedAway = { name: 'RfbError', kind: 'auth' };

describe('the VNC console of a virtual machine', { concurrency: 4 }, () => {
  it("opens with the session's password, and accepts keys", async () => {
    await using machine = await open();
    const way = await wayIn(machine);
    assert.deepEqual([way.user, way.host, way.port], ['vm-101', '127.0.0.1', String(machine.door.port)]);
    assert.match(way.pass, /^[A-Za-z0-9]{8}$/);
    await until(() => machine.own().screen.text().includes('login:'));
    await using viewer = await viewScreen(way);
    assert.equal(viewer.name, 'vm-101');
    assert.ok((await viewer.look()) > 100);
    viewer.type('root\n');
    await until(() => machine.own().screen.text().includes('login: root'));
    // The session lasts until it ends, so that a lost connection can be opened again.
    await using again = await viewScreen(way);
    assert.equal(again.name, 'vm-101');
  });

  it('shows the machine that the session belongs to', async () => {
    await using machine = await open();
    const { key } = machine.app.lab.customer;
    const first = await wayIn(machine);
    const path = `/v2/device/console/${machine.app.lab.cloud.service}`;
    const result = await requestResult<MachineConsole>(machine.app, 'GET', path, { key });
    await using viewer = await viewScreen(result);
    await using other = await viewScreen(first);
    assert.deepEqual([viewer.name, other.name], ['vm-201', 'vm-101']);
    assertRejected(await machine.v2('GET', 'console', {}, machine.app.lab.stranger.key), 404, 'not_found');
  });

  it('rejects wrong passwords, and for a while any client with too many of them', async () => {
    await using machine = await open();
    const way = await wayIn(machine);
    for (let tries = 0; tries < limits.failures; tries++)
      await assert.rejects(viewScreen({ ...way, pass: 'wrong' }), turnedAway);
    await assert.rejects(viewScreen(way), { name: 'RfbError', kind: 'closed' });
    machine.app.pass(61_000);
    await using viewer = await viewScreen(way);
    assert.equal(viewer.name, 'vm-101');
  });

  it('ends with the next session, and on request, at once', async () => {
    await using machine = await open();
    const first = await wayIn(machine);
    await using firstViewer = await viewScreen(first);
    const second = await wayIn(machine);
    await firstViewer.ended;
    await assert.rejects(viewScreen(first), turnedAway);
    await using two = await viewScreen(second);
    assertResult(await machine.v2('DELETE', 'console'), 'Console Reset');
    await two.ended;
    await assert.rejects(viewScreen(second), turnedAway);
  });

  it('ends after an hour, and when the key loses its permission', async () => {
    await using machine = await open();
    const { app } = machine;
    const { key: owner } = app.lab.customer;
    const { id, key } = await createKey(app, owner, { scopes: ['device:console'] });
    await using firstViewer = await viewScreen(await wayIn(machine, key));
    await request(app, 'DELETE', '/v2/account/key', { key: owner, params: { id } });
    await firstViewer.ended;
    const way = await wayIn(machine);
    await using two = await viewScreen(way);
    app.pass(3_601_000);
    await two.ended;
    await assert.rejects(viewScreen(way), turnedAway);
  });

  it('ends when staff lock the machine or suspend the service, and so do its password and tickets', async () => {
    await using machine = await open();
    const { app, service } = machine;
    const endsOn = async (forbid: () => Promise<unknown>, status: number, code: string) => {
      const way = await wayIn(machine);
      await using viewer = await viewScreen(way);
      await using browser = await watchConsoleAt(app.url, await ticket(machine));
      const unused = await ticket(machine);
      await forbid();
      await assert.rejects(viewScreen(way), turnedAway);
      assert.equal(await upgradeStatus(app.url, unused), 401);
      assertRejected(await machine.v2('POST', 'console'), status, code);
      assertRejected(await machine.v2('GET', 'console'), status, code);
      await viewer.ended;
      assert.equal((await browser.ended).code, 1008);
    };
    const hold = { device: 'vm-101', reason: 'evidence' };
    await endsOn(() => operatorResult(app, 'POST', 'device/lock', hold), 409, 'device_held');
    await operatorResult(app, 'DELETE', 'device/lock', { device: 'vm-101' });
    const services = app.parts.store.queries.updateTable('services').where('id', '=', Number(service));
    await endsOn(() => services.set({ status: 'Suspended' }).execute(), 403, 'service_suspended');
  });

  it('limits the number and duration of unauthenticated connections', async () => {
    await using machine = await open({}, { unauthenticatedPerAddress: 2, handshakeMs: 5000 });
    /** Sends nothing until it is disconnected; returns what it received. */
    const knockSilently = () =>
      new Promise<string>((resolve) => {
        let greeting = '';
        const socket = connect(machine.door.port, '127.0.0.1');
        socket.on('error', () => {}).on('close', () => resolve(greeting));
        socket.on('data', (bytes: Buffer) => (greeting += bytes.toString('latin1')));
      });
    const greetings = await Promise.all(Array.from({ length: 5 }, knockSilently));
    assert.deepEqual(
      greetings.filter((greeting) => greeting !== ''),
      ['RFB 003.008\n', 'RFB 003.008\n'],
    );
    // Disconnected clients free their slots.
    await using viewer = await viewScreen(await wayIn(machine));
    assert.equal(viewer.name, 'vm-101');
  });

  it('opens although strangers from many networks hold all connections that are not authenticated', async () => {
    await using machine = await open({}, { unauthenticated: 4, handshakeMs: 60_000 });
    const strangers = ['127.0.0.31', '127.0.0.32', '127.0.0.33', '127.0.0.34'].map((localAddress) => {
      const socket = connect({ host: '127.0.0.1', port: machine.door.port, localAddress });
      return socket.on('error', () => {});
    });
    for (const socket of strangers) await readBytes(socket, 'RFB 003.008\n'.length);
    await using viewer = await viewScreen(await wayIn(machine));
    assert.equal(viewer.name, 'vm-101');
    for (const socket of strangers) socket.destroy();
  });

  it('limits the viewers of one machine, and admits another when one leaves', async () => {
    await using machine = await open({}, { viewers: 2 });
    const way = await wayIn(machine);
    await using first = await viewScreen(way);
    await using _second = await viewScreen(way);
    await assert.rejects(viewScreen(way), { name: 'RfbError', kind: 'closed' });
    const path = `/v2/device/console/${machine.app.lab.cloud.service}`;
    const { key } = machine.app.lab.customer;
    await using other = await viewScreen(await requestResult<MachineConsole>(machine.app, 'GET', path, { key }));
    assert.equal(other.name, 'vm-201');
    await first[Symbol.asyncDispose]();
    await until(() =>
      viewScreen(way).then(
        (viewer) => viewer[Symbol.asyncDispose]().then(() => true),
        () => false,
      ),
    );
  });

  it('leaves places to others, however many machines an account has', async () => {
    await using machine = await open({}, { connections: 8 });
    const path = `/v2/device/console/${machine.app.lab.cloud.service}`;
    const { key } = machine.app.lab.customer;
    const [first, second] = [
      await wayIn(machine),
      await requestResult<MachineConsole>(machine.app, 'GET', path, { key }),
    ];
    await using _first = await viewScreen(first);
    await using _second = await viewScreen(second);
    await assert.rejects(viewScreen(first), { name: 'RfbError', kind: 'closed' });
  });

  it('keeps no place for a viewer that leaves while its password is checked', needs('initdb', 'postgres'), async () => {
    await using postgres = await startPostgres(notDurable);
    await using machine = await open({ database: await postgres.createStoreDatabase() }, { viewers: 1 });
    const way = await wayIn(machine);
    await machine.app.parts.store.transaction(async (holding) => {
      await sql`lock table screen_sessions in access exclusive mode`.execute(holding);
      const waiting = sql<{ count: string }>`select count(*) as count from pg_locks where not granted`;
      const leaving = connect(machine.door.port, '127.0.0.1');
      leaving.on('error', () => {});
      leaving.write('RFB 003.003\n');
      await readBytes(leaving, 'RFB 003.008\n'.length + 4);
      leaving.write(vncResponse(way.pass, await readBytes(leaving, challengeBytes)));
      await until(async () => (await waiting.execute(holding)).rows[0]!.count !== '0');
      leaving.resetAndDestroy();
      // The listener reads the reset before it greets the next client.
      const next = connect(machine.door.port, '127.0.0.1');
      await once(next, 'data');
      next.destroy();
    });
    await using viewer = await viewScreen(way);
    assert.equal(viewer.name, 'vm-101');
  });

  it('opens in a browser with a ticket, once, without another password', async () => {
    await using machine = await open();
    const path = await ticket(machine);
    await using viewer = await viewTicket(machine.app.url, path);
    assert.deepEqual([viewer.name, viewer.protocol], ['vm-101', 'binary']);
    assert.equal(await upgradeStatus(machine.app.url, path), 401);
    await until(() => machine.own().screen.text().includes('login:'));
    assert.ok((await viewer.look()) > 100);
    viewer.type('root\n');
    await until(() => machine.own().screen.text().includes('login: root'));
    assertResult(await machine.v2('DELETE', 'console'), 'Console Reset');
    assert.deepEqual(await viewer.closed, { code: 1001, reason: 'The console was reset.' });
  });

  it('of a machine that is off, or whose hypervisor is down, is rejected with a message', async () => {
    await using machine = await open();
    machine.own().setPower('off');
    await using off = await watchConsoleAt(machine.app.url, await ticket(machine));
    const { code, reason } = await off.ended;
    assert.equal(code, 1001);
    assert.match(reason, /powered off/);
    machine.node.setMalfunctions({ isDown: true });
    await using down = await watchConsoleAt(machine.app.url, await ticket(machine));
    const silent = await down.ended;
    assert.equal(silent.code, 1001);
    assert.match(silent.reason, /hypervisor/);
  });

  it('of a container is its text console, drawn on a screen that all viewers share', async () => {
    await using machine = await open();
    await becomeContainer(machine);
    await using viewer = await viewScreen(await wayIn(machine));
    assert.equal(viewer.name, 'vm-101');
    await viewer.shows('vps1.example.net login:');
    viewer.type('root\n');
    await viewer.shows('Password:');
    await using noVnc = await viewTicket(machine.app.url, await ticket(machine));
    await noVnc.shows('vps1.example.net login: root\nPassword:');
    // Without the subprotocol of noVNC, the text itself.
    await using terminal = await watchConsoleAt(machine.app.url, await ticket(machine));
    await terminal.shows('Password:');
    terminal.type('wrong\r');
    await terminal.shows('incorrect');
    await viewer.shows('incorrect');
    machine.own().setPower('off');
    await Promise.all([viewer.ended, noVnc.closed, terminal.ended]);
  });
});
