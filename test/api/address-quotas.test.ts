// Quotas of addresses, on both engines: what a service gets without approval, and what waits for staff.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { applySiteWithReport } from '#app/site/report.ts';
import { netblockList } from '#store/network/netblocks.ts';
import type { Site } from '#contract/site/site.ts';
import type { AccountId } from '#store/account-id.ts';
import { assertRejected } from '#test/support/devices.ts';
import { networkCalls } from '#test/support/network.ts';
import { operatorResult } from '#test/support/operators.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

interface Assignment {
  readonly requestid: string;
  readonly status: string;
  readonly netblock: string;
}
const pools = [
  { cidr: '198.18.4.0/22', pool: 'assign', delivery: 'routed' },
  { cidr: '2001:db8:2::/56', pool: 'assign' },
] as const;
/** The service has no addresses in the site file apart from its own. */
const service = { id: 1002, server: 'dc01r01ds02-01' };

describeOnEngines('the address quota', { postgres: 'in long runs' }, ({ openApp }) => {
  const openFixture = async (change: Partial<Site> = {}) => {
    const app = await openApp();
    const { addressQuota: _, ...lab } = app.site;
    const netblocks = [...lab.netblocks!.filter(({ pool }) => pool === undefined), ...pools];
    const site = { ...lab, netblocks, ...change };
    await applySiteWithReport(app.parts, site, 'used');
    const { legacy, events } = networkCalls(app);
    const send = (type: string, size: string) => legacy('/network/request', { server: service.server, type, size });
    const request = async (type: 'ipv4' | 'ipv6', size: string): Promise<Assignment> => {
      const response = await send(type, size);
      assert.equal(response.status, 200, JSON.stringify(response.body));
      return response.body.result as Assignment;
    };
    const requestMany = (count: number, type: 'ipv4' | 'ipv6', size: string) =>
      Promise.all(Array.from({ length: count }, () => send(type, size)));
    const held = async (mark: '4' | '6') => {
      const blocks = await netblockList(app.parts.store.queries, 1 as AccountId, service.id);
      return blocks.filter(({ first }) => first.startsWith(mark)).map(({ cidr }) => cidr);
    };
    return { app, site, send, request, requestMany, held, events };
  };

  it('turns requests beyond it into requests for staff, who approve or reject them', async () => {
    const { app, request, held, events } = await openFixture();
    const large = await request('ipv4', '/24');
    assert.deepEqual([large.status, large.netblock], ['Pending', '']);
    assert.equal((await request('ipv4', '/30')).status, 'Assigned');
    assert.equal((await request('ipv4', '/30')).status, 'Assigned', 'its plan includes nine addresses');
    assert.equal((await request('ipv4', '/30')).status, 'Pending', 'its own address counts too');
    assert.deepEqual(await held('4'), ['198.18.4.0/30', '198.18.4.4/30', '203.0.113.11/32']);

    const approved = await operatorResult<{ netblock: string }>(app, 'POST', 'request/approve', {
      id: large.requestid,
    });
    assert.equal(approved.netblock, '198.18.5.0/24');
    const other = await request('ipv4', '/28');
    const reason = 'Tell us what they are for.';
    await operatorResult(app, 'POST', 'request/refuse', { id: other.requestid, reason });
    const [refusal] = await events('network.netblock.refused');
    assert.deepEqual(refusal!.data, { requestid: other.requestid, size: '/28', reason });
  });

  it('cannot be exceeded by concurrent requests', async () => {
    const { requestMany, held } = await openFixture({ addressQuota: { ipv4: 1 + 3 * 4, ipv6: 5 } });
    await Promise.all([requestMany(20, 'ipv4', '/30'), requestMany(20, 'ipv6', '/64')]);
    assert.equal((await held('4')).length, 1 + 3);
    assert.equal((await held('6')).length, 5);
  });

  it('is that of the plan, and at least what the plan includes', async () => {
    const withPlan = async (plan: object) => {
      const name = 'Dedicated E5';
      const { request } = await openFixture({ plans: [{ name, price: '1.00', cycle: 'monthly', ...plan }] });
      return request;
    };
    const generous = await withPlan({ addressQuota: { ipv4: 40 } });
    assert.equal((await generous('ipv4', '/27')).status, 'Assigned');
    assert.equal((await generous('ipv4', '/29')).status, 'Pending');
    assert.equal((await generous('ipv6', '/64')).status, 'Assigned', 'the plan sets no quota for this family');
    const none = await withPlan({ addressQuota: { ipv4: 0, ipv6: 0 } });
    assert.equal((await none('ipv4', '/30')).status, 'Pending');
    assert.equal((await none('ipv6', '/64')).status, 'Pending');
    const including = await withPlan({ addresses: { included: 17, price: '1.00' } });
    assert.equal((await including('ipv4', '/28')).status, 'Assigned');
  });

  it('leaves the reserve of the pools to staff', async () => {
    const { app, request, held } = await openFixture({
      netblocks: [{ cidr: '198.18.4.0/26', pool: 'assign', delivery: 'routed' }],
      addressQuota: { ipv4: 1000, reserve: 25 },
    });
    assert.equal((await request('ipv4', '/27')).status, 'Assigned');
    assert.equal((await request('ipv4', '/28')).status, 'Assigned');
    const last = await request('ipv4', '/28');
    assert.equal(last.status, 'Pending');
    await operatorResult(app, 'POST', 'request/approve', { id: last.requestid });
    assert.equal((await held('4')).length, 4);
  });

  it('lets a service have only a few requests pending', async () => {
    const { send, requestMany } = await openFixture();
    const responses = await requestMany(20, 'ipv4', '/24');
    assert.equal(responses.filter(({ status }) => status === 200).length, 5);
    assertRejected(await send('ipv4', '/24'), 409);
  });

  it('is free again for others once the service is terminated', async () => {
    const { app, site, request, held } = await openFixture();
    const { netblock } = await request('ipv4', '/30');
    const services = site.services!.map((row) => (row.id === service.id ? { ...row, status: 'Terminated' } : row));
    await applySite(app.parts, { ...site, services } as Site);
    assert.ok(!(await held('4')).includes(netblock));
  });
});
