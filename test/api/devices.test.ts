// Dedicated servers as a customer sees them: their list, names and hardware, and the responses to bad input, strangers
// and BMC failures.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { applySite } from '#app/site/apply.ts';
import { coldReset } from '#protocols/ipmi/commands/device.ts';
import { getFruInventoryArea } from '#protocols/ipmi/commands/storage.ts';
import { getUserAccess } from '#protocols/ipmi/commands/user.ts';
import { setBootOptions } from '#protocols/ipmi/commands/boot.ts';
import { deviceHoldPut } from '#store/devices/device-holds.ts';
import { deviceOf, openDevice, assertRejected, assertResult, type TestDevice } from '#test/support/devices.ts';
import { request, requestResult } from '#test/support/request.ts';
import { serverFind, serverObserveFailure } from '#store/devices/servers.ts';
import { until } from '#test/support/until.ts';
import { openTestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents } from '#test/support/event-stream.ts';

/** Every change of a device that goes through its BMC. */
const changes: readonly [string, (device: TestDevice) => ReturnType<TestDevice['legacy']>][] = [
  ['on', (device) => device.v2('POST', 'power', { action: 'on' })],
  ['off', (device) => device.v2('POST', 'power', { action: 'off' })],
  ['reset', (device) => device.v2('POST', 'power', { action: 'reboot' })],
  ['cycle', (device) => device.v2('POST', 'power', { action: 'cycle' })],
  ['soft', (device) => device.legacy('/ipmi/power', { action: 'offSoft' })],
  ['boot', (device) => device.v2('PUT', 'power', { request: 'pxe' })],
  ['user', (device) => device.legacy('/ipmi/user', { username: 'anna', action: 'createUser' })],
  ['console', (device) => device.v2('GET', 'console')],
  ['controller', (device) => device.legacy('/ipmi/reset')],
];
const state = ({ bmc }: TestDevice) => ({
  power: bmc.chassis.power,
  flags: bmc.chassis.bootFlags,
  controls: bmc.chassis.events.filter(({ text }) => text.startsWith('control')).length,
});

