// Address requests, on both engines: no address is assigned twice, and its holder at any time is known.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { machineSync } from '#reconcilers/machine-sync.ts';
import type { NetblockDelivery } from '#sdk/v2.ts';
import { serverMove } from '#store/devices/servers.ts';
import { addressHolder } from '#app/network/address-holder.ts';
import { applySite } from '#app/site/apply.ts';
import { applySiteWithReport } from '#app/site/report.ts';
import type { Site } from '#contract/site/site.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { networkRange } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { netblockAssign, netblockFind, netblockRemove } from '#store/network/netblocks.ts';
import { makeAttackFixture } from '#test/support/attack-fixtures.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { needs } from '#test/support/needs.ts';
import { networkCalls, type NetworkCalls } from '#test/support/network.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import type { MachineAddress } from '#drivers/hypervisor/driver.ts';
import { machineAddresses } from '#reconcilers/machine-addresses.ts';
import { settingsAfter } from '#app/machines/network-settings.ts';
import { deviceLockAcquire, deviceLockRelease } from '#store/devices/device-locks.ts';
import { selectWhere } from '#store/engine/rows.ts';
import { reconcilerRegister } from '#store/work/reconcilers.ts';
import type { AccountId } from '#store/account-id.ts';

interface Assignment {
  requestid: string;
  status: string;
  netblock: string;
}
const dayMs = 86_400_000;
const requestNetblock = async (calls: NetworkCalls, type: string, size: string): Promise<Assignment> => {
  const response = await calls.legacy('/network/request', { type, size });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body.result as Assignment;
};
const rangeOf = (cidr: string) => networkRange(parseNetwork(cidr)!);

/** The lab's blocks with these pools instead of the lab's, and no quota in the way. */
const withPools = ({ site }: TestApp, pools?: NonNullable<Site['netblocks']>): Site => ({
  ...site,
  addressQuota: { ipv4: 100_000, reserve: 0 },
  ...(pools && { netblocks: [...site.netblocks!.filter(({ pool }) => pool === undefined), ...pools] }),
});

