// Consoles of virtual machines: a password for one session through our own door, a ticket for the browser, and who is let in.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import type { Hypervisor, HypervisorDriver } from '#drivers/hypervisor/driver.ts';
import { startScreenProxy, type ScreenProxyLimits } from '#http/consoles/screen-proxy.ts';
import { knock, watchAt } from '#test/support/console.ts';
import { refused, succeeds } from '#test/support/devices.ts';
import { openMachine, type TestMachine } from '#test/support/machines.ts';
import { request } from '#test/support/request.ts';
import { viewScreen, viewTicket } from '#test/support/vnc.ts';
import type { TestYardOptions } from '#test/support/yard.ts';
import { until } from '#test/support/until.ts';

interface Way {
  user: string;
  pass: string;
  host: string;
  port: string;
}
const limits: ScreenProxyLimits = {
  connections: 50,
  strangers: 20,
  strangersOfAddress: 10,
  handshakeMs: 10_000,
  failures: 3,
};

/** With a door to its screens. */
async function open(options: TestYardOptions = {}, own: Partial<ScreenProxyLimits> = {}) {
  const machine = await openMachine(options);
  const { parts } = machine.yard;
  const door = await startScreenProxy(parts, { host: '127.0.0.1', port: 0 }, { ...limits, ...own });
  parts.screens.address = { host: door.address, port: door.port };
  const close = async () => {
    await door[Symbol.asyncDispose]();
    await machine[Symbol.asyncDispose]();
  };
  return { ...machine, door, [Symbol.asyncDispose]: close };
}

async function wayIn(machine: TestMachine, key?: string): Promise<Way> {
  const answer = await machine.v2('GET', 'console', {}, key);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.result as Way;
}
async function ticket(machine: TestMachine): Promise<string> {
  const answer = await machine.v2('POST', 'console');
  return (answer.body.result as { url: string }).url;
}
const turnedAway = { name: 'RfbError', kind: 'auth' };

