// Dedicated servers as a customer meets them: what he has, what they are called and made of, and what bad input, a stranger
// and a controller in trouble get.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { applySite } from '#app/site/apply.ts';
import { coldReset } from '#wire/ipmi/commands/device.ts';
import { getFruInventoryArea } from '#wire/ipmi/commands/storage.ts';
import { getUserAccess } from '#wire/ipmi/commands/user.ts';
import { setBootOptions } from '#wire/ipmi/commands/boot.ts';
import { deviceHoldPut } from '#store/devices/device-holds.ts';
import { deviceOf, openDevice, refused, succeeds, type TestDevice } from '#test/support/devices.ts';
import { request } from '#test/support/request.ts';
import { serverFind, serverObserveFailure } from '#store/devices/servers.ts';
import { until } from '#test/support/until.ts';
import { engines, openTestYard } from '#test/support/yard.ts';

/** Every change of a device that goes through its controller. */
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

for (const { engine, suite, start } of engines) {
  describe(`the state of devices on ${engine}`, suite, () => {
    it('is told as last seen, with what stands in the way, and without asking a device', async () => {
      await using databases = await start();
      await using yard = await openTestYard(await databases.newDatabase());
      const device = deviceOf(yard);
      const { queries } = yard.parts.store;
      const states = async (params: Record<string, unknown> = {}, key = yard.lab.customer.key) =>
        request<{ result: Record<string, string>[] }>(yard, 'GET', '/v2/device/state', { key, params });
      const own = async () => (await states({ service: device.service })).body.result[0]!;
      assert.deepEqual(
        (await states()).body.result.map(({ service }) => service),
        ['1001', '1002', '2001', '3001'],
      );
      assert.equal((await states({ service: yard.lab.stranger.service })).status, 404);
      await device.v2('GET', 'power');
      const { seen, ...rest } = await own();
      assert.match(seen!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      assert.deepEqual(rest, { service: '1001', power: 'on', health: 'Good', reason: '' });
      // Nobody looks, so nobody knows.
      device.bmc.chassis.turnOff();
      assert.equal((await own())['power'], 'on');
      await serverObserveFailure(queries, device.server, 'no answer from 10.0.0.9');
      const lost = await own();
      assert.deepEqual([lost['power'], lost['health'], lost['seen']], ['unknown', 'Unreachable', seen]);
      assert.doesNotMatch(lost['reason']!, /10\.0\.0\.9/);
      const hold = { device: device.server, reason: 'A fan is replaced.', operator: 'eve', since: 0 };
      await deviceHoldPut(queries, { ...hold, kind: 'maintenance' });
      const held = await own();
      assert.deepEqual([held['health'], held['reason']], ['Maintenance', 'A fan is replaced.']);
    });
  });
}

describe('the devices of an account', () => {
  it('are listed, each with its type, and a stranger is not among them', async () => {
    await using device = await openDevice();
    const { yard } = device;
    const list = async (params: Record<string, unknown>, key = yard.lab.customer.key) =>
      request<{ results: number; result: Record<string, string>[] }>(yard, 'GET', '/v2/device/list', { key, params });
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
    });
    assert.deepEqual(
      (await list({ type: 'vps' })).body.result.map(({ vmid }) => vmid),
      ['101'],
    );
    assert.deepEqual((await list({ service: '1002', type: 'vps' })).body.result, []);
    assert.equal((await list({ service: yard.lab.stranger.service })).status, 404);
    assert.equal((await list({ type: 'toaster' })).status, 400);
    succeeds(await device.v2('GET', 'type'), 'dedicated');
  });

  it('are renamed by the customer, and a restart does not undo that', async () => {
    await using device = await openDevice();
    succeeds(await device.v2('POST', 'hostname', { hostname: 'WWW.Example.NET.' }), '');
    await applySite(device.yard.parts, device.yard.site);
    const { body } = await request<{ result: { hostname: string }[] }>(device.yard, 'GET', '/v2/device/list', {
      key: device.yard.lab.customer.key,
      params: { service: device.service },
    });
    assert.equal(body.result[0]!.hostname, 'www.example.net');
    const told = await request<{ result: { events: { type: string; data: object }[] } }>(
      device.yard,
      'GET',
      '/v2/event',
      {
        key: device.yard.lab.customer.key,
      },
    );
    assert.deepEqual(
      told.body.result.events.map(({ type, data }) => [type, data]),
      [['device.hostname.changed', { hostname: 'www.example.net' }]],
    );
    refused(await device.v2('POST', 'hostname', { hostname: 'not a name' }), 400, 'invalid_parameter');
  });

  it('are described by the provider and by their controllers', async () => {
    await using device = await openDevice();
    const hardware = async () =>
      (await device.v2('GET', 'hardware')).body.result as { parts: Record<string, string[]> };
    const { parts } = await hardware();
    assert.deepEqual(parts['RAM'], ['8 GB DDR3 ECC', '8 GB DDR3 ECC']);
    assert.match(parts['Motherboard']![0]!, /LAB0001/);
    device.bmc.setFaults({ lacks: [getFruInventoryArea] });
    assert.deepEqual((await hardware()).parts['Motherboard'], []);
  });
});

