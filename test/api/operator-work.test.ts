// What waits for the provider's staff: requests for addresses, work that does not go on, billing runs, null-routes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Static } from 'typebox';
import type { Fleet as FleetShape, OperatorNetblock, Rack as RackShape } from '#contract/operator/fleet.ts';
import { applySite } from '#app/site/apply.ts';
import { workflowEnd } from '#store/work/workflows.ts';
import { failedJob } from '#test/support/failed-job.ts';
import { readStream } from '#test/support/event-stream.ts';
import { networkCalls, type NetworkCalls } from '#test/support/network.ts';
import { asOperator, operated, type Refusal } from '#test/support/operators.ts';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

interface Request {
  id: string;
  status: string;
  netblock: string;
  size: string;
  reason: string;
}
interface Workflow {
  id: string;
  account: string;
  name: string;
  status: string;
  steps: { name: string; state: string }[];
}
interface Nullroute {
  ip: string;
  account: string;
  origin: string;
  reason: string;
  ends: string;
  state: string;
}
type Fleet = Static<typeof FleetShape>;
type Rack = Static<typeof RackShape>;
type Netblock = Static<typeof OperatorNetblock>;
const [minuteMs, dayMs] = [60_000, 86_400_000];

for (const { engine, suite, start } of engines) {
  describe(`what waits for operators on ${engine}`, suite, () => {
    let running: Awaited<ReturnType<typeof start>>;
    let yard: TestYard;
    let calls: NetworkCalls;
    before(async () => {
      running = await start();
      yard = await openTestYard({ ...(await running.newDatabase()), trustedProxies: ['127.0.0.1'] });
      calls = networkCalls(yard);
    });
    after(async () => {
      await yard?.[Symbol.asyncDispose]();
      await running?.[Symbol.asyncDispose]();
    });
    const refused = async (...call: Parameters<typeof asOperator>) => {
      const { status, body } = await asOperator<Refusal>(...call);
      return [status, body.result.code];
    };

    const told = async (type: string) => (await calls.events(type)).map(({ data }) => data);

    test('is told of when something has changed, and nothing of it is kept', async () => {
      const { key } = yard.lab.operator;
      await using reader = await readStream<{ number: string }>(yard, '/operator/change', { key });
      assert.equal(reader.status, 200);
      const made = await request(yard, 'POST', '/v2/account/key', {
        key: yard.lab.customer.key,
        params: { name: 'change', scopes: ['event:read'] },
      });
      assert.equal(made.status, 200);
      const [one, other] = await reader.take(2);
      assert.ok(Number(other!.data.number) > Number(one!.data.number));
      const kept = await request<{ result: unknown[] }>(yard, 'GET', '/operator/change', { key });
      assert.deepEqual(kept.body.result, []);
    });

    test('a request for addresses is approved or refused, once', async () => {
      const netblocks = yard.site.netblocks!.map((block) =>
        block.pool === undefined ? block : { ...block, pool: 'ask' as const },
      );
      await applySite(yard.parts, { ...yard.site, netblocks });
      const ask = async (size: string) =>
        (await calls.legacy('/network/request', { type: 'ipv4', size })).body.result as { requestid: string };
      const [wanted, unwanted] = [await ask('/29'), await ask('/24')];
      const waiting = await operated<Request[]>(yard, 'GET', 'request', { status: 'Pending' });
      assert.deepEqual(
        waiting.map(({ id, size }) => [id, size]),
        [
          [unwanted.requestid, '/24'],
          [wanted.requestid, '/29'],
        ],
      );

      const approved = await operated<Request>(yard, 'POST', 'request/approve', { id: wanted.requestid });
      assert.deepEqual([approved.status, approved.netblock], ['Assigned', '198.18.4.0/29']);
      assert.deepEqual(await told('network.netblock.assigned'), [{ netblock: '198.18.4.0/29' }]);
      assert.deepEqual(await refused(yard, 'POST', 'request/approve', { id: wanted.requestid }), [
        409,
        'state_conflict',
      ]);

      const reason = 'A /24 needs a plan first.';
      await operated(yard, 'POST', 'request/refuse', { id: unwanted.requestid, reason });
      assert.deepEqual(await told('network.netblock.refused'), [
        { requestid: unwanted.requestid, size: '/24', reason },
      ]);
      assert.deepEqual(await refused(yard, 'POST', 'request/approve', { id: unwanted.requestid }), [
        409,
        'state_conflict',
      ]);
      assert.deepEqual(await refused(yard, 'POST', 'request/approve', { id: 987_654 }), [404, 'not_found']);
      assert.deepEqual(await operated(yard, 'GET', 'request', { status: 'Pending' }), []);
    });

    test('a billing run is looked at, then started once; its workflows are tried again and given up', async () => {
      yard.pass(40 * dayMs);
      const due = await operated<{ account: string; before: string; now: string; differences: string[] }[]>(
        yard,
        'GET',
        'billing/run',
      );
      const ada = due.find(({ account }) => account === yard.lab.customer.account)!;
      assert.match(ada.now, /^[0-9]+\.[0-9]{2}$/);
      assert.ok(ada.differences.length > 0, JSON.stringify(ada));
      assert.deepEqual(await operated(yard, 'GET', 'billing/run', { after: due.at(-1)!.account }), []);

      const { started } = await operated<{ started: string }>(yard, 'POST', 'billing/run');
      assert.ok(Number(started) >= due.length, started);
      assert.deepEqual(await operated(yard, 'POST', 'billing/run'), { started: '0' }, 'each has one under way');

      const runs = await operated<Workflow[]>(yard, 'GET', 'workflow', { name: 'billing-run' });
      assert.equal(runs.length, Number(started));
      const one = runs[0]!.id;
      const { status, steps } = await operated<Workflow>(yard, 'GET', `workflow/${one}`);
      assert.equal(status, 'Queued');
      assert.equal(steps[0]!.state, 'under way');
      await operated(yard, 'POST', 'workflow/retry', { id: one });
      await operated(yard, 'POST', 'workflow/unwind', { id: one });

      await workflowEnd(yard.parts.store.queries, one, { status: 'Cancelled', at: yard.parts.clock.now() });
      assert.deepEqual(await refused(yard, 'POST', 'workflow/retry', { id: one }), [409, 'state_conflict']);
      assert.deepEqual(await refused(yard, 'POST', 'workflow/unwind', { id: one }), [409, 'state_conflict']);
      assert.deepEqual(await refused(yard, 'GET', 'workflow/aaaaaaaaaaaaaaaa'), [404, 'not_found']);
    });

    test('a job that failed for good is shown with its reason, and tried again', async () => {
      const id = await failedJob(yard.parts);
      const failed = await operated<{ id: string; kind: string; error: string }[]>(yard, 'GET', 'job');
      assert.deepEqual(
        failed.map((job) => [job.id, job.kind, job.error]),
        [[id, 'hopeless', 'Error: it cannot be done']],
      );
      assert.equal(await operated(yard, 'POST', 'job/retry', { id }), 'Job Retried');
      assert.deepEqual(await refused(yard, 'POST', 'job/retry', { id: '987654' }), [404, 'not_found']);
    });

    test('an address of a customer is null-routed for a while, and no other', async () => {
      const { customer, dedicated } = yard.lab;
      const ip = dedicated.ips[0]!;
      const made = await operated(yard, 'POST', 'nullroute', { ip, reason: 'Complaint 17', minutes: 5 });
      assert.equal(made, 'Null-routed');
      const [shown] = await operated<Nullroute[]>(yard, 'GET', 'nullroute');
      assert.deepEqual(
        [shown!.ip, shown!.account, shown!.origin, shown!.reason, shown!.state],
        [ip, customer.account, 'operator', 'Complaint 17', 'Active'],
      );
      assert.equal(Date.parse(`${shown!.ends.replace(' ', 'T')}Z`) - yard.parts.clock.now() <= 5 * minuteMs, true);
      assert.deepEqual(await refused(yard, 'POST', 'nullroute', { ip: '192.0.2.77', reason: 'Not ours' }), [
        404,
        'not_found',
      ]);
      assert.equal(await operated(yard, 'DELETE', 'nullroute', { ip }), 'Null-route Removed');
      assert.deepEqual(await operated(yard, 'GET', 'nullroute'), []);
      assert.deepEqual(await refused(yard, 'DELETE', 'nullroute', { ip }), [404, 'not_found']);
    });

    test('what does not answer, and what is held, stands in the fleet and in its rack', async () => {
      const { queries } = yard.parts.store;
      const name = yard.lab.dedicated.server;
      const seen = { power_state: 'on', power_seen_at: 86_400_000, power_error: 'no answer' } as const;
      await queries.updateTable('servers').set(seen).where('name', '=', name).execute();
      await operated(yard, 'POST', 'device/lock', { device: name, reason: 'Fan' });
      const { equipment, silent, held, reconcilers } = await operated<Fleet>(yard, 'GET', 'fleet');
      assert.deepEqual(equipment[0], { kind: 'server', total: String(yard.site.servers!.length), silent: '1' });
      const [error, at] = ['no answer', '1970-01-02 00:00:00'];
      assert.deepEqual(silent, [{ kind: 'server', name, error, seen: at }]);
      assert.deepEqual(
        held.map(({ device, kind, reason, operator }) => [device, kind, reason, operator]),
        [[name, 'locked', 'Fan', 'lab']],
      );
      assert.ok(reconcilers.every(({ state }) => ['well', 'late', 'failed'].includes(state)));
      const racks = await operated<Rack[]>(yard, 'GET', 'rack');
      const { rack, unit, height } = yard.site.servers!.find((server) => server.name === name)!;
      assert.deepEqual(
        racks.find((one) => one.name === rack)!.mounts.find((mount) => mount.name === name),
        { kind: 'server', name, unit: String(unit), height: String(height), state: 'silent', error, seen: at },
      );
      await operated(yard, 'DELETE', 'device/lock', { device: name });
      await queries.updateTable('servers').set({ power_error: null }).where('name', '=', name).execute();
      assert.deepEqual((await operated<Fleet>(yard, 'GET', 'fleet')).silent, []);
    });

    test('the plan of addresses is read page by page, each block after the one that it lies in', async () => {
      const whole = await operated<Netblock[]>(yard, 'GET', 'netblock', { limit: 1000 });
      const pages: Netblock[] = [];
      for (let after: string | undefined; pages.length < whole.length; after = pages.at(-1)!.cidr) {
        const page = await operated<Netblock[]>(yard, 'GET', 'netblock', { limit: 3, ...(after && { after }) });
        assert.ok(page.length > 0);
        pages.push(...page);
      }
      assert.deepEqual(pages, whole);
      const one = whole.find(({ cidr }) => cidr === `${yard.lab.dedicated.ips[0]}/32`)!;
      assert.deepEqual(
        [one.within, one.account, one.service, one.used, one.free],
        ['203.0.113.0/24', yard.lab.customer.account, yard.lab.dedicated.service, '100.00', ''],
      );
      const cidrs = whole.map(({ cidr }) => cidr);
      for (const { cidr, within } of whole)
        if (within !== '') assert.ok(cidrs.indexOf(within) < cidrs.indexOf(cidr), cidr);
      assert.deepEqual(await operated(yard, 'GET', 'netblock', { after: '192.0.2.0/24' }), []);
    });
  });
}
