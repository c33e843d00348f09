// What waits for staff: address requests, stuck workflows, billing runs, null-routes.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Static } from 'typebox';
import type { Fleet as FleetShape, OperatorNetblock, Rack as RackShape } from '#contract/operator/fleet.ts';
import { applySite } from '#app/site/apply.ts';
import { workflowEnd } from '#store/work/workflows.ts';
import type { WorkflowDetail, OperatorNullroute, AddressRequest } from '#sdk/operator.ts';
import { createFailedJob } from '#test/support/failed-job.ts';
import { readStream } from '#test/support/event-stream.ts';
import { networkCalls, type NetworkCalls } from '#test/support/network.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { createKey, requestResult, type ErrorResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

type Fleet = Static<typeof FleetShape>;
type Rack = Static<typeof RackShape>;
type Netblock = Static<typeof OperatorNetblock>;
const [minuteMs, dayMs] = [60_000, 86_400_000];

describeOnEngines('work that waits for operators', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let calls: NetworkCalls;
  before(async () => {
    app = await openApp({ trustedProxies: ['127.0.0.1'] });
    calls = networkCalls(app);
  });
  const rejection = async (...call: Parameters<typeof asOperator>) => {
    const { status, body } = await asOperator<ErrorResult>(...call);
    return [status, body.result.code];
  };

  const eventData = async (type: string) => (await calls.events(type)).map(({ data }) => data);

  test('is announced when something has changed, and nothing of it is stored', async () => {
    const { key } = app.lab.operator;
    await using reader = await readStream<{ number: string }>(app, '/operator/change', { key });
    assert.equal(reader.status, 200);
    await createKey(app, app.lab.customer.key, { scopes: ['event:read'] });
    const [first, second] = await reader.take(2);
    assert.ok(Number(second!.data.number) > Number(first!.data.number));
    const stored = await requestResult<unknown[]>(app, 'GET', '/operator/change', { key });
    assert.deepEqual(stored, []);
  });

  test('an address request is approved or rejected, once', async () => {
    const netblocks = app.site.netblocks!.map((block) =>
      block.pool === undefined ? block : { ...block, pool: 'ask' as const },
    );
    await applySite(app.parts, { ...app.site, netblocks });
    const requestNetblock = async (size: string) =>
      (await calls.legacy('/network/request', { type: 'ipv4', size })).body.result as { requestid: string };
    const [acceptable, excessive] = [await requestNetblock('/29'), await requestNetblock('/24')];
    const waiting = await operatorResult<AddressRequest[]>(app, 'GET', 'request', { status: 'Pending' });
    assert.deepEqual(
      waiting.map(({ id, size }) => [id, size]),
      [
        [excessive.requestid, '/24'],
        [acceptable.requestid, '/29'],
      ],
    );

    const approved = await operatorResult<AddressRequest>(app, 'POST', 'request/approve', { id: acceptable.requestid });
    assert.deepEqual([approved.status, approved.netblock], ['Assigned', '198.18.4.8/29']);
    assert.deepEqual(await eventData('network.netblock.assigned'), [{ netblock: '198.18.4.8/29' }]);
    assert.deepEqual(await rejection(app, 'POST', 'request/approve', { id: acceptable.requestid }), [
      409,
      'state_conflict',
    ]);

    const reason = 'A /24 needs a plan first.';
    await operatorResult(app, 'POST', 'request/refuse', { id: excessive.requestid, reason });
    assert.deepEqual(await eventData('network.netblock.refused'), [
      { requestid: excessive.requestid, size: '/24', reason },
    ]);
    assert.deepEqual(await rejection(app, 'POST', 'request/approve', { id: excessive.requestid }), [
      409,
      'state_conflict',
    ]);
    assert.deepEqual(await rejection(app, 'POST', 'request/approve', { id: 987_654 }), [404, 'not_found']);
    assert.deepEqual(await operatorResult(app, 'GET', 'request', { status: 'Pending' }), []);
  });

  test('a billing run is previewed, then started once; its workflows are retried and cancelled', async () => {
    app.pass(40 * dayMs);
    const due = await operatorResult<{ account: string; before: string; now: string; differences: string[] }[]>(
      app,
      'GET',
      'billing/run',
    );
    const ada = due.find(({ account }) => account === app.lab.customer.account)!;
    assert.match(ada.now, /^[0-9]+\.[0-9]{2}$/);
    assert.ok(ada.differences.length > 0, JSON.stringify(ada));
    assert.deepEqual(await operatorResult(app, 'GET', 'billing/run', { after: due.at(-1)!.account }), []);

    const { started } = await operatorResult<{ started: string }>(app, 'POST', 'billing/run');
    assert.ok(Number(started) >= due.length, started);
    assert.deepEqual(await operatorResult(app, 'POST', 'billing/run'), { started: '0' }, 'each has one running');

    const runs = await operatorResult<WorkflowDetail[]>(app, 'GET', 'workflow', { name: 'billing-run' });
    assert.equal(runs.length, Number(started));
    const id = runs[0]!.id;
    const { status, steps } = await operatorResult<WorkflowDetail>(app, 'GET', `workflow/${id}`);
    assert.equal(status, 'Queued');
    assert.equal(steps[0]!.state, 'under way');
    await operatorResult(app, 'POST', 'workflow/retry', { id });
    await operatorResult(app, 'POST', 'workflow/unwind', { id });

    await workflowEnd(app.parts.store.queries, id, { status: 'Cancelled', at: app.parts.clock.now() });
    assert.deepEqual(await rejection(app, 'POST', 'workflow/retry', { id }), [409, 'state_conflict']);
    assert.deepEqual(await rejection(app, 'POST', 'workflow/unwind', { id }), [409, 'state_conflict']);
    assert.deepEqual(await rejection(app, 'GET', 'workflow/aaaaaaaaaaaaaaaa'), [404, 'not_found']);
  });

  test('a failed job is shown with its reason, and retried', async () => {
    const id = await createFailedJob(app.parts);
    const failed = await operatorResult<{ id: string; kind: string; error: string }[]>(app, 'GET', 'job');
    assert.deepEqual(
      failed.map((job) => [job.id, job.kind, job.error]),
      [[id, 'hopeless', 'Error: it cannot be done']],
    );
    assert.equal(await operatorResult(app, 'POST', 'job/retry', { id }), 'Job Retried');
    assert.deepEqual(await rejection(app, 'POST', 'job/retry', { id: '987654' }), [404, 'not_found']);
  });

  test("a customer's address is null-routed for a while, and no other", async () => {
    const { customer, dedicated } = app.lab;
    const ip = dedicated.ips[0]!;
    const nullroute = await operatorResult(app, 'POST', 'nullroute', { ip, reason: 'Complaint 17', minutes: 5 });
    assert.equal(nullroute, 'Null-routed');
    const [listed] = await operatorResult<OperatorNullroute[]>(app, 'GET', 'nullroute');
    assert.deepEqual(
      [listed!.ip, listed!.account, listed!.origin, listed!.reason, listed!.state],
      [ip, customer.account, 'operator', 'Complaint 17', 'Active'],
    );
    assert.equal(Date.parse(`${listed!.ends.replace(' ', 'T')}Z`) - app.parts.clock.now() <= 5 * minuteMs, true);
    assert.deepEqual(await rejection(app, 'POST', 'nullroute', { ip: '192.0.2.77', reason: 'Not ours' }), [
      404,
      'not_found',
    ]);
    assert.equal(await operatorResult(app, 'DELETE', 'nullroute', { ip }), 'Null-route Removed');
    assert.deepEqual(await operatorResult(app, 'GET', 'nullroute'), []);
    assert.deepEqual(await rejection(app, 'DELETE', 'nullroute', { ip }), [404, 'not_found']);
  });

  test('unreachable and restricted equipment is in the fleet and in its rack', async () => {
    const { queries } = app.parts.store;
    const name = app.lab.dedicated.server;
    const observation = { power_state: 'on', power_seen_at: 86_400_000, power_error: 'no answer' } as const;
    await queries.updateTable('servers').set(observation).where('name', '=', name).execute();
    await operatorResult(app, 'POST', 'device/lock', { device: name, reason: 'Fan' });
    const { equipment, silent, held, reconcilers } = await operatorResult<Fleet>(app, 'GET', 'fleet');
    assert.deepEqual(equipment[0], { kind: 'server', total: String(app.site.servers!.length), silent: '1' });
    const [error, at] = ['no answer', '1970-01-02 00:00:00'];
    assert.deepEqual(silent, [{ kind: 'server', name, error, seen: at }]);
    assert.deepEqual(
      held.map(({ device, kind, reason, operator }) => [device, kind, reason, operator]),
      [[name, 'locked', 'Fan', 'lab']],
    );
    assert.ok(reconcilers.every(({ state }) => ['well', 'late', 'failed'].includes(state)));
    const racks = await operatorResult<Rack[]>(app, 'GET', 'rack');
    const { rack, unit, height } = app.site.servers!.find((server) => server.name === name)!;
    assert.deepEqual(
      racks.find((candidate) => candidate.name === rack)!.mounts.find((mount) => mount.name === name),
      { kind: 'server', name, unit: String(unit), height: String(height), state: 'silent', error, seen: at },
    );
    await operatorResult(app, 'DELETE', 'device/lock', { device: name });
    await queries.updateTable('servers').set({ power_error: null }).where('name', '=', name).execute();
    assert.deepEqual((await operatorResult<Fleet>(app, 'GET', 'fleet')).silent, []);
  });

  test('the list of IP blocks is read page by page, each block after the one that contains it', async () => {
    const all = await operatorResult<Netblock[]>(app, 'GET', 'netblock', { limit: 1000 });
    const pages: Netblock[] = [];
    for (let after: string | undefined; pages.length < all.length; after = pages.at(-1)!.cidr) {
      const page = await operatorResult<Netblock[]>(app, 'GET', 'netblock', { limit: 3, ...(after && { after }) });
      assert.ok(page.length > 0);
      pages.push(...page);
    }
    assert.deepEqual(pages, all);
    const block = all.find(({ cidr }) => cidr === `${app.lab.dedicated.ips[0]}/32`)!;
    assert.deepEqual(
      [block.within, block.account, block.service, block.used, block.free],
      ['203.0.113.0/24', app.lab.customer.account, app.lab.dedicated.service, '100.00', ''],
    );
    const cidrs = all.map(({ cidr }) => cidr);
    for (const { cidr, within } of all) if (within !== '') assert.ok(cidrs.indexOf(within) < cidrs.indexOf(cidr), cidr);
    // A block that is gone, or was never there.
    const following = await operatorResult<Netblock[]>(app, 'GET', 'netblock', { after: '203.0.112.0/24', limit: 1 });
    assert.deepEqual(following, all.slice(cidrs.indexOf('203.0.113.0/24')).slice(0, 1));
  });
});
