// Customers delete virtual machines and restore them within 72 hours, also if a hypervisor fails or a creation is not over.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { termsOf as planTerms } from '#app/billing/plan-terms.ts';
import { continueDeletions } from '#app/machines/deletion-work.ts';
import { createMachinePlanActions } from '#app/machines/resize.ts';
import { findTarget } from '#app/operator/service-states.ts';
import { dayMs, dayText, hourMs } from '#lib/time.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import type { AccountId } from '#store/account-id.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { machineFind } from '#store/devices/machines.ts';
import { serviceLoad } from '#store/devices/services.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { machineOrders, type Result } from '#test/support/machine-orders.ts';
import { operatorResult } from '#test/support/operators.ts';
import type { TestApp } from '#test/support/app.ts';
import { until } from '#test/support/until.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { machineDelete } from '#workflows/machine/machine-delete.ts';

const signal = (): AbortSignal => AbortSignal.timeout(60_000);

describeOnEngines('machines of customers', { postgres: 'in long runs' }, (suite) => {
  const orders = machineOrders(suite);
  const { call, result, create, find, untilStatus, created, machineOn, forget } = orders;
  let app: TestApp;
  before(() => void ({ app } = orders));

  const actionStatus = async (id: string) => (await result<Result<'actionGet'>>('GET', `/v2/action/${id}`)).status;
  /** Starts the deletion. */
  const remove = ({ service, hostname }: { service: string; hostname: string }) =>
    result<Result<'machineDelete'>>('DELETE', '/v2/machine', { service, hostname });
  const deleted = async (machine: { service: string; hostname: string }) => {
    const response = await remove(machine);
    await until(async () => (await actionStatus(response.action)) === 'Completed');
    return response;
  };
  const continueDeletion = () => continueDeletions(app.parts, signal());
  const untilGone = (vmid: string) =>
    until(async () => {
      await machineTidy(app.parts).run(signal());
      return machineOn(vmid) === undefined;
    });
  const termsOf = (service: string) => termsOfService(app.parts.store.queries, 1 as AccountId, Number(service));

  test('a deleted machine is off and not billed, and comes back with its disk and address', async () => {
    const machine = await created({ plan: 'Hourly' });
    const { service, hostname, vmid } = machine;
    const wrong = await call('DELETE', '/v2/machine', { service, hostname: 'other.example.net' });
    assert.deepEqual([wrong.status, wrong.body.result.code], [400, 'invalid_parameter']);
    await result('PUT', '/v2/machine/protection', { service, protection: 'enabled' });
    assert.equal((await find(service))?.protection, 'enabled');
    assert.equal((await call('DELETE', '/v2/machine', { service, hostname })).status, 409);
    await result('PUT', '/v2/machine/protection', { service, protection: 'disabled' });
    await machineSync(app.parts, async () => {}).run(signal());
    const { system } = machineOn(vmid)!;
    const { lastday, minimumto } = await deleted(machine);
    assert.deepEqual([lastday, minimumto], [dayText(app.parts.clock.now()), '']);
    assert.equal(machineOn(vmid)!.state.power, 'off');
    const entry = await find(service);
    assert.equal(entry?.status, 'Suspended');
    assert.notEqual(entry?.restorableto, '');
    const power = await call('POST', '/v2/device/power', { service, action: 'on' });
    assert.deepEqual([power.status, power.body.result.code], [403, 'service_suspended']);
    assert.match(power.body.result.message, /deleted/);
    assert.notEqual((await termsOf(service)).at(-1)!.until_day, null);
    app.pass(50 * hourMs);
    await continueDeletion();
    await result('POST', '/v2/machine/restore', { service });
    await until(() => machineOn(vmid)!.state.power === 'on');
    assert.equal(machineOn(vmid)!.system, system, 'it is the same machine');
    assert.equal((await find(service))?.status, 'Active');
    const last = (await termsOf(service)).at(-1)!;
    assert.deepEqual([(await termsOf(service)).length, last.plan, last.until_day], [2, 'Hourly', null]);
    await forget(machine);
  });

  test('a machine that was deleted before its power was known runs again when it is restored', async () => {
    const machine = await created({ plan: 'Hourly' });
    const { service, vmid } = machine;
    const { queries } = app.parts.store;
    await queries
      .updateTable('machines')
      .set({ power_state: null })
      .where('service_id', '=', Number(service))
      .execute();
    await deleted(machine);
    assert.equal(machineOn(vmid)!.state.power, 'off');
    await result('POST', '/v2/machine/restore', { service });
    await until(() => machineOn(vmid)!.state.power === 'on');
    await forget(machine);
  });

  test('a deleted machine is removed for good after 72 hours; its minimum term is still paid', async () => {
    const machine = await created({ plan: 'Year' });
    const { minimumto, lastday } = await deleted(machine);
    assert.ok(minimumto !== '' && lastday >= minimumto, `${minimumto} ${lastday}`);
    app.pass(71 * hourMs);
    await continueDeletion();
    assert.ok(machineOn(machine.vmid) !== undefined);
    app.pass(2 * hourMs);
    assert.equal((await call('POST', '/v2/machine/restore', { service: machine.service })).status, 409);
    await continueDeletion();
    await untilGone(machine.vmid);
    assert.equal(await find(machine.service), undefined);
    const last = (await termsOf(machine.service)).at(-1)!;
    assert.equal(dayText((last.until_day! - 1) * dayMs), lastday, 'the termination did not shorten it');
  });

  test('a deletion counts although the hypervisor is gone, and is completed when it is back', async () => {
    const machine = await created({ location: 'Frankfurt' });
    orders.nodes.fra1.setMalfunctions({ isDown: true });
    const { action } = await remove(machine);
    await until(async () => (await actionStatus(action)) === 'Failed');
    assert.equal((await find(machine.service))?.status, 'Suspended');
    orders.nodes.fra1.setMalfunctions({});
    // Longer than commands to a hypervisor that failed are held back.
    app.pass(30_000);
    await until(async () => {
      await continueDeletion();
      return machineOn(machine.vmid)!.state.power === 'off';
    });
    await forget(machine);
  });

  test('a machine whose creation ends after its deletion has begun is powered off', async () => {
    const machine = await created();
    const { queries } = app.parts.store;
    const service = (await serviceLoad(queries, Number(machine.service)))!;
    const target = await findTarget({ queries }, service, 'the deletion of the machine', 'power');
    const { account_id: account, id } = service;
    const input = { ...target, machine: null };
    const work = { account, service: id, operation: 'machine.deletion', input };
    await app.parts.store.transaction((inside) => startWorkflow(app.parts, inside, machineDelete, work));
    await until(() => machineOn(machine.vmid)?.state.power === 'off');
    const lock = () => deviceLockFind(queries, `vm-${machine.vmid}`, Date.now());
    await until(async () => (await lock()) === undefined);
    await forget(machine);
  });

  test('what a creation has left that could not be rolled back is removed after the deletion', async () => {
    orders.nodes.fra1.setMalfunctions({ crashesAt: 'power' });
    const machine = await create({ location: 'Frankfurt' });
    await until(() => machineOn(machine.vmid)?.state.power === 'on');
    const { action } = await remove(machine);
    await until(async () => (await actionStatus(action)) === 'Running');
    // Longer than a rollback may take.
    await until(async () => {
      app.pass(60_000);
      return (await actionStatus(action)) === 'Completed';
    });
    assert.equal(machineOn(machine.vmid)?.state.power, 'on');
    orders.nodes.fra1.setMalfunctions({});
    app.pass(30_000);
    await untilGone(machine.vmid);
    const row = await machineFind(app.parts.store.queries, Number(machine.service));
    assert.deepEqual([row?.state, row?.node, row?.untidy], ['pending', null, 0]);
    await result('POST', '/v2/machine/restore', { service: machine.service });
    await untilStatus(machine.service, 'Active');
    assert.equal(machineOn(machine.vmid)?.state.power, 'on');
    await forget(machine);
  });

  test('of two deletions at once one counts, and of two restorations', async () => {
    const machine = await created();
    const { service, hostname } = machine;
    const twice = (attempt: () => ReturnType<typeof call>) => Promise.all([attempt(), attempt()]);
    const deletions = await twice(() => call('DELETE', '/v2/machine', { service, hostname }));
    assert.deepEqual(deletions.map(({ status }) => status).toSorted(), [200, 403]);
    await until(() => machineOn(machine.vmid)!.state.power === 'off');
    await until(async () => {
      const [one] = await result<Result<'actionList'>>('GET', '/v2/action', { service, limit: 1 });
      return one?.status === 'Completed';
    });
    const restorations = await twice(() => call('POST', '/v2/machine/restore', { service }));
    assert.deepEqual(restorations.map(({ status }) => status).toSorted(), [200, 409]);
    await forget(machine);
  });

  test('a cancellation is not withdrawn while its machine is deleted, because nobody would end its billing', async () => {
    const machine = await created({ plan: 'Year' });
    const { service } = machine;
    const { lastday } = await result<Result<'deviceCancel'>>('POST', '/v2/device/cancellation', { service });
    await deleted(machine);
    const withdrawal = await call('DELETE', '/v2/device/cancellation', { service });
    assert.equal(withdrawal.status, 409);
    assert.match(withdrawal.body.result.message, /Restore it first/);
    const lastBilled = async () => dayText(((await termsOf(service)).at(-1)!.until_day ?? 0) * dayMs - dayMs);
    assert.equal(await lastBilled(), lastday);
    await result('POST', '/v2/machine/restore', { service });
    assert.equal(await lastBilled(), lastday);
    await result('DELETE', '/v2/device/cancellation', { service });
    assert.equal((await termsOf(service)).at(-1)!.until_day, null);
    await until(() => machineOn(machine.vmid)!.state.power === 'on');
    await forget(machine);
  });

  test('a machine that is deleted as its resize completes is not billed, and has its new plan when it is restored', async () => {
    const machine = await created({ plan: 'Hourly' });
    const { service } = machine;
    await deleted(machine);
    const larger = planTerms({ name: 'Hourly L', price: '9.00', hourly: '0.02', cycle: 'monthly' });
    const plans = createMachinePlanActions(app.parts);
    app.pass(hourMs);
    await app.parts.store.transaction((queries) => plans.change(queries, Number(service), larger));
    const { plan, from_hour, until_hour } = (await termsOf(service)).at(-1)!;
    assert.deepEqual([plan, until_hour], ['Hourly L', from_hour]);
    app.pass(50 * hourMs);
    await result('POST', '/v2/machine/restore', { service });
    const last = (await termsOf(service)).at(-1)!;
    assert.deepEqual([last.plan, last.until_hour], ['Hourly L', null]);
    assert.ok(last.from_hour! >= until_hour! + 50);
    await forget(machine);
  });

  test('terms that a deleted machine got later end with its service', async () => {
    const machine = await created({ plan: 'Hourly' });
    await deleted(machine);
    const staff = { id: machine.service, plan: 'Year' };
    await operatorResult(app, 'PUT', 'service/plan', staff);
    assert.equal((await termsOf(machine.service)).at(-1)!.until_day, null);
    app.pass(73 * hourMs);
    await continueDeletion();
    await untilGone(machine.vmid);
    assert.notEqual((await termsOf(machine.service)).at(-1)!.until_day, null);
  });
});
