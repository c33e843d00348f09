// Address requests, on both engines: no address is assigned twice, and its holder at any time is known.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { serverMove } from '#store/devices/servers.ts';
import { addressHolder } from '#app/network/address-holder.ts';
import { applySite } from '#app/site/apply.ts';
import { applySiteWithReport } from '#app/site/report.ts';
import type { Site } from '#contract/site/site.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { networkRange } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { netblockAssign } from '#store/network/netblocks.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { needs } from '#test/support/needs.ts';
import { networkCalls, type NetworkCalls } from '#test/support/network.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
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

describeOnEngines('requested addresses', needs('dig'), ({ openApp }) => {
  const openFixture = async (pools?: NonNullable<Site['netblocks']>) => {
    const app = await openApp();
    await applySiteWithReport(app.parts, withPools(app, pools), 'used');
    return { app, calls: networkCalls(app) };
  };

  it('are assigned at once, listed by family, named, and reported as events', async () => {
    const { app, calls } = await openFixture();
    const four = await requestNetblock(calls, 'ipv4', '/29');
    assert.deepEqual({ ...four, requestid: '' }, { requestid: '', status: 'Assigned', netblock: '198.18.4.0/29' });
    assert.match(four.requestid, /^[0-9]+$/);
    const six = await requestNetblock(calls, 'ipv6', '/64');
    assert.equal(six.netblock, '2001:db8:2::/64');
    assert.equal((await requestNetblock(calls, 'ipv4', '/26')).netblock, '198.18.4.64/26');
    assert.equal((await requestNetblock(calls, 'ipv4', '/30')).netblock, '198.18.4.8/30');

    const name = { ip: '198.18.4.1', record: 'asked.example.net' };
    assertResult(await calls.v2('PUT', '/v2/dns/reverse', name), 'Record Updated');
    const listed = async () => (await calls.legacy('/network/netblock', { type: 'ipv6' })).body.result;
    const unnamed = { '2001:db8:1::10/124': 'No Record Found', '2001:db8:1:1001::/64': 'No Record Found' };
    assert.deepEqual(await listed(), { ...unnamed, '2001:db8:2::/64': 'No Record Found' });
    const sixth = { ip: '2001:db8:2::5', record: 'asked6.example.net' };
    assertResult(await calls.v2('PUT', '/v2/dns/reverse', sixth), 'Record Updated');
    assert.deepEqual(await dig(app.dns, '1.4.18.198.in-addr.arpa', 'PTR'), ['asked.example.net']);
    const v2 = (await calls.v2('GET', '/v2/network/netblock/1001')).body.result as Record<string, string>;
    const legacyFour = (await calls.legacy('/network/netblock', { type: 'ipv4' })).body.result;
    const legacySix = (await calls.legacy('/network/netblock', { type: 'ipv6' })).body.result;
    assert.deepEqual({ ...(legacyFour as object), ...(legacySix as object) }, v2);
    assert.deepEqual([v2['198.18.4.1'], v2['198.18.4.2']], ['asked.example.net', 'No Record Found']);
    assert.deepEqual(legacySix, { ...unnamed, '2001:db8:2::5': 'asked6.example.net' });
    assert.equal(Object.keys(legacyFour as object).length, 1 + 8 + 8 + 64 + 4);

    const events = await calls.events('network.netblock.assigned');
    assert.deepEqual(events[0]!.data, { netblock: '198.18.4.0/29' });
    assert.deepEqual([events.length, events[0]!.service], [4, '1001']);
  });

  it('are never assigned twice, in 1,000 concurrent requests', async () => {
    const { app, calls } = await openFixture([{ cidr: '198.18.16.0/20', pool: 'assign' }]);
    const assigned: string[] = [];
    let left = 1000;
    const worker = async (): Promise<void> => {
      while (left-- > 0) assigned.push((await requestNetblock(calls, 'ipv4', '/30')).netblock);
    };
    await Promise.all(Array.from({ length: 50 }, worker));
    const ranges = assigned.map(rangeOf).toSorted((left, right) => (left.first < right.first ? -1 : 1));
    assert.equal(ranges.length, 1000);
    for (const [index, { first }] of ranges.entries()) assert.ok(index === 0 || ranges[index - 1]!.last < first, first);
    assert.equal((await requestNetblock(calls, 'ipv4', '/26')).netblock, '198.18.31.192/26');
    const message = assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/26' }), 422);
    assert.equal(message, 'There is no free ipv4 block of that size; the largest free block is a /27.');
    // The database rejects it even if the program considers it free.
    const assignment = { cidr: '198.18.16.0/29', ...rangeOf('198.18.16.0/29'), account_id: 1 as AccountId };
    const assigning = app.parts.store.transaction((queries) =>
      netblockAssign(queries, { ...assignment, service_id: 1001 }, [assignment.first]),
    );
    await assert.rejects(assigning, /unique/i);
  });

  it('are rejected if they are invalid or nothing is left', async () => {
    const { calls } = await openFixture([{ cidr: '198.18.4.0/29', pool: 'assign' }]);
    assertRejected(await calls.legacy('/network/request', { type: 'ipv6', size: '/24' }), 400);
    assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/64' }), 400);
    assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/31' }), 400);
    assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/30', server: 'dc01r02ds01' }), 404);
    const none = assertRejected(await calls.legacy('/network/request', { type: 'ipv6', size: '/64' }), 422);
    assert.equal(none, 'There is no free ipv6 block of that size; nothing is free.');
    assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/29' }), 422);
    await requestNetblock(calls, 'ipv4', '/30');
    await requestNetblock(calls, 'ipv4', '/30');
    const full = assertRejected(await calls.legacy('/network/request', { type: 'ipv4', size: '/30' }), 422);
    assert.match(full, /nothing is free/);
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
    const { app, calls } = await openFixture();
    const began = app.parts.clock.now();
    const { netblock } = await requestNetblock(calls, 'ipv4', '/24');
    await calls.v2('PUT', '/v2/dns/reverse', { ip: '198.18.4.9', record: 'held.example.net' });
    await applySite(app.parts, withPools(app));
    const list = async () => (await calls.v2('GET', '/v2/network/netblock/1001')).body.result as object;
    assert.ok('198.18.4.9' in (await list()));

    const overlapping = withPools(app, [
      { cidr: '198.18.4.0/22', pool: 'assign' },
      { cidr: '198.18.4.0/25', service: 1002 },
    ]);
    await assert.rejects(applySite(app.parts, overlapping), /service 1001 got 198\.18\.4\.0\/24 on request/);

    app.pass(dayMs);
    const withStatus = (status: 'Terminated' | 'Active') =>
      app.site.services!.map((service) => (service.id === 1001 ? { ...service, status } : service));
    await applySite(app.parts, { ...withPools(app), services: withStatus('Terminated') });
    // As if it had been erased.
    await serverMove(app.parts.store.queries, app.lab.dedicated.server, 'available');
    await applySite(app.parts, { ...withPools(app), services: withStatus('Active') });
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
