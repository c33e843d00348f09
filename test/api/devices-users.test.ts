// BMC users that customers create for themselves, and the BMC's own restart.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { logsIn } from '#test/support/bmc-login.ts';
import { openDevice, assertRejected, assertResult, type TestDevice } from '#test/support/devices.ts';
import { request } from '#test/support/request.ts';

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
    assert.deepEqual([result.hostname, result.username], ['dc01r01ds01', 'anna']);
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
