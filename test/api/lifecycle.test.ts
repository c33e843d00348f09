// Staff suspend and terminate services whose customers have work in progress: the command is accepted at once, outranks that
// work, and the customer can start nothing new.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { termsOf } from '#app/billing/plan-terms.ts';
import { resumeAccount, suspendAccount } from '#app/billing/suspension.ts';
import { setServiceTerms } from '#app/billing/terms.ts';
import { portLockName } from '#equipment/ports.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { termsInsert, termsOfService } from '#store/billing/service-terms.ts';
import { deviceLockAcquire, deviceLockRelease } from '#store/devices/device-locks.ts';
import { netblockRequestInsert } from '#store/network/netblock-requests.ts';
import { portsOfService } from '#store/network/switches.ts';
import { serviceTerminate } from '#store/operator/operator-services.ts';
import type { Queries } from '#store/store.ts';
import { workflowLoad } from '#store/work/workflows.ts';
import type { AccountId } from '#store/account-id.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { done, workflow } from '#workflows/engine/workflow.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { request, requestResult, type ErrorResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { callDuring, untilWaitedFor } from '#test/support/concurrent-calls.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { until } from '#test/support/until.ts';

interface ServiceDetails {
  readonly status: string;
  readonly hostname: string;
  readonly work: readonly string[];
  readonly suspension: string;
}

