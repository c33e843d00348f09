// Hypervisors, switches and racks as staff see them, from what the pollers stored: nothing is asked while a page waits.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import { applySite } from '#app/site/apply.ts';
import type { Rack } from '#contract/operator/fleet.ts';
import type { Node, NodeMachine } from '#contract/operator/node.ts';
import type { NetworkSwitch, SwitchPort } from '#contract/operator/switch.ts';
import { labHypervisorName } from '#lab/hypervisor/machines.ts';
import { labPorts, labSwitchName } from '#lab/network.ts';
import { startLabSwitch } from '#lab/switch/switch.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { sensorsPut } from '#store/devices/sensors.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { request } from '#test/support/request.ts';

type Node = Static<typeof Node>;
type Port = Static<typeof SwitchPort>;
const signal = (): AbortSignal => new AbortController().signal;

describe('equipment for staff', () => {
  let app: TestApp;
  before(async () => {
    app = await openTestApp();
  });
  after(() => app[Symbol.asyncDispose]());

  const get = <T>(path: string, params: Record<string, unknown> = {}) => operatorResult<T>(app, 'GET', path, params);
  const pollSwitch = async (): Promise<void> => {
    await app.parts.store.queries.updateTable('switches').set({ next_poll_at: 0 }).execute();
    await trafficPoll(app.parts).run(signal());
  };
  const checkNodes = async (): Promise<void> => {
    await app.parts.store.queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
    await machineSync(app.parts, async () => {}).run(signal());
  };

  it('lists a hypervisor with an unknown capacity until it was read', async () => {
    const before = await get<Node>(`node/${labHypervisorName}`);
    assert.deepEqual([before.read, before.memorymb.free, before.memorymb.total, before.cpus], ['', '', '', '']);
    await checkNodes();
    const [node, ...others] = await get<Node[]>('node');
    assert.deepEqual(others, []);
    assert.deepEqual(
      [node!.name, node!.state, node!.error, node!.version],
      [labHypervisorName, 'answers', '', 'Lab hypervisor 1.0'],
    );
    const { total, used, free } = node!.memorymb;
    assert.equal(Number(total), Number(used) + Number(free));
    assert.ok(Number(used) > 0 && Number(node!.machines) > 0 && node!.rack === 'dc01r02');
    assert.deepEqual(await get('node', { after: labHypervisorName }), []);
  });

  it('lists the machines of a hypervisor in pages, with their customers', async () => {
    await checkNodes();
    const machines = await get<Static<typeof NodeMachine>[]>('machine', { node: labHypervisorName });
    assert.ok(machines.length > 1);
    assert.ok(machines.every(({ account, hostname, vcpus }) => account !== '' && hostname !== '' && Number(vcpus) > 0));
    const [first, second] = machines;
    const [next] = await get<typeof machines>('machine', { node: labHypervisorName, limit: 1, after: first!.vmid });
    assert.deepEqual(next, second);
    assert.equal((await asOperator(app, 'GET', 'machine', { node: 'nowhere' })).status, 404);
    assert.equal((await asOperator(app, 'GET', 'node/nowhere')).status, 404);
  });

  it('keeps what it knew of a hypervisor that stops responding, with the driver’s message', async () => {
    await checkNodes();
    app.equipment.hypervisor.simulator.setMalfunctions({ isDown: true });
    await checkNodes();
    const node = await get<Node>(`node/${labHypervisorName}`);
    app.equipment.hypervisor.simulator.setMalfunctions({});
    assert.deepEqual([node.state, node.error], ['silent', 'node_unreachable']);
    assert.ok(node.errortext !== '' && node.memorymb.free !== '' && node.seen !== '');
    const machines = await get<Static<typeof NodeMachine>[]>('machine', { node: labHypervisorName });
    assert.ok(machines.every(({ state }) => state === 'unknown' || state === 'pending'));
    await checkNodes();
    assert.equal((await get<Node>(`node/${labHypervisorName}`)).errortext, '');
  });

  it('lists the ports of a switch with traffic, errors and customers', async () => {
    await using device = await startLabSwitch({
      ports: labPorts,
      communities: { readWrite: 'staff' },
      clock: { now: () => app.parts.clock.now() },
    });
    const settings = { version: '2c', address: device.address, port: device.port, community: 'staff' };
    const [listed] = app.site.switches!;
    await applySite(app.parts, { ...app.site, switches: [{ ...listed!, settings }] });
    assert.deepEqual((await get<Static<typeof NetworkSwitch>[]>('switch'))[0]!.ports, '');
    await pollSwitch();
    const unread = await get<Port[]>('port', { switch: labSwitchName });
    assert.deepEqual(
      unread.map(({ in: rate, inerrors }) => [rate, inerrors]),
      [
        ['', '0'],
        ['', '0'],
        ['', '0'],
        ['', '0'],
      ],
    );
    app.pass(2 * 60_000);
    await pollSwitch();
    const [web, , mail, spare] = await get<Port[]>('port', { switch: labSwitchName });
    assert.deepEqual([web!.name, web!.alias, web!.admin, web!.oper], ['ge-0/0/0', 'cust-1001 web1', 'up', 'up']);
    assert.deepEqual([web!.service, web!.speed, spare!.oper, spare!.in], ['1001', '1000000000', 'down', '0']);
    assert.ok(web!.account !== '' && Number(web!.in) > 1_000_000);
    assert.ok(Math.abs(Number(mail!.errorrate) - 2) < 0.2, mail!.errorrate);
    const named = await get<Port[]>('port', { switch: labSwitchName, search: 'WEB1' });
    assert.deepEqual(
      named.map(({ index }) => index),
      [web!.index],
    );
    const failing = await get<Port[]>('port', { switch: labSwitchName, errors: true });
    assert.deepEqual(
      failing.map(({ index }) => index),
      [mail!.index],
    );
    const rest = await get<Port[]>('port', { switch: labSwitchName, limit: 2, after: 1 });
    assert.deepEqual(
      rest.map(({ index }) => index),
      ['2', '3'],
    );
    const known = await get<Static<typeof NetworkSwitch>>(`switch/${labSwitchName}`);
    assert.deepEqual([known.ports, known.portsup, known.portswitherrors], ['4', '3', '1']);
    const runsFor = app.parts.clock.now() - Date.parse(`${known.started.replace(' ', 'T')}Z`);
    assert.ok(runsFor >= 2 * 60_000 && runsFor < 10 * 60_000, known.started);
    assert.deepEqual([known.description, known.rack, known.state], ['Hostyard lab switch', 'dc01r01', 'answers']);
    assert.equal((await asOperator(app, 'GET', 'port', { switch: 'nowhere' })).status, 404);
  });

  it('sums the power of a rack without claiming that it is all of it', async () => {
    const nothing = { faults: '[]', fault_count: 0, readings: '[]', service_id: null, log_position: null, rpm: null };
    const known = { ...nothing, read_at: app.parts.clock.now(), error: null, celsius: 50 };
    const { queries } = app.parts.store;
    await sensorsPut(queries, { ...known, server: 'dc01r01ds01', watts: 122, inlet_celsius: 24 });
    await sensorsPut(queries, { ...known, server: 'dc01r01ds02-01', watts: null, inlet_celsius: 21 });
    const rack = async () => (await get<Static<typeof Rack>[]>('rack')).find(({ name }) => name === 'dc01r01')!;
    const { servers, power, inlet } = await rack();
    assert.deepEqual(
      { servers, power, inlet },
      {
        servers: '2',
        power: { watts: '122', reporting: '1' },
        inlet: { max: '24', median: '23', reporting: '2' },
      },
    );
    await queries.updateTable('server_sensors').set({ error: 'bmc_unreachable' }).execute();
    const unknown = await rack();
    assert.deepEqual(
      [unknown.power, unknown.inlet],
      [
        { watts: '', reporting: '0' },
        { max: '', median: '', reporting: '0' },
      ],
    );
  });

  it('is for staff only', async () => {
    for (const path of ['node', 'switch', `node/${labHypervisorName}`, 'port?switch=x', 'machine?node=x'])
      assert.equal((await request(app, 'GET', `/operator/${path}`, { key: app.lab.customer.key })).status, 403);
  });
});
