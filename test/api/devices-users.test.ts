// BMC users that customers create for themselves, and the BMC's own restart.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resumeAccount, suspendAccount } from '#app/billing/suspension.ts';
import { setUserPassword } from '#protocols/ipmi/commands/user.ts';
import { bmcAccess } from '#reconcilers/bmc-access.ts';
import { consoleUsers } from '#reconcilers/console-users.ts';
import type { AccountId } from '#store/account-id.ts';
import { openTestApp } from '#test/support/app.ts';
import { logsIn } from '#test/support/bmc-login.ts';
import { openDevice, assertRejected, assertResult, type TestDevice } from '#test/support/devices.ts';
import { openIpmiSession } from '#test/support/ipmi-session.ts';
import { operatorResult } from '#test/support/operators.ts';
import { request } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

const user = (device: TestDevice, username: string, action = 'createUser') =>
  device.legacy('/ipmi/user', { username, action });
const created = async (device: TestDevice, username: string) => {
  const { status, body } = await user(device, username);
  assert.equal(status, 200, JSON.stringify(body));
  return body as { results: number; result: { hostname: string; username: string; password: string } };
};
const provider = (device: TestDevice) => device.app.equipment.bmcs[0]!;

describe('BMC users', { concurrency: 2 }, () => {
  it('are created with a working password and no more than operator privilege', async () => {
    await using device = await openDevice();
    const { results, result } = await created(device, 'anna');
    assert.equal(results, 3);
    const { host } = device.app.parts.consoleGateway.forwards!;
    assert.deepEqual([result.hostname, result.username], [host, 'anna']);
    assert.equal(await logsIn(device.bmc, result), true);
    assert.equal(await logsIn(device.bmc, result, 'administrator'), false);
    assert.doesNotMatch(JSON.stringify(result), new RegExp(`${provider(device).password}|127\\.0\\.0\\.1`));
  });

  it('get a new password, and the old one stops working', async () => {
    await using device = await openDevice();
    const { result: before } = await created(device, 'anna');
    const response = await user(device, 'anna', 'resetPassword');
    const { value: password } = response.body.result as { value: string };
    assert.deepEqual(
      [response.status, response.body.results, Object.keys(response.body.result as object)],
      [200, 1, ['value']],
    );
    assert.equal(await logsIn(device.bmc, before), false);
    assert.equal(await logsIn(device.bmc, { username: 'anna', password }), true);
  });

  it('are removed, and then gone', async () => {
    await using device = await openDevice();
    const { result } = await created(device, 'anna');
    assertResult(await user(device, 'anna', 'deleteUser'), 'User Removed');
    assert.equal(await logsIn(device.bmc, result), false);
    assertRejected(await user(device, 'anna', 'deleteUser'), 404);
    assertRejected(await user(device, 'anna', 'resetPassword'), 404);
    await created(device, 'anna');
  });

  it('need unique names in a form that every BMC accepts', async () => {
    await using device = await openDevice();
    await created(device, 'anna');
    assert.match(assertRejected(await user(device, 'anna'), 409), /user with this name/);
    for (const name of ['', '1anna', '-anna', 'an na', 'a'.repeat(17), 'ann\u00e4', 'anna;'])
      assert.match(assertRejected(await user(device, name), 400), /username must/);
    await created(device, `a${'.'.repeat(15)}`);
  });

  it("do not include the provider's user, which is neither visible nor changeable", async () => {
    await using device = await openDevice();
    const { username, password } = provider(device);
    const absent = await user(device, 'nobody', 'deleteUser');
    for (const action of ['deleteUser', 'resetPassword']) {
      const response = await user(device, username, action);
      assert.deepEqual([response.status, response.body], [404, absent.body]);
    }
    assertRejected(await user(device, username), 409);
    assert.equal(await logsIn(device.bmc, { username, password }, 'administrator'), true);
  });

  it("do not include a console session's user", async () => {
    await using device = await openDevice();
    const { result } = await created(device, 'anna');
    const opened = await device.legacy('/ipmi/kvm');
    const launcher = Buffer.from(opened.body.result as string, 'base64').toString();
    const name = /<argument>(kvm-[^<]+)</.exec(launcher)![1]!;
    assertRejected(await user(device, name, 'deleteUser'), 404);
    assertRejected(await user(device, name, 'resetPassword'), 404);
    assert.equal(await logsIn(device.bmc, result), true);
  });

  it("are limited by the BMC's slots, and one more is a 422 that leaves nothing behind", async () => {
    await using device = await openDevice();
    const names = Array.from({ length: 8 }, (_, index) => `user${index}`);
    for (const name of names) await created(device, name);
    assertRejected(await user(device, 'onemore'), 422);
    assertRejected(await device.legacy('/ipmi/kvm'), 422);
    assertRejected(await user(device, 'onemore', 'deleteUser'), 404);
    assertResult(await user(device, 'user3', 'deleteUser'), 'User Removed');
    assert.equal(await logsIn(device.bmc, (await created(device, 'onemore')).result), true);
  });

  it('that were half created when the BMC went silent can be removed and created again', async () => {
    await using device = await openDevice();
    device.bmc.setMalfunctions({ responseDelayMs: 700 });
    assertRejected(await user(device, 'anna'), 504);
    device.bmc.setMalfunctions({});
    const again = await user(device, 'anna');
    if (again.status === 409) {
      assertResult(await user(device, 'anna', 'deleteUser'), 'User Removed');
      await created(device, 'anna');
    } else assert.equal(again.status, 200);
  });

  it('are created once per Idempotency-Key, and a repetition returns the same password', async () => {
    await using device = await openDevice();
    const call = () =>
      request<{ result: { password: string } }>(device.app, 'POST', '/ipmi/user', {
        key: device.app.lab.customer.key,
        form: { server: device.server, username: 'anna', action: 'createUser' },
        headers: { 'idempotency-key': 'once' },
      });
    const [first, second] = [await call(), await call()];
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.equal(second.body.result.password, first.body.result.password);
  });
});

