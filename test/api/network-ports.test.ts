// Switch ports through both APIs, checked at the lab's switch.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import type { LabSwitch } from '#lab/switch/switch.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { portsOfSwitch } from '#store/network/switches.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { networkCalls, type NetworkCalls } from '#test/support/network.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { until } from '#test/support/until.ts';

describe('the switch port of a dedicated server', () => {
  let app: TestApp;
  let calls: NetworkCalls;
  let lab: LabSwitch;
  let ids: string[];
  before(async () => {
    app = await openTestApp();
    calls = networkCalls(app);
    lab = app.equipment.network.simulator;
    ids = (await portsOfSwitch(app.parts.store.queries, 'dc01sw01')).map(({ id }) => String(id));
  });
  after(() => app[Symbol.asyncDispose]());
  const status = async () => (await calls.v2('GET', '/v2/network/port/1001')).body.result;

  it('is shown with its name and both states, and follows commands', async () => {
    const response = await calls.v2('GET', '/v2/network/port/1001');
    assert.deepEqual(response.body, { success: true, results: 1, result: 'cust-1001 web1 - Up / Up' });

    const disabled = await calls.v2('DELETE', '/v2/network/port', { service: 1001 });
    assert.deepEqual(disabled.body, { success: true, results: '0', result: 'Port Disabled.' });
    assert.equal(lab.ports.get(1)!.adminStatus, 'down');
    await until(async () => (await status()) === 'cust-1001 web1 - Down / Down');
    assertResult(await calls.v2('DELETE', '/v2/network/port', { service: 1001 }), 'Port Disabled.');

    const enabled = await calls.v2('PUT', '/v2/network/port', { service: 1001 });
    assert.deepEqual(enabled.body, { success: true, results: '0', result: 'Port Enabled.' });
    await until(async () => (await status()) === 'cust-1001 web1 - Up / Up');
    const events = (await calls.events('network.port.changed')).map(({ data, service }) => ({ data, service }));
    assert.deepEqual(events.slice(0, 1), [{ data: { port: ids[0], status: 'down' }, service: '1001' }]);
    assert.deepEqual(events.at(-1), { data: { port: ids[0], status: 'up' }, service: '1001' });
  });

  it('is shown with its name on the switch if it has no alias', async () => {
    const port = lab.ports.get(1)!;
    const { alias } = port;
    port.alias = '';
    assert.equal(await status(), 'ge-0/0/0 - Up / Up');
    const { body } = await calls.legacy('/network/port');
    assert.equal((body.result as Record<string, { name: string }>)[ids[0]!]!.name, 'ge-0/0/0');
    port.alias = alias;
  });

  it('is listed and switched by its id on the legacy API', async () => {
    const state = { ifAdminStatus: 'up', ifOperStatus: 'up', ifSpeed: '1000000000' };
    assertResult(await calls.legacy('/network/port'), { [ids[0]!]: { name: 'cust-1001 web1', ...state } });
    const own = { id: ids[0]! };
    assertResult(await calls.legacy('/network/port', { action: 'disable', ...own }), 'Port Disabled.');
    assert.equal(lab.ports.get(1)!.adminStatus, 'down');
    assertResult(await calls.legacy('/network/port', { action: 'enable', ...own }), 'Port Enabled.');
    assert.equal(lab.ports.get(1)!.adminStatus, 'up');
    await until(async () => (await status()) === 'cust-1001 web1 - Up / Up');
  });

  it('needs an id with an action, and rejects ports of any other server', async () => {
    assertRejected(await calls.legacy('/network/port', { action: 'disable' }), 400);
    for (const id of [ids[1]!, ids[2]!, ids[3]!, '99999'])
      assertRejected(await calls.legacy('/network/port', { action: 'disable', id }), 404);
    assertRejected(await calls.v2('GET', '/v2/network/port/1101'), 404, 'not_found');
    assertRejected(await calls.v2('DELETE', '/v2/network/port', { service: 1101 }), 404, 'not_found');
    assertRejected(await calls.legacy('/network/port', { server: 'dc01r02ds01' }), 404);
    assertRejected(await calls.v2('GET', '/v2/network/port/2001'), 422, 'capability_missing');
    assert.ok([...lab.ports.values()].every(({ adminStatus }) => adminStatus === 'up'));
  });

  it('is part of the hardware', async () => {
    const { body } = await calls.v2('GET', '/v2/device/hardware/1001');
    const { ports } = body.result as { ports: unknown };
    const state = { ifAdminStatus: 'up', ifOperStatus: 'up', ifSpeed: '1000000000' };
    assert.deepEqual(ports, { dc01sw01: { 'ge-0/0/0': state } });
  });

  it('stays the same port when the switch restarts and renumbers', async () => {
    await trafficPoll(app.parts).run(new AbortController().signal);
    const named = (name: string) => [...lab.ports.values()].find((port) => port.name === name)!;
    lab.restart([1, 3]);
    try {
      assert.equal(await status(), 'cust-1001 web1 - Up / Up');
      const { body } = await calls.legacy('/network/port');
      assert.equal((body.result as Record<string, { name: string }>)[ids[0]!]!.name, 'cust-1001 web1');
      assertResult(await calls.v2('DELETE', '/v2/network/port', { service: 1001 }), 'Port Disabled.');
      assert.deepEqual([named('ge-0/0/0').adminStatus, named('ge-0/0/2').adminStatus], ['down', 'up']);
      assertResult(await calls.v2('PUT', '/v2/network/port', { service: 1001 }), 'Port Enabled.');
      await trafficPoll(app.parts).run(new AbortController().signal);
      const ports = await portsOfSwitch(app.parts.store.queries, 'dc01sw01');
      assert.deepEqual([ports[0]!.alias, ports[2]!.alias], ['cust-1001 web1', 'cust-1101 mail']);
    } finally {
      lab.restart([1, 3]);
      await until(async () => (await status()) === 'cust-1001 web1 - Up / Up');
    }
  });

  it('is not touched while the switch has another port in its place', async () => {
    const port = lab.ports.get(1)!;
    port.name = 'xe-0/1/0';
    try {
      assertRejected(await calls.v2('GET', '/v2/network/port/1001'), 502, 'switch_error');
      assertRejected(await calls.v2('DELETE', '/v2/network/port', { service: 1001 }), 502, 'switch_error');
      assertRejected(await calls.legacy('/network/port', { action: 'disable', id: ids[0]! }), 502);
      assert.equal(port.adminStatus, 'up');
    } finally {
      port.name = 'ge-0/0/0';
    }
    assert.equal(await status(), 'cust-1001 web1 - Up / Up');
  });

  it('is unknown, not down, while the switch is unreachable', async () => {
    const [own] = app.site.switches!;
    const impatient = { ...own!, settings: { ...own!.settings, timeoutMs: 50 } };
    await applySite(app.parts, { ...app.site, switches: [impatient] });
    lab.setMalfunctions({ isSilent: true });
    try {
      assertRejected(await calls.v2('GET', '/v2/network/port/1001'), 504, 'switch_unreachable');
      assertRejected(await calls.v2('DELETE', '/v2/network/port', { service: 1001 }), 504, 'switch_unreachable');
      assertRejected(await calls.legacy('/network/port'), 504);
      assertRejected(await calls.v2('GET', '/v2/device/hardware/1001'), 504, 'switch_unreachable');
      assertResult(await calls.v2('GET', '/v2/device/power/1001'), 'on');
      assert.equal((await calls.legacy('/ipmi/bandwidth', { graph: 'false' })).status, 200);
    } finally {
      lab.setMalfunctions({});
      await applySite(app.parts, app.site);
    }
    // A port that cannot be identified first is not switched.
    assert.equal(await status(), 'cust-1001 web1 - Up / Up');
  });
});