describeOnEngines("staff commands during a customer's work", ({ engine, openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'], worksOffJobs: true })));

  const getService = (id: string) => operatorResult<ServiceDetails>(app, 'GET', `service/${id}`);
  const waitForStatus = (id: string, status: string) =>
    until(async () => (await getService(id)).status === status, { saw: () => getService(id) });
  const orderLicence = (service: string, license: string) =>
    requestResult(app, 'POST', '/software/order', {
      key: app.lab.customer.key,
      params: { service, type: license.startsWith('VPS') ? 'VPS' : 'Dedicated', license },
    });

  test('a licence order that waits for its key delays neither suspension nor termination', async () => {
    const { service } = app.lab.cloud;
    await orderLicence(service, 'VPS_PANEL1');
    await operatorResult(app, 'POST', 'service/suspend', { id: service, reason: 'Abuse', how: 'nothing' });
    await waitForStatus(service, 'Suspended');
    assert.deepEqual((await getService(service)).work, ['licence-order']);
    await operatorResult(app, 'POST', 'service/resume', { id: service });
    await waitForStatus(service, 'Active');
    const { hostname } = await getService(service);
    await operatorResult(app, 'DELETE', 'service', { id: service, hostname, how: 'nothing' });
    await waitForStatus(service, 'Terminated');
    assert.deepEqual((await getService(service)).work, []);
  });

  test('a reinstall is rolled back before the machine is switched off', async () => {
    const { service, vmid } = app.lab.vps;
    const { key } = app.lab.customer;
    await requestResult(app, 'POST', '/vps/reinstall', { key, params: { vmid, template: 'debian-12' } });
    await operatorResult(app, 'POST', 'service/suspend', { id: service, reason: 'Abuse', how: 'power' });
    const start = await request<{ result: ErrorResult }>(app, 'POST', '/v2/device/power', {
      key,
      params: { service, action: 'on' },
    });
    assert.equal(start.body.result.code, 'service_suspended');
    await waitForStatus(service, 'Suspended');
    const actions = await requestResult<{ operation: string; status: string }[]>(app, 'GET', '/v2/action', {
      key,
      params: { service },
    });
    assert.equal(actions.find(({ operation }) => operation === 'legacy.vpsReinstall')?.status, 'Cancelled');
    assert.equal(app.equipment.hypervisor.simulator.machines.get(`vm-${vmid}`)?.state.power, 'off');
  });

  test('a command that waited for its turn is rejected if the service was suspended in that time', async () => {
    const { service, server } = app.lab.dedicated;
    const { queries } = app.parts.store;
    const lock = { device: server, holder: 'test', purpose: 'a test', held_until: app.parts.clock.now() + 60_000 };
    assert.ok(await deviceLockAcquire(queries, lock, app.parts.clock.now()));
    const waiting = request<{ result: ErrorResult }>(app, 'POST', '/v2/device/power', {
      key: app.lab.customer.key,
      params: { service, action: 'on' },
    });
    const entries = queries.selectFrom('audit').select('id').where('operation', '=', 'v2.devicePowerSet');
    const started = entries.where('outcome', '=', 'begun');
    await until(async () => (await started.execute()).length > 0);
    await operatorResult(app, 'POST', 'service/suspend', { id: service, reason: 'Abuse', how: 'nothing' });
    await deviceLockRelease(queries, server, 'test');
    assert.equal((await waiting).body.result.code, 'service_suspended');
    await waitForStatus(service, 'Suspended');
    await operatorResult(app, 'POST', 'service/resume', { id: service });
    await waitForStatus(service, 'Active');
  });

  test('a port is not switched off while a command of the customer to it is under way', async () => {
    const { service } = app.lab.dedicated;
    const { store, clock } = app.parts;
    const [port] = await portsOfService(store.queries, Number(app.lab.customer.account) as AccountId, Number(service));
    const lock = { device: portLockName(port!), holder: 'test', purpose: 'a test', held_until: clock.now() + 60_000 };
    assert.ok(await deviceLockAcquire(store.queries, lock, clock.now()));
    const { workflow: id } = await operatorResult<{ workflow: string }>(app, 'POST', 'service/suspend', {
      id: service,
      reason: 'Abuse',
      how: 'ports',
    });
    // It has counted no try since it began to wait.
    const isWaiting = async () => (await workflowLoad(store.queries, id))!.tries === 0;
    await until(async () => (await isWaiting()) || (await getService(service)).status === 'Suspended');
    assert.equal((await workflowLoad(store.queries, id))!.step, 'lock');
    await deviceLockRelease(store.queries, lock.device, 'test');
    await waitForStatus(service, 'Suspended');
    assert.equal(app.equipment.network.simulator.ports.get(port!.if_index)!.adminStatus, 'down');
    await operatorResult(app, 'POST', 'service/resume', { id: service });
    await waitForStatus(service, 'Active');
  });

  test('a payment does not resume a service that staff were suspending when its account was', async () => {
    const { service, server } = app.lab.dedicated;
    const { store, clock } = app.parts;
    const account = Number(app.lab.customer.account) as AccountId;
    const lock = { device: server, holder: 'test', purpose: 'a test', held_until: clock.now() + 60_000 };
    assert.ok(await deviceLockAcquire(store.queries, lock, clock.now()));
    await operatorResult(app, 'POST', 'service/suspend', { id: service, reason: 'Abuse', how: 'nothing' });
    await store.transaction((queries) => suspendAccount(app.parts, queries, account, 'INV-1'));
    await deviceLockRelease(store.queries, server, 'test');
    await until(async () => (await getService(service)).work.length === 0);
    await store.transaction((queries) => resumeAccount(app.parts, queries, account));
    assert.equal((await getService(service)).status, 'Suspended');
    assert.equal((await getService('1002')).status, 'Active');
    await operatorResult(app, 'POST', 'service/resume', { id: service });
    await waitForStatus(service, 'Active');
  });

  test('staff suspend a service that is suspended for an unpaid invoice, and no payment resumes it', async () => {
    const { service } = app.lab.dedicated;
    const { store } = app.parts;
    const account = Number(app.lab.customer.account) as AccountId;
    await store.transaction((queries) => suspendAccount(app.parts, queries, account, 'INV-2'));
    const suspension = { id: service, reason: 'Abuse', how: 'power' };
    await operatorResult(app, 'POST', 'service/suspend', suspension);
    await until(async () => (await getService(service)).suspension === 'Abuse');
    assert.equal((await asOperator(app, 'POST', 'service/suspend', suspension)).status, 409);
    await store.transaction((queries) => resumeAccount(app.parts, queries, account));
    assert.equal((await getService(service)).status, 'Suspended');
    await operatorResult(app, 'POST', 'service/resume', { id: service });
    await waitForStatus(service, 'Active');
  });

  test('a termination outranks a suspension that is still waiting for the device', async () => {
    const service = '1002';
    const { queries } = app.parts.store;
    const lock = {
      device: 'dc01r01ds02-01',
      holder: 'test',
      purpose: 'a test',
      held_until: app.parts.clock.now() + 60_000,
    };
    assert.ok(await deviceLockAcquire(queries, lock, app.parts.clock.now()));
    await operatorResult(app, 'POST', 'service/suspend', { id: service, reason: 'Abuse', how: 'nothing' });
    const { hostname } = await getService(service);
    const { workflow: id } = await operatorResult<{ workflow: string }>(app, 'DELETE', 'service', {
      id: service,
      hostname,
      how: 'nothing',
    });
    await until(async () => (await getService(service)).work.join() === 'service-terminate');
    await deviceLockRelease(queries, lock.device, 'test');
    await waitForStatus(service, 'Terminated');
    assert.equal((await operatorResult<{ status: string }>(app, 'GET', `workflow/${id}`)).status, 'Completed');
  });

  // SQLite has one writer at a time.
  if (engine === 'postgres')
    test('an address request is not approved while its service is terminated', async () => {
      const { store, clock } = app.parts;
      const account = Number(app.lab.stranger.account) as AccountId;
      const service = Number(app.lab.stranger.service);
      const request = { account_id: account, service_id: service, family: 'ipv4', prefix_length: 32 } as const;
      const pending = { ...request, status: 'Pending', cidr: '', created_at: clock.now() } as const;
      const id = await netblockRequestInsert(store.queries, pending);
      const end = (queries: Queries) => serviceTerminate(queries, service);
      const { status } = await callDuring(store, end, () => asOperator(app, 'POST', 'request/approve', { id }));
      assert.equal(status, 409);
    });

  if (engine === 'postgres')
    test('a service whose price changes while it is terminated is not billed any more', async () => {
      const { service } = app.lab.vps;
      const { store, clock } = app.parts;
      const account = Number(app.lab.customer.account) as AccountId;
      const find = (queries: Queries) => termsOfService(queries, account, Number(service));
      const none = { start: undefined, until: undefined, billDay: undefined };
      const priced = (price: string) => {
        const terms = termsOf({ name: 'VPS', price, cycle: 'monthly' });
        return { ...none, terms, setupCents: 0, now: clock.now(), origin: 'order' } as const;
      };
      await store.transaction((queries) => setServiceTerms(queries, account, Number(service), priced('10.00')));
      const { hostname } = await getService(service);
      await store.transaction(async (queries) => {
        await billingAccountLock(queries, account);
        const before = new Map([[`${account} ${service}`, await find(queries)]]);
        await operatorResult(app, 'DELETE', 'service', { id: service, hostname, how: 'nothing' });
        await untilWaitedFor(store, queries, async () => (await getService(service)).status === 'Terminated');
        const known = { terms: before, calendars: new Map(), added: [] };
        await setServiceTerms(queries, account, Number(service), priced('12.00'), known);
        await termsInsert(queries, known.added);
      });
      await waitForStatus(service, 'Terminated');
      const terms = await find(store.queries);
      assert.deepEqual(
        terms.slice(-2).map(({ price_cents, until_day }) => [price_cents, until_day !== null]),
        [
          [1000, true],
          [1200, true],
        ],
      );
    });

  test('a termination waits for other work for a while only', async () => {
    const { service } = app.lab.dedicated;
    const account = Number(app.lab.customer.account) as AccountId;
    const endless = workflow<object, object>('of-another-version', 1).step('wait', {
      do: async () => done(),
      undo: 'nothing',
    });
    const start = { account, service: Number(service), operation: 'test', input: {} };
    await app.parts.store.transaction((queries) => startWorkflow(app.parts, queries, endless, start));
    const { hostname } = await getService(service);
    await operatorResult(app, 'DELETE', 'service', { id: service, hostname, how: 'nothing' });
    const again = await asOperator<ErrorResult>(app, 'DELETE', 'service', { id: service, hostname, how: 'nothing' });
    assert.equal(again.body.result.code, 'state_conflict');
    assert.deepEqual((await getService(service)).work, ['of-another-version', 'service-terminate']);
    app.pass(20 * 60_000);
    await waitForStatus(service, 'Terminated');
  });
});
