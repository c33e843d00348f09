// Calls every changing endpoint of the customer APIs that acts on a service while the provider restricts that service, its device
// or its account: each is rejected for that reason, and nothing changes. The contract says which endpoints act on a service and
// which ignore a restriction, so a new one is covered the day it is declared.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { effectOf, isReading } from '#contract/endpoint.ts';
import { isPermission } from '#contract/roles.ts';
import { worksWhileSuspended } from '#contract/scopes.ts';
import type { Service } from '#store/devices/services.ts';
import type { ServiceStatus } from '#store/devices/tables.ts';
import type { AccountId } from '#store/account-id.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { serviceSuspend } from '#workflows/service/service-suspend.ts';
import { serviceTerminate } from '#workflows/service/service-terminate.ts';
import { createAccountFixtures, inputs, isPersonal, type AccountFixtures } from '#test/support/account-fixtures.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { changingExample, type Example } from '#test/support/examples.ts';
import { resourceOf, type ResourceKind } from '#test/support/resource-parameters.ts';
import { callRoute, routes, type Route } from '#test/support/routes.ts';
import { changedTables, digestTables } from '#test/support/table-digests.ts';
import { until } from '#test/support/until.ts';
import { request } from '#test/support/request.ts';

const ofServices = new Set<ResourceKind | undefined>(['service', 'server', 'machine', 'port', 'address']);

const mutations = routes.filter(
  ({ operation, endpoint }) =>
    operation.api !== 'operator' && effectOf(endpoint) !== 'none' && endpoint.access !== 'public',
);
/** To limit people and keys to `services` changes no service; plans and cancellations are matters of the account. */
const onServices = mutations.filter(
  ({ endpoint }) =>
    endpoint.access !== 'account:write' &&
    Object.entries(endpoint.params).some(
      ([name, schema]) => name !== 'services' && ofServices.has(resourceOf(endpoint, name, schema)),
    ),
);
/** Not those that only a session can call, which have no scope. */
const whileSuspended = mutations.filter(
  (route) =>
    !isPersonal(route) &&
    route.endpoint.access !== 'any' &&
    !isPermission(route.endpoint.access as never) &&
    !worksWhileSuspended(route.endpoint.access as never),
);

describeOnEngines('a customer', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let fixtures: AccountFixtures;
  let account: AccountId;
  let services: Service[];

  before(async () => {
    app = await openApp({ site: { webhooks: { allow: ['127.0.0.0/8'] } } });
    account = Number(app.lab.customer.account) as AccountId;
    const { queries } = app.parts.store;
    // So that the account has one machine, which need not be named.
    const gone = Number(app.lab.cloud.service);
    await queries.updateTable('services').set({ status: 'Terminated' }).where('id', '=', gone).execute();
    fixtures = await createAccountFixtures(app, app.lab.customer.key);
    const usable = queries.selectFrom('services').selectAll().where('account_id', '=', account);
    services = await usable.where('status', '=', 'Active').execute();
    assert.ok(services.length >= 3);
  });

  /** Calls each route with every input that changes something. At least one must be rejected for the reason. */
  async function assertRejected(rejected: readonly Route[], ...codes: readonly string[]): Promise<void> {
    assert.ok(rejected.length > 10);
    const options = { key: app.lab.customer.key, headers: { accept: 'application/problem+json' } };
    const untouched = await digestTables(app.parts);
    const problems: string[] = [];
    for (const route of rejected) {
      const responses = await Promise.all(
        inputsOf(route).map((input) => callRoute(app, route, input, 'json', options)),
      );
      const isRejected = responses.every(({ status }) => status >= 400 && status < 500);
      const isForTheReason = responses.some(({ body }) => codes.includes(String(body['code'])));
      if (!isRejected || !isForTheReason)
        problems.push(`${route.label}: ${responses.map(({ status, text }) => `${status} ${text}`).join(' ')}`);
    }
    assert.deepEqual(problems, []);
    assert.deepEqual(changedTables(untouched, await digestTables(app.parts)), []);
  }

  function inputsOf(route: Route): Example[] {
    const { cloud } = app.lab;
    const changing = inputs(route, fixtures, app.lab)
      .filter((input) => !isReading(route.endpoint, input))
      // The machine is terminated here; a server has a drive, too.
      .map((input) => (input['service'] === cloud.service ? { ...input, service: '1002' } : input));
    return changing.length > 0 ? changing : [changingExample(route.endpoint)];
  }

  async function setStatus(status: ServiceStatus): Promise<void> {
    const ended = status === 'Terminated' ? { server: null } : {};
    for (const { id } of services)
      await app.parts.store.queries
        .updateTable('services')
        .set({ status, ...ended })
        .where('id', '=', id)
        .execute();
  }

  test('changes nothing of a suspended service', async () => {
    await setStatus('Suspended');
    try {
      await assertRejected(onServices, 'service_suspended');
    } finally {
      await setStatus('Active');
    }
  });

  for (const [state, workflow, code] of [
    ['suspended', serviceSuspend, 'service_suspended'],
    ['terminated', serviceTerminate, 'state_conflict'],
  ] as const)
    test(`changes nothing of a service that is about to be ${state}`, async () => {
      const { queries } = app.parts.store;
      for (const { id } of services) {
        const start = { account, service: id, operation: 'sweep', input: {} as never };
        await app.parts.store.transaction((inside) => startWorkflow(app.parts, inside, workflow, start));
      }
      try {
        await assertRejected(onServices, code);
      } finally {
        await queries.updateTable('workflows').set({ ended_at: 1 }).where('name', '=', workflow.name).execute();
      }
    });

  for (const kind of ['locked', 'maintenance'] as const)
    test(`changes nothing of a device that is ${kind === 'locked' ? kind : 'under maintenance'}`, async () => {
      const { queries } = app.parts.store;
      const devices = services.map(({ server, vmid }) => server ?? `vm-${vmid}`);
      const hold = { kind, reason: 'a sweep', operator: 'sweep', since: 0 };
      await queries
        .insertInto('device_holds')
        .values(devices.map((device) => ({ device, ...hold })))
        .execute();
      const affected = onServices.filter(({ endpoint }) => endpoint.ignoresHold !== true);
      try {
        await assertRejected(affected, 'device_held');
      } finally {
        await queries.deleteFrom('device_holds').execute();
      }
    });

  // These two come last, because there is no way back from the first.
  test('changes nothing of a terminated service', async () => {
    await setStatus('Terminated');
    await assertRejected(onServices, 'service_terminated', 'not_found');
  });

  test('changes nothing of any service of a suspended account', async () => {
    const { queries } = app.parts.store;
    await queries.updateTable('accounts').set({ status: 'Suspended' }).where('id', '=', account).execute();
    const probe = { key: app.lab.customer.key, params: { service: app.lab.dedicated.service, action: 'on' } };
    await until(async () => (await request(app, 'POST', '/v2/device/power', probe)).status === 403);
    assert.ok(onServices.every((route) => whileSuspended.includes(route)));
    await assertRejected(whileSuspended, 'account_suspended');
  });
});