describe('the screen of a virtual machine', { concurrency: 4 }, () => {
  it('is shown to who has the password of the session, and takes what he types', async () => {
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
    // The session stands until it ends: whoever lost his connection comes again.
    await using again = await viewScreen(way);
    assert.equal(again.name, 'vm-101');
  });

  it('is that of the machine whose session it is', async () => {
    await using machine = await open();
    const { key } = machine.yard.lab.customer;
    const first = await wayIn(machine);
    const path = `/v2/device/console/${machine.yard.lab.cloud.service}`;
    const { body } = await request<{ result: Way }>(machine.yard, 'GET', path, { key });
    await using viewer = await viewScreen(body.result);
    await using other = await viewScreen(first);
    assert.deepEqual([viewer.name, other.name], ['vm-201', 'vm-101']);
    refused(await machine.v2('GET', 'console', {}, machine.yard.lab.stranger.key), 404, 'not_found');
  });

  it('is closed to wrong passwords, and for a while to who has tried too many', async () => {
    await using machine = await open();
    const way = await wayIn(machine);
    for (let tries = 0; tries < limits.failures; tries++)
      await assert.rejects(viewScreen({ ...way, pass: 'wrong' }), turnedAway);
    await assert.rejects(viewScreen(way), { name: 'RfbError', kind: 'closed' });
    machine.yard.pass(61_000);
    await using viewer = await viewScreen(way);
    assert.equal(viewer.name, 'vm-101');
  });

  it('ends with the next session, and on demand, at once', async () => {
    await using machine = await open();
    const first = await wayIn(machine);
    await using one = await viewScreen(first);
    const second = await wayIn(machine);
    await one.ended;
    await assert.rejects(viewScreen(first), turnedAway);
    await using two = await viewScreen(second);
    succeeds(await machine.v2('DELETE', 'console'), 'Console Reset');
    await two.ended;
    await assert.rejects(viewScreen(second), turnedAway);
  });

  it('ends after an hour, and when the key has lost its right', async () => {
    await using machine = await open();
    const { yard } = machine;
    const { body } = await request<{ result: { id: string; key: string } }>(yard, 'POST', '/v2/account/key', {
      key: yard.lab.customer.key,
      params: { name: 'console', scopes: ['device:console'] },
    });
    await using one = await viewScreen(await wayIn(machine, body.result.key));
    await request(yard, 'DELETE', '/v2/account/key', { key: yard.lab.customer.key, params: { id: body.result.id } });
    await one.ended;
    const way = await wayIn(machine);
    await using two = await viewScreen(way);
    yard.pass(3_601_000);
    await two.ended;
    await assert.rejects(viewScreen(way), turnedAway);
  });

  it('keeps strangers few and short', async () => {
    await using machine = await open({}, { strangersOfAddress: 2, handshakeMs: 5000 });
    /** Says nothing until it is cut off; answers what it was greeted with. */
    const knockSilently = () =>
      new Promise<string>((resolve) => {
        let greeting = '';
        const socket = connect(machine.door.port, '127.0.0.1');
        socket.on('error', () => {}).on('close', () => resolve(greeting));
        socket.on('data', (bytes: Buffer) => (greeting += bytes.toString('latin1')));
      });
    const greetings = await Promise.all(Array.from({ length: 5 }, knockSilently));
    assert.deepEqual(
      greetings.filter((each) => each !== ''),
      ['RFB 003.008\n', 'RFB 003.008\n'],
    );
    // Those who were cut off leave their places to others.
    await using viewer = await viewScreen(await wayIn(machine));
    assert.equal(viewer.name, 'vm-101');
  });

  it('is opened in a browser by a ticket, once, without another password', async () => {
    await using machine = await open();
    const path = await ticket(machine);
    await using viewer = await viewTicket(machine.yard.url, path);
    assert.deepEqual([viewer.name, viewer.protocol], ['vm-101', 'binary']);
    assert.equal(await knock(machine.yard.url, path), 401);
    await until(() => machine.own().screen.text().includes('login:'));
    assert.ok((await viewer.look()) > 100);
    viewer.type('root\n');
    await until(() => machine.own().screen.text().includes('login: root'));
    succeeds(await machine.v2('DELETE', 'console'), 'Console Reset');
    assert.deepEqual(await viewer.closed, { code: 1001, reason: 'The console was reset.' });
  });

  it('of a machine that is off, or whose node is down, is refused in words', async () => {
    await using machine = await open();
    machine.own().setPower('off');
    await using off = await watchAt(machine.yard.url, await ticket(machine));
    const { code, reason } = await off.ended;
    assert.equal(code, 1001);
    assert.match(reason, /state/);
    machine.node.setFaults({ isDown: true });
    await using down = await watchAt(machine.yard.url, await ticket(machine));
    const silent = await down.ended;
    assert.equal(silent.code, 1001);
    assert.match(silent.reason, /[Nn]ode/);
  });

  it('is no part of a container, whose text console a ticket opens', async () => {
    await using machine = await open({ hypervisors: { lab: withoutScreen(hypervisorDrivers['lab']!) } });
    assert.match(refused(await machine.v2('GET', 'console'), 422, 'capability_missing'), /POST \/v2\/device\/console/);
    // What is typed while it boots is lost, as on any machine.
    await until(() => machine.own().screen.text().includes('login:'));
    await using viewer = await watchAt(machine.yard.url, await ticket(machine));
    viewer.type('root\r');
    await viewer.shows('Password:');
  });
});

/** A node of containers: the same node, through the same driver, but for its screens. */
function withoutScreen(driver: HypervisorDriver): HypervisorDriver {
  return {
    ...driver,
    async open(settings): Promise<Hypervisor> {
      const { screen: _, ...rest } = await driver.open(settings);
      return rest;
    },
  };
}