describeOnEngines('requested addresses', { ...needs('dig'), postgres: 'in long runs' }, ({ openApp }) => {
  const openFixture = async (pools?: NonNullable<Site['netblocks']>) => {
    const app = await openApp({ answersDns: true });
    await applySiteWithReport(app.parts, withPools(app, pools), 'used');
    return { app, calls: networkCalls(app) };
  };

  it('are assigned at once, listed by family, named, and reported as events', async () => {
    const { app, calls } = await openFixture();
    const four = await requestNetblock(calls, 'ipv4', '/29');
    assert.deepEqual({ ...four, requestid: '' }, { requestid: '', status: 'Assigned', netblock: '198.18.4.8/29' });
    assert.match(four.requestid, /^[0-9]+$/);
    const six = await requestNetblock(calls, 'ipv6', '/64');
    assert.equal(six.netblock, '2001:db8:2::/64');
    assert.equal((await requestNetblock(calls, 'ipv4', '/26')).netblock, '198.18.4.64/26');
    assert.equal((await requestNetblock(calls, 'ipv4', '/30')).netblock, '198.18.4.4/30');

    const name = { ip: '198.18.4.9', record: 'asked.example.net' };
    assertResult(await calls.v2('PUT', '/v2/dns/reverse', name), 'Record Updated');
    const listed = async () => (await calls.legacy('/network/netblock', { type: 'ipv6' })).body.result;
    const unnamed = { '2001:db8:1::10/124': 'No Record Found', '2001:db8:1:1001::/64': 'No Record Found' };
    assert.deepEqual(await listed(), { ...unnamed, '2001:db8:2::/64': 'No Record Found' });
    const sixth = { ip: '2001:db8:2::5', record: 'asked6.example.net' };
    assertResult(await calls.v2('PUT', '/v2/dns/reverse', sixth), 'Record Updated');
    assert.deepEqual(await dig(app.dns, '9.4.18.198.in-addr.arpa', 'PTR'), ['asked.example.net']);
    const v2 = (await calls.v2('GET', '/v2/network/netblock/1001')).body.result as Record<string, string>;
    const legacyFour = (await calls.legacy('/network/netblock', { type: 'ipv4' })).body.result;
    const legacySix = (await calls.legacy('/network/netblock', { type: 'ipv6' })).body.result;
    assert.deepEqual({ ...(legacyFour as object), ...(legacySix as object) }, v2);
    assert.deepEqual([v2['198.18.4.9'], v2['198.18.4.10']], ['asked.example.net', 'No Record Found']);
    assert.deepEqual(legacySix, { ...unnamed, '2001:db8:2::5': 'asked6.example.net' });
    assert.equal(Object.keys(legacyFour as object).length, 1 + 8 + 8 + 64 + 4);

    const events = await calls.events('network.netblock.assigned');
    assert.deepEqual(events[0]!.data, { netblock: '198.18.4.8/29' });
    assert.deepEqual([events.length, events[0]!.service], [4, '1001']);
  });

  it('are never assigned twice, in hundreds of concurrent requests', async () => {
    const { app, calls } = await openFixture([{ cidr: '198.18.16.0/22', pool: 'assign', delivery: 'routed' }]);
    const assigned: string[] = [];
    let left = 232;
    const worker = async (): Promise<void> => {
      while (left-- > 0) assigned.push((await requestNetblock(calls, 'ipv4', '/30')).netblock);
    };
    await Promise.all(Array.from({ length: 50 }, worker));
    const ranges = assigned.map(rangeOf).toSorted((left, right) => (left.first < right.first ? -1 : 1));
    assert.equal(ranges.length, 232);
    for (const [index, { first }] of ranges.entries()) assert.ok(index === 0 || ranges[index - 1]!.last < first, first);
    assert.equal((await requestNetblock(calls, 'ipv4', '/26')).netblock, '198.18.19.192/26');
    const message = assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/26' }), 422);
    assert.equal(message, 'No IPv4 block of this size is free; the largest free block is a /27.');
    // The database rejects it even if the program considers it free.
    const assignment = { cidr: '198.18.16.0/29', ...rangeOf('198.18.16.0/29'), account_id: 1 as AccountId };
    const assigning = app.parts.store.transaction((queries) =>
      netblockAssign(queries, { ...assignment, service_id: 1001 }, [assignment.first]),
    );
    await assert.rejects(assigning, /unique/i);
  });

  it('are rejected if they are invalid or only those are left that the network uses itself', async () => {
    const { app, calls } = await openFixture([
      { cidr: '198.18.4.0/29', pool: 'assign' },
      // Two addresses need no others for the network itself (RFC 3021).
      { cidr: '198.18.4.8/31', pool: 'assign', gateway: '198.18.4.8' },
    ]);
    assertRejected(await calls.legacy('/network/request', { type: 'ipv6', size: '/24' }), 400);
    assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/64' }), 400);
    assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/31' }), 400);
    assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/30', server: 'dc01r02ds01' }), 404);
    const none = assertRejected(await calls.legacy('/network/request', { type: 'ipv6', size: '/64' }), 422);
    assert.equal(none, 'The provider has no pool of IPv6 addresses.');
    assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/29' }), 422);
    const large = assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/30' }), 422);
    assert.match(large, /the largest free block is a \/32/);
    const single = () => calls.v2('POST', '/v2/network/netblock', { service: 1001, type: 'ipv4', size: '/32' });
    // Earlier releases assigned it, and the service keeps it.
    const old = { cidr: '198.18.4.0/32', ...rangeOf('198.18.4.0/32'), account_id: 1 as AccountId, service_id: 1001 };
    await app.parts.store.transaction((queries) => netblockAssign(queries, old, [old.first]));
    const assigned: string[] = [];
    for (let count = 0; count < 7; count++) assigned.push(((await single()).body.result as Assignment).netblock);
    const lastBytes = assigned.map((netblock) => /^198\.18\.4\.([0-9]+)\/32$/.exec(netblock)?.[1]);
    assert.deepEqual(lastBytes.toSorted(), ['1', '2', '3', '4', '5', '6', '9']);
    const delivered = (await calls.v2('GET', '/v2/network/delivery/1001')).body.result as NetblockDelivery[];
    assert.equal(delivered.find(({ netblock }) => netblock === old.cidr)?.address, '198.18.4.0');
    const full = assertRejected(await single(), 422);
    assert.match(full, /nothing is free/);
  });

  it('are routed or on-link as the site file says, with the lines to configure them, until they are taken back', async () => {
    const { app, calls } = await openFixture([
      { cidr: '198.18.4.0/24', pool: 'assign', delivery: 'routed' },
      { cidr: '203.0.113.240/28', pool: 'ask' },
      { cidr: '2001:db8:2::/56', pool: 'assign', delivery: 'routed' },
    ]);
    const { run, routed } = await makeAttackFixture(app);
    const request = async (type: string, size: string, service = 1001) => {
      const { body } = await calls.v2('POST', '/v2/network/netblock', { service, type, size });
      return (body.result as Assignment).netblock;
    };
    const deliveries = async (service = 1001, card = {}) =>
      (await calls.v2('GET', `/v2/network/delivery/${service}`, card)).body.result as NetblockDelivery[];
    const find = async (netblock: string) => (await deliveries()).find((block) => block.netblock === netblock)!;
    const four = await request('ipv4', '/32');
    assert.equal(four, '198.18.4.0/32');
    assert.equal(await request('ipv4', '/32'), '198.18.4.1/32', 'single addresses are neighbours');
    assert.equal(await request('ipv4', '/30'), '198.18.4.4/30', 'and their block is taken');
    const six = await request('ipv6', '/64');
    assert.equal((await find(four)).status, 'Pending');
    await run('routes');
    const [own, ownSix] = ['203.0.113.10', '2001:db8:1::10'];
    assert.deepEqual(routed(), [
      `${four} via ${own}`,
      `198.18.4.1/32 via ${own}`,
      `198.18.4.4/30 via ${own}`,
      `${six} via ${ownSix}`,
    ]);
    const { configuration, ...single } = await find(four);
    const routedTo = { delivery: 'routed', status: 'Active', gateway: '' };
    const subnet = { prefix: '32', netmask: '255.255.255.255' };
    assert.deepEqual(single, { netblock: four, ...routedTo, address: '198.18.4.0', ...subnet, nexthop: own });
    assert.match(configuration.netplan, /^ {4}eth0:\n {6}addresses:\n {8}- 198\.18\.4\.0\/32\n$/m);
    const network = await find(six);
    assert.deepEqual([network.address, network.prefix, network.nexthop], ['2001:db8:2::1', '128', ownSix]);
    const main = (await deliveries(1001, { interface: 'enp3s0' }))[0]!;
    assert.deepEqual([main.netblock, main.delivery, main.gateway], ['203.0.113.10/32', 'on-link', '203.0.113.1']);
    assert.match(
      main.configuration.windows,
      /-IPAddress 203\.0\.113\.10 -PrefixLength 24 -DefaultGateway 203\.0\.113\.1\n/,
    );
    assert.equal(main.netmask, '255.255.255.0');
    assert.match(main.configuration.networkd, /Address=203\.0\.113\.10\/24\n\n\[Route\]\nGateway=203\.0\.113\.1\n/);
    assert.match(
      main.configuration.ifupdown,
      /^iface enp3s0 inet static\n {4}address 203\.0\.113\.10\/24\n {4}up ip route/m,
    );
    assertRejected(await calls.v2('GET', '/v2/network/delivery/1001', { interface: 'a b' }), 400);

    // The null route of an address takes precedence over its route, which returns after it.
    const nullroute = async (action: string) =>
      (await calls.legacy('/network/nullroute', { ip: '198.18.4.0', action })).body.result;
    assert.equal(await nullroute('add'), 'Null-routed');
    assert.ok(routed().includes(four));
    await run('routes');
    assert.ok(routed().includes(four));
    assert.equal(await nullroute('remove'), 'Null-route Removed');
    assert.ok(routed().includes(`${four} via ${own}`));

    await operatorResult(app, 'DELETE', 'netblock', { netblock: six });
    assert.equal((await calls.events('network.netblock.released')).length, 1);
    await run('routes');
    assert.deepEqual(
      routed().filter((line) => line.includes(':')),
      [],
    );
    const refused = async (netblock: string) => (await asOperator(app, 'DELETE', 'netblock', { netblock })).status;
    assert.deepEqual(
      [await refused(six), await refused('203.0.113.32/29'), await refused('198.18.4.0/24')],
      [404, 409, 404],
    );
    const terminated = app.site.services!.map((row) =>
      row.id === 1001 ? { ...row, status: 'Terminated' as const } : row,
    );
    await applySite(app.parts, { ...withPools(app), services: terminated });
    await run('routes');
    assert.deepEqual(routed(), []);
  });

  it('reach what virtual machines configure when they boot, and leave it when they are taken back', async () => {
    const { app, calls } = await openFixture([{ cidr: '198.18.4.0/30', pool: 'assign', gateway: '198.18.4.2' }]);
    const { queries } = app.parts.store;
    const { simulator } = app.equipment.hypervisor;
    const configure = async () => {
      const reconciler = machineAddresses(app.parts, (service) => settingsAfter(queries, service));
      return (await reconciler.run(AbortSignal.timeout(60_000))).backlog;
    };
    const configured = () => {
      const { addresses } = simulator.machines.get('vm-101')!.system();
      return (addresses as readonly MachineAddress[]).map(({ address, gateway }) => `${address} via ${gateway}`);
    };
    const own = ['203.0.113.130 via 203.0.113.1', '2001:db8:1::130 via 2001:db8:1::1'];
    assert.equal(await configure(), 0);
    assert.deepEqual(configured(), own);
    const steps = simulator.events.length;
    assert.equal(await configure(), 0);
    assert.equal(simulator.events.length, steps, 'nothing to do');
    await reconcilerRegister(queries, 'machine-addresses');
    const request = { service: 2001, type: 'ipv4', size: '/32' };
    assert.equal((await calls.v2('POST', '/v2/network/netblock', request)).status, 200);
    const row = selectWhere(queries, 'reconcilers', { name: 'machine-addresses' }).select('signals');
    const signals = async () => (await row.executeTakeFirstOrThrow()).signals;
    assert.equal(await signals(), 1);
    // The hypervisor has the new settings but crashes before it says so.
    simulator.setMalfunctions({ crashesAt: 'addresses' });
    assert.equal(await configure(), 1);
    assert.equal(await configure(), 1);
    simulator.setMalfunctions({});
    const lock = { device: 'vm-101', holder: 'a test', purpose: 'a test', held_until: Date.now() + 60_000 };
    await deviceLockAcquire(queries, lock, Date.now());
    assert.equal(await configure(), 1, 'waits for another command');
    await deviceLockRelease(queries, lock.device, lock.holder);
    assert.equal(await configure(), 0);
    assert.deepEqual(configured(), [...own, '198.18.4.1 via undefined']);
    assert.equal(simulator.machines.get('vm-101')!.state.power, 'on');
    assert.ok(
      !simulator.events.slice(steps).some((event) => /^(power|reset|shutdown)/.test(event)),
      'it keeps running',
    );
    await operatorResult(app, 'DELETE', 'netblock', { netblock: '198.18.4.1/32' });
    assert.equal(await signals(), 2);
    assert.equal(await configure(), 0);
    assert.deepEqual(configured(), own);
    await applySite(app.parts, {
      ...app.site,
      nodes: app.site.nodes!.map((node) => ({ ...node, nameServers: ['192.0.2.53'] })),
    });
    assert.ok((await signals()) > 2, 'signalled by the site file');
    assert.equal(await configure(), 0);
    assert.deepEqual(simulator.machines.get('vm-101')!.system().nameServers, ['192.0.2.53']);
    await netblockRemove(queries, (await netblockFind(queries, '203.0.113.130/32'))!.id);
    assert.equal(await configure(), 0);
    assert.deepEqual(configured(), own, 'never without the main address');
  });

  it('reach virtual machines through their filters, and come from pools that can reach the service', async () => {
    const { app, calls } = await openFixture([
      { cidr: '198.18.4.0/30', pool: 'assign', gateway: '198.18.4.2' },
      { cidr: '2001:db8:2::/56', pool: 'assign', delivery: 'routed' },
    ]);
    const request = (service: number, type: string, size: string) =>
      calls.v2('POST', '/v2/network/netblock', { service, type, size });
    const deliveries = async (service: number) =>
      (await calls.v2('GET', `/v2/network/delivery/${service}`)).body.result as NetblockDelivery[];
    // The network, gateway and broadcast addresses are not given away.
    assert.equal(((await request(2001, 'ipv4', '/32')).body.result as Assignment).netblock, '198.18.4.1/32');
    assertRejected(await request(2001, 'ipv4', '/32'), 422);
    const node = await app.parts.store.queries.selectFrom('nodes').select('next_look_at').executeTakeFirstOrThrow();
    assert.equal(node.next_look_at, 0, 'its hypervisor is due at once');
    const added = async () => (await deliveries(2001)).find(({ netblock }) => netblock === '198.18.4.1/32')!;
    const { status, prefix, gateway } = await added();
    assert.deepEqual([status, prefix, gateway], ['Pending', '30', '198.18.4.2']);
    await machineSync(app.parts, async () => {}).run(AbortSignal.timeout(60_000));
    assert.equal((await added()).status, 'Active');
    // Without an IPv6 address, there is nothing to route IPv6 networks to.
    const message = assertRejected(await request(1002, 'ipv6', '/64'), 422);
    assert.match(message, /the service has no address to route them to/);
  });

  it('wait for the operator if the pool says so, and leave reserved ones alone', async () => {
    const { app, calls } = await openFixture([{ cidr: '198.18.4.0/24', pool: 'ask' }]);
    const request = await requestNetblock(calls, 'ipv4', '/29');
    assert.deepEqual([request.status, request.netblock], ['Pending', '']);
    assert.deepEqual(await calls.events('network.netblock.assigned'), []);
    await applySite(
      app.parts,
      withPools(app, [
        { cidr: '198.18.4.0/24', pool: 'ask' },
        { cidr: '198.18.8.0/24', pool: 'assign' },
        { cidr: '198.18.8.0/28' },
      ]),
    );
    assert.equal((await requestNetblock(calls, 'ipv4', '/29')).netblock, '198.18.8.16/29');
  });

  it('survive a re-apply, rest for 30 days once returned, and lead to whoever held them', async () => {
    const pool = { cidr: '198.18.4.0/22', pool: 'assign', delivery: 'routed' } as const;
    const { app, calls } = await openFixture([pool]);
    const began = app.parts.clock.now();
    const { netblock } = await requestNetblock(calls, 'ipv4', '/24');
    await calls.v2('PUT', '/v2/dns/reverse', { ip: '198.18.4.9', record: 'held.example.net' });
    await applySite(app.parts, withPools(app, [pool]));
    const list = async () => (await calls.v2('GET', '/v2/network/netblock/1001')).body.result as object;
    assert.ok('198.18.4.9' in (await list()));

    const overlapping = withPools(app, [pool, { cidr: '198.18.4.0/25', service: 1002 }]);
    await assert.rejects(applySite(app.parts, overlapping), /service 1001 got 198\.18\.4\.0\/24 on request/);

    app.pass(dayMs);
    const withStatus = (status: 'Terminated' | 'Active') =>
      app.site.services!.map((service) => (service.id === 1001 ? { ...service, status } : service));
    await applySite(app.parts, { ...withPools(app, [pool]), services: withStatus('Terminated') });
    // As if it had been erased.
    await serverMove(app.parts.store.queries, app.lab.dedicated.server, 'available');
    await applySite(app.parts, { ...withPools(app, [pool]), services: withStatus('Active') });
    assert.ok(!('198.18.4.9' in (await list())));
    assert.notEqual((await requestNetblock(calls, 'ipv4', '/24')).netblock, netblock);
    app.pass(29 * dayMs);
    assert.notEqual((await requestNetblock(calls, 'ipv4', '/24')).netblock, netblock);
    app.pass(2 * dayMs);
    const again = await calls.legacy('/network/request', { type: 'ipv4', size: '/24', server: 'dc01r01ds02-01' });
    assert.equal((again.body.result as Assignment).netblock, netblock);

    const at = (time: number) => addressHolder(app.parts, '198.18.4.9', new Date(time).toISOString());
    assert.match(await at(began - 1000), /^Nobody held 198\.18\.4\.9 at /);
    assert.match(await at(began + dayMs / 2), /^account 1, service 1001, in 198\.18\.4\.0\/24, from .* until 20/);
    assert.match(await at(began + 10 * dayMs), /^Nobody/);
    const now = await addressHolder(app.parts, '198.18.4.9', undefined);
    assert.match(now, /^account 1, service 1002, in 198\.18\.4\.0\/24, from .* until now$/);
    await assert.rejects(addressHolder(app.parts, '198.18.4.900', undefined), /is not an IP address/);
    await assert.rejects(addressHolder(app.parts, '198.18.4.9', 'yesterday'), /is not a date/);
  });
});