const forEver = new AbortController().signal;
const trustedProxies = ['127.0.0.1'];
const status = async (device: TestDevice) =>
  (await operatorResult<{ status: string }>(device.app, 'GET', `service/${device.service}`)).status;
const accountOf = (device: TestDevice) =>
  device.app.parts.store.queries
    .selectFrom('services')
    .select('account_id as id')
    .where('id', '=', Number(device.service))
    .executeTakeFirstOrThrow();

describe('BMC users of a suspended service', { concurrency: 2 }, () => {
  it('cannot log in, lose open sessions, and work again with the same password when it is resumed', async () => {
    await using device = await openDevice({ trustedProxies });
    const { result: anna } = await created(device, 'anna');
    await using session = await openIpmiSession({ address: device.bmc.address, port: device.bmc.port, ...anna });
    assert.equal(await session.works(), true);
    await operatorResult(device.app, 'POST', 'service/suspend', { id: device.service, reason: 'Abuse', how: 'power' });
    await until(async () => (await status(device)) === 'Suspended');
    assert.deepEqual([await session.works(), await logsIn(device.bmc, anna)], [false, false]);
    assert.equal(device.bmc.chassis.power, 'off');
    for (const action of ['createUser', 'resetPassword', 'deleteUser'])
      assertRejected(await user(device, 'anna', action), 403);
    await bmcAccess(device.app.parts).run(forEver);
    assert.equal(await logsIn(device.bmc, anna), false);
    await operatorResult(device.app, 'POST', 'service/resume', { id: device.service });
    await until(async () => (await status(device)) === 'Active');
    assert.deepEqual(await bmcAccess(device.app.parts).run(forEver), { backlog: 0 });
    assert.equal(await logsIn(device.bmc, anna), true);
    assert.equal(await logsIn(device.bmc, anna, 'administrator'), false);
  });

  it('are disabled later if the BMC rejects that at first, and the suspension does not wait for it', async () => {
    await using device = await openDevice({ trustedProxies });
    const { result: anna } = await created(device, 'anna');
    const { netFn, code } = setUserPassword;
    device.bmc.setMalfunctions({ unsupportedCommands: [{ netFn, code }] });
    await operatorResult(device.app, 'POST', 'service/suspend', { id: device.service, reason: 'Abuse' });
    await until(async () => (await status(device)) === 'Suspended');
    assert.deepEqual(await bmcAccess(device.app.parts).run(forEver), { backlog: 1 });
    assert.equal(await logsIn(device.bmc, anna), true);
    device.bmc.setMalfunctions({});
    assert.deepEqual(await bmcAccess(device.app.parts).run(forEver), { backlog: 0 });
    assert.equal(await logsIn(device.bmc, anna), false);
  });

  for (const [reason, suspend, resume] of [
    [
      'invoices are unpaid',
      async ({ app: { parts } }: TestDevice, account: AccountId) =>
        parts.store.transaction((queries) => suspendAccount(parts, queries, account, 'INV-1')),
      async ({ app: { parts } }: TestDevice, account: AccountId) =>
        parts.store.transaction((queries) => resumeAccount(parts, queries, account)),
    ],
    [
      'staff suspend the account',
      async ({ app }: TestDevice, id: AccountId) => operatorResult(app, 'POST', 'account/suspend', { id, reason: 'x' }),
      async ({ app }: TestDevice, id: AccountId) => operatorResult(app, 'POST', 'account/resume', { id }),
    ],
  ] as const)
    it(`are disabled when ${reason}, and enabled afterwards; those of console sessions are removed`, async () => {
      await using device = await openDevice({ trustedProxies });
      const { result: anna } = await created(device, 'anna');
      const { id } = await accountOf(device);
      const access = bmcAccess(device.app.parts);
      assert.deepEqual(await access.run(forEver), { backlog: 0 });
      assert.equal(await logsIn(device.bmc, anna), true);
      assert.equal((await device.legacy('/ipmi/kvm')).status, 200);
      const names = () => device.app.parts.bmcs.use(device.server, ({ users }) => users!.list(forEver));
      assert.equal((await names()).length, 3);
      await suspend(device, id);
      await access.run(forEver);
      assert.equal(await logsIn(device.bmc, anna), false);
      await consoleUsers(device.app.parts).run(forEver);
      assert.deepEqual(await names(), [provider(device).username, 'anna']);
      await resume(device, id);
      await access.run(forEver);
      assert.equal(await logsIn(device.bmc, anna), true);
    });

  it('are removed from a BMC that cannot disable them, and created again by the customer', async () => {
    await using app = await openTestApp({ worksOffJobs: true });
    const { simulator, server } = app.equipment.redfish;
    const call = (action: string) =>
      request(app, 'POST', '/ipmi/user', { key: app.lab.customer.key, form: { server, username: 'anna', action } });
    assert.equal((await call('createUser')).status, 200);
    simulator.setMalfunctions({ lacksEnabled: true });
    const setStatus = (status: 'Active' | 'Suspended') =>
      app.parts.store.queries.updateTable('services').set({ status }).where('server', '=', server).execute();
    await setStatus('Suspended');
    assert.deepEqual(await bmcAccess(app.parts).run(forEver), { backlog: 0 });
    assert.ok(!simulator.accounts.isNameTaken('anna'));
    await setStatus('Active');
    assert.equal((await call('resetPassword')).status, 404);
    assert.equal((await call('createUser')).status, 200);
  });
});

describe('a BMC reset', () => {
  it('leaves the server running, and calls during the reset wait for it', async () => {
    await using device = await openDevice();
    await created(device, 'anna');
    assertResult(await device.legacy('/ipmi/reset'), 'Controller Reset');
    const responses = await Promise.all([
      device.v2('GET', 'power'),
      device.legacy('/ipmi/power', { action: 'checkOn' }),
      device.v2('PUT', 'power', { request: 'pxe' }),
    ]);
    assert.deepEqual(
      responses.map(({ body }) => body.result),
      ['on', 'true', 'Set Boot Device to pxe'],
    );
    assert.equal(device.bmc.chassis.power, 'on');
  });
});