describe('the name of a server', () => {
  it('has two forms, in any case, and nothing else is one', async () => {
    await using device = await openDevice();
    const check = (server: string, key?: string) => device.legacy('/ipmi/power', { server, action: 'checkOn' }, key);
    for (const name of ['dc01r01ds01', 'DC01R01DS01', 'dC01r01Ds01', 'dc01r01ds02-01', 'DC01R01DS02-01'])
      succeeds(await check(name), 'true');
    for (const name of ['', 'dc01', 'dc1r01ds01', 'dc01r01ds011', 'dc01r01ds01-1', 'xdc01r01ds01', 'dc01r01ds01\n'])
      assert.match(refused(await check(name), 400), /server must/);
    const absent = await check('dc09r09ds09');
    const strangers = await check('dc01r02ds01');
    refused(absent, 404);
    assert.deepEqual([strangers.status, strangers.body], [absent.status, absent.body]);
    assert.deepEqual((await check('dc01r01ds01', device.yard.lab.stranger.key)).body, absent.body);
  });
});

describe('a controller that does not answer', () => {
  it('is a 504 within 10 s, with nothing changed and nothing called off', async () => {
    await using device = await openDevice();
    succeeds(await device.v2('GET', 'power'), 'on');
    const before = state(device);
    device.bmc.setFaults({ isSilent: true });
    const timed = async (call: ReturnType<TestDevice['legacy']>) => {
      const began = performance.now();
      const answer = await call;
      return { answer, tookMs: performance.now() - began };
    };
    const asked = [timed(device.v2('GET', 'power')), timed(device.legacy('/ipmi/power', { action: 'checkOff' }))];
    // The second of these waits for its turn behind the first: it is busy or silent, but not late.
    const changed = changes.slice(0, 2).map(([, change]) => timed(change(device)));
    for (const { answer, tookMs } of await Promise.all([...asked, ...changed])) {
      assert.ok(answer.status === 504 || answer.status === 409, String(answer.status));
      assert.ok(tookMs < 10_000, `${tookMs} ms`);
    }
    for (const { answer } of await Promise.all(asked)) assert.equal(answer.status, 504);
    device.bmc.setFaults({});
    assert.deepEqual(state(device), before);
    const row = await serverFind(device.yard.parts.store.queries, device.server);
    assert.equal(row?.power_state, 'on');
    assert.deepEqual(await device.powerEvents(), []);
  });
});