describeOnEngines('the state of devices', { postgres: 'in long runs' }, ({ newDatabase }) => {
  it('is reported as last seen, with what restricts it, and without contacting a device', async () => {
    await using app = await openTestApp(await newDatabase());
    const device = deviceOf(app);
    const { queries } = app.parts.store;
    const states = async (params: Record<string, unknown> = {}, key = app.lab.customer.key) =>
      request<{ result: Record<string, string>[] }>(app, 'GET', '/v2/device/state', { key, params });
    const own = async () => (await states({ service: device.service })).body.result[0]!;
    assert.deepEqual(
      (await states()).body.result.map(({ service }) => service),
      ['1001', '1002', '2001', '3001'],
    );
    assert.equal((await states({ service: app.lab.stranger.service })).status, 404);
    await device.v2('GET', 'power');
    const { seen, ...rest } = await own();
    assert.match(seen!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.deepEqual(rest, {
      service: '1001',
      power: 'on',
      health: 'Good',
      reason: '',
      suspension: '',
      webconsole: '1',
    });
    // Nothing polls, so the change stays unknown.
    device.bmc.chassis.turnOff();
    assert.equal((await own())['power'], 'on');
    await serverObserveFailure(queries, device.server, 'no answer from 10.0.0.9', 0);
    const lost = await own();
    assert.deepEqual([lost['power'], lost['health'], lost['seen']], ['unknown', 'Unreachable', seen]);
    assert.doesNotMatch(lost['reason']!, /10\.0\.0\.9/);
    const hold = { device: device.server, reason: 'A fan is replaced.', operator: 'eve', since: 0 };
    await deviceHoldPut(queries, { ...hold, kind: 'maintenance' });
    const restricted = await own();
    assert.deepEqual([restricted['health'], restricted['reason']], ['Maintenance', 'A fan is replaced.']);
  });
});

describe('the devices of an account', () => {
  it('are listed with their types, without those of other accounts', async () => {
    await using device = await openDevice();
    const { app } = device;
    const list = async (params: Record<string, unknown>, key = app.lab.customer.key) =>
      request<{ results: number; result: Record<string, string>[] }>(app, 'GET', '/v2/device/list', { key, params });
    const all = await list({});
    assert.equal(all.body.results, 4);
    assert.deepEqual(all.body.result[0], {
      service: '1001',
      type: 'dedicated',
      name: 'Dedicated E3',
      hostname: 'web1.example.net',
      status: 'Active',
      ip: '203.0.113.10',
      server: 'dc01r01ds01',
      alias: 'dc01r01ds01',
      labels: '',
    });
    assert.deepEqual(
      (await list({ type: 'vps' })).body.result.map(({ vmid }) => vmid),
      ['101'],
    );
    assert.deepEqual((await list({ service: '1002', type: 'vps' })).body.result, []);
    assert.equal((await list({ service: app.lab.stranger.service })).status, 404);
    assert.equal((await list({ type: 'toaster' })).status, 400);
    assertResult(await device.v2('GET', 'type'), 'dedicated');
  });

  it('are renamed by the customer, and a restart does not undo that', async () => {
    await using device = await openDevice();
    assertResult(await device.v2('POST', 'hostname', { hostname: 'WWW.Example.NET.' }), '');
    await applySite(device.app.parts, device.app.site);
    const result = await requestResult<{ hostname: string }[]>(device.app, 'GET', '/v2/device/list', {
      key: device.app.lab.customer.key,
      params: { service: device.service },
    });
    assert.equal(result[0]!.hostname, 'www.example.net');
    const events = await listEvents(device.app, device.app.lab.customer.key);
    assert.deepEqual(
      events.filter(({ type }) => type.startsWith('device.')).map(({ type, data }) => [type, data]),
      [['device.hostname.changed', { hostname: 'www.example.net' }]],
    );
    assertRejected(await device.v2('POST', 'hostname', { hostname: 'not a name' }), 400, 'invalid_parameter');
  });

  it("are described by the provider's records and their BMCs", async () => {
    await using device = await openDevice();
    const hardware = async () =>
      (await device.v2('GET', 'hardware')).body.result as { parts: Record<string, string[]> };
    const { parts } = await hardware();
    assert.deepEqual(parts['RAM'], ['8 GB DDR3 ECC', '8 GB DDR3 ECC']);
    assert.deepEqual(Object.keys(parts), ['CPU', 'Motherboard', 'RAM', 'Hard Drive', 'Network Card']);
    assert.match(parts['Motherboard']![0]!, /LAB0001/);
    assert.ok(
      parts['Motherboard']!.some((text) => text.startsWith('Chassis: ')),
      String(parts['Motherboard']),
    );
    device.bmc.setMalfunctions({ unsupportedCommands: [getFruInventoryArea] });
    assert.deepEqual((await hardware()).parts['Motherboard'], []);
  });
});

describe('the name of a server', () => {
  it('has two forms, is case-insensitive, and accepts nothing else', async () => {
    await using device = await openDevice();
    const check = (server: string, key?: string) => device.legacy('/ipmi/power', { server, action: 'checkOn' }, key);
    for (const name of ['dc01r01ds01', 'DC01R01DS01', 'dC01r01Ds01', 'dc01r01ds02-01', 'DC01R01DS02-01'])
      assertResult(await check(name), 'true');
    for (const name of ['', 'dc01', 'dc1r01ds01', 'dc01r01ds011', 'dc01r01ds01-1', 'xdc01r01ds01', 'dc01r01ds01\n'])
      assert.match(assertRejected(await check(name), 400), /server must/);
    const absent = await check('dc09r09ds09');
    const strangers = await check('dc01r02ds01');
    assertRejected(absent, 404);
    assert.deepEqual([strangers.status, strangers.body], [absent.status, absent.body]);
    assert.deepEqual((await check('dc01r01ds01', device.app.lab.stranger.key)).body, absent.body);
  });
});

describe('an unreachable BMC', () => {
  it('is a 504 within 10 s, with nothing changed and nothing cancelled', async () => {
    await using device = await openDevice();
    assertResult(await device.v2('GET', 'power'), 'on');
    const before = state(device);
    device.bmc.setMalfunctions({ isSilent: true });
    const timed = async (call: ReturnType<TestDevice['legacy']>) => {
      const began = performance.now();
      const response = await call;
      return { response, tookMs: performance.now() - began };
    };
    const reads = [timed(device.v2('GET', 'power')), timed(device.legacy('/ipmi/power', { action: 'checkOff' }))];
    // The second one queues behind the first: it is busy or unreachable, but not late.
    const changed = changes.slice(0, 2).map(([, change]) => timed(change(device)));
    for (const { response, tookMs } of await Promise.all([...reads, ...changed])) {
      assert.ok(response.status === 504 || response.status === 409, String(response.status));
      assert.ok(tookMs < 10_000, `${tookMs} ms`);
    }
    for (const { response } of await Promise.all(reads)) assert.equal(response.status, 504);
    device.bmc.setMalfunctions({});
    assert.deepEqual(state(device), before);
    const row = await serverFind(device.app.parts.store.queries, device.server);
    assert.equal(row?.power_state, 'on');
    assert.deepEqual(await device.powerEvents(), []);
  });
});

// Each waits for the full BMC timeout, so they run in parallel.
describe('a failing BMC', { concurrency: 3 }, () => {
  for (const [name, change] of changes) {
    it(`that is unreachable is a 504 to ${name}, which did not run`, async () => {
      await using device = await openDevice();
      const before = state(device);
      device.bmc.setMalfunctions({ isSilent: true });
      assertRejected(await change(device), 504, 'bmc_unreachable');
      device.bmc.setMalfunctions({});
      assert.deepEqual(state(device), before);
    });
  }

  it('that rejects our password is a 502, which reveals nothing', async () => {
    await using device = await openDevice();
    const { app } = device;
    const [first, ...others] = app.site.servers!;
    const settings = { ...first!.bmc.settings, password: 'no longer right' };
    await applySite(app.parts, {
      ...app.site,
      servers: [{ ...first!, bmc: { ...first!.bmc, settings } }, ...others],
    });
    for (const [, change] of changes) {
      const response = await change(device);
      assertRejected(response, 502, 'bmc_refused');
      assert.doesNotMatch(JSON.stringify(response.body), /127\.0\.0\.1|provider|no longer right/);
    }
    assertRejected(await device.v2('GET', 'power'), 502, 'bmc_refused');
    await applySite(app.parts, app.site);
    assertResult(await device.v2('GET', 'power'), 'on');
  });

  it('that lacks a capability is a 422 that names it', async () => {
    await using device = await openDevice();
    device.bmc.setMalfunctions({ unsupportedCommands: [coldReset, setBootOptions, getUserAccess] });
    const capabilityError = (response: Awaited<ReturnType<TestDevice['legacy']>>) =>
      assertRejected(response, 422, 'capability_missing');
    assert.match(capabilityError(await device.legacy('/ipmi/reset')), /controller reset/);
    assert.match(
      capabilityError(await device.v2('POST', 'tun', { action: 'enable' })),
      /only available for virtual machines/,
    );
    assert.match(capabilityError(await device.v2('GET', 'tun')), /only available for virtual machines/);
    assert.match(capabilityError(await device.v2('PUT', 'power', { request: 'pxe' })), /boot device selection/);
    assert.match(
      capabilityError(await device.legacy('/ipmi/power', { action: 'rebootBIOS' })),
      /boot device selection/,
    );
    assert.match(
      capabilityError(await device.legacy('/ipmi/user', { username: 'anna', action: 'createUser' })),
      /support users/,
    );
    assert.match(capabilityError(await device.v2('GET', 'console')), /support users/);
    assert.match(capabilityError(await device.legacy('/ipmi/kvm')), /support users/);
  });
});

describe('a second command', { concurrency: 3 }, () => {
  it('waits for its turn and then runs', async () => {
    await using device = await openDevice();
    const cycling = device.v2('POST', 'power', { action: 'cycle' });
    await until(() => device.bmc.chassis.power === 'off');
    const second = device.v2('POST', 'power', { action: 'off' });
    assertResult(await cycling, 'Chassis Power Control: Cycle');
    assertResult(await second, 'Chassis Power Control: Down/Off');
    assert.equal(device.bmc.chassis.power, 'off');
    assert.deepEqual([device.bmc.chassis.counts.off, device.bmc.chassis.counts.on], [2, 1]);
  });

  it('that waits too long learns what is running', async () => {
    await using device = await openDevice();
    const rebooting = device.legacy('/ipmi/power', { action: 'reboot' });
    await until(() => device.bmc.chassis.power === 'off');
    const text =
      /^The device is busy: a (?:reboot|power-off|power cycle) is running\. Try again when it has finished\.$/;
    const [busy, cycled] = await Promise.all([
      device.v2('POST', 'power', { action: 'off' }),
      device.v2('POST', 'power', { action: 'cycle' }),
    ]);
    // Waits up to five seconds against five seconds off: a rejected call says why. The next in turn may be running by then.
    for (const response of [busy, cycled])
      if (response.status !== 200) assert.match(assertRejected(response, 409, 'device_busy'), text);
    assertResult(await rebooting, 'Chassis Power Control: Cycle');
  });

  it('behind one that hangs is rejected after five seconds, with the purpose of the first', async () => {
    await using device = await openDevice();
    device.bmc.setMalfunctions({ isSilent: true });
    const first = device.v2('POST', 'power', { action: 'on' });
    await sleep(300);
    const [user, cycle, reset] = await Promise.all([
      device.legacy('/ipmi/user', { username: 'anna', action: 'createUser' }),
      device.v2('POST', 'power', { action: 'cycle' }),
      device.legacy('/ipmi/reset'),
    ]);
    for (const response of [user, cycle, reset])
      assert.equal(
        assertRejected(response, 409, 'device_busy'),
        'The device is busy: a power-on is running. Try again when it has finished.',
      );
    assertRejected(await first, 504, 'bmc_unreachable');
  });
});