// Each waits the whole time that a controller is given: together they wait once.
describe('a controller in trouble', { concurrency: true }, () => {
  for (const [name, change] of changes) {
    it(`that does not answer is a 504 to ${name}, and it did not run`, async () => {
      await using device = await openDevice();
      const before = state(device);
      device.bmc.setFaults({ isSilent: true });
      refused(await change(device), 504, 'bmc_unreachable');
      device.bmc.setFaults({});
      assert.deepEqual(state(device), before);
    });
  }

  it('that refuses our password is a 502, and none of it is told', async () => {
    await using device = await openDevice();
    const { yard } = device;
    const [first, ...others] = yard.site.servers!;
    const settings = { ...first!.bmc.settings, password: 'no longer right' };
    await applySite(yard.parts, {
      ...yard.site,
      servers: [{ ...first!, bmc: { ...first!.bmc, settings } }, ...others],
    });
    for (const [, change] of changes) {
      const answer = await change(device);
      refused(answer, 502, 'bmc_refused');
      assert.doesNotMatch(JSON.stringify(answer.body), /127\.0\.0\.1|provider|no longer right/);
    }
    refused(await device.v2('GET', 'power'), 502, 'bmc_refused');
    await applySite(yard.parts, yard.site);
    succeeds(await device.v2('GET', 'power'), 'on');
  });

  it('that lacks something is a 422 that names it', async () => {
    await using device = await openDevice();
    device.bmc.setFaults({ lacks: [coldReset, setBootOptions, getUserAccess] });
    const named = (answer: Awaited<ReturnType<TestDevice['legacy']>>) => refused(answer, 422, 'capability_missing');
    assert.match(named(await device.legacy('/ipmi/reset')), /no controller\./);
    assert.match(named(await device.v2('PUT', 'power', { request: 'pxe' })), /no boot\./);
    assert.match(named(await device.legacy('/ipmi/power', { action: 'rebootBIOS' })), /no boot\./);
    assert.match(named(await device.legacy('/ipmi/user', { username: 'anna', action: 'createUser' })), /no users\./);
    assert.match(named(await device.v2('GET', 'console')), /no users\./);
    assert.match(named(await device.legacy('/ipmi/kvm')), /no users\./);
  });
});

describe('a second command', { concurrency: true }, () => {
  it('waits for its turn and then runs', async () => {
    await using device = await openDevice();
    const cycling = device.v2('POST', 'power', { action: 'cycle' });
    await until(() => device.bmc.chassis.power === 'off');
    const second = device.v2('POST', 'power', { action: 'off' });
    succeeds(await cycling, 'Chassis Power Control: Cycle');
    succeeds(await second, 'Chassis Power Control: Down/Off');
    assert.equal(device.bmc.chassis.power, 'off');
    assert.deepEqual([device.bmc.chassis.counts.off, device.bmc.chassis.counts.on], [2, 1]);
  });

  it('that waits too long is told what is running', async () => {
    await using device = await openDevice();
    const rebooting = device.legacy('/ipmi/power', { action: 'reboot' });
    await until(() => device.bmc.chassis.power === 'off');
    const text = 'The device is busy: reboot is running.';
    const [busy, cycled] = await Promise.all([
      device.v2('POST', 'power', { action: 'off' }),
      device.v2('POST', 'power', { action: 'cycle' }),
    ]);
    // Five seconds of waiting against five of resting: whoever is still refused is told why.
    for (const answer of [busy, cycled])
      if (answer.status !== 200) assert.equal(refused(answer, 409, 'device_busy'), text);
    succeeds(await rebooting, 'Chassis Power Control: Cycle');
  });

  it('behind one that hangs is refused after five seconds, with the purpose of the first', async () => {
    await using device = await openDevice();
    device.bmc.setFaults({ isSilent: true });
    const first = device.v2('POST', 'power', { action: 'on' });
    await sleep(300);
    const [user, cycle, reset] = await Promise.all([
      device.legacy('/ipmi/user', { username: 'anna', action: 'createUser' }),
      device.v2('POST', 'power', { action: 'cycle' }),
      device.legacy('/ipmi/reset'),
    ]);
    for (const answer of [user, cycle, reset])
      assert.equal(refused(answer, 409, 'device_busy'), 'The device is busy: power on is running.');
    refused(await first, 504, 'bmc_unreachable');
  });
});
