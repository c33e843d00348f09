// Users of a controller that a customer makes for himself, and the controller's own restart.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { logsIn } from '#test/support/controller-login.ts';
import { openDevice, refused, succeeds, type TestDevice } from '#test/support/devices.ts';
import { request } from '#test/support/request.ts';

const user = (device: TestDevice, username: string, action = 'createUser') =>
  device.legacy('/ipmi/user', { username, action });
const created = async (device: TestDevice, username: string) => {
  const { status, body } = await user(device, username);
  assert.equal(status, 200, JSON.stringify(body));
  return body as { results: number; result: { hostname: string; username: string; password: string } };
};
const provider = (device: TestDevice) => device.yard.equipment.bmcs[0]!;

describe('users of a controller', { concurrency: 2 }, () => {
  it('are made with a password that opens, as operators and no more', async () => {
    await using device = await openDevice();
    const { results, result } = await created(device, 'anna');
    assert.equal(results, 3);
    assert.deepEqual([result.hostname, result.username], ['dc01r01ds01', 'anna']);
    assert.equal(await logsIn(device.bmc, result), true);
    assert.equal(await logsIn(device.bmc, result, 'administrator'), false);
    assert.doesNotMatch(JSON.stringify(result), new RegExp(`${provider(device).password}|127\\.0\\.0\\.1`));
  });

  it('get another password, and the old one opens no more', async () => {
    await using device = await openDevice();
    const { result: before } = await created(device, 'anna');
    const answer = await user(device, 'anna', 'resetPassword');
    const { value: password } = answer.body.result as { value: string };
    assert.deepEqual(
      [answer.status, answer.body.results, Object.keys(answer.body.result as object)],
      [200, 1, ['value']],
    );
    assert.equal(await logsIn(device.bmc, before), false);
    assert.equal(await logsIn(device.bmc, { username: 'anna', password }), true);
  });

  it('are removed, and then gone', async () => {
    await using device = await openDevice();
    const { result } = await created(device, 'anna');
    succeeds(await user(device, 'anna', 'deleteUser'), 'User Removed');
    assert.equal(await logsIn(device.bmc, result), false);
    refused(await user(device, 'anna', 'deleteUser'), 404);
    refused(await user(device, 'anna', 'resetPassword'), 404);
    await created(device, 'anna');
  });

  it('have names of their own, of a form that every controller takes', async () => {
    await using device = await openDevice();
    await created(device, 'anna');
    assert.match(refused(await user(device, 'anna'), 409), /user of this name/);
    for (const name of ['', '1anna', '-anna', 'an na', 'a'.repeat(17), 'ann\u00e4', 'anna;'])
      assert.match(refused(await user(device, name), 400), /username must/);
    await created(device, `a${'.'.repeat(15)}`);
  });

  it("do not include the provider's, who is neither seen nor touched", async () => {
    await using device = await openDevice();
    const { username, password } = provider(device);
    const absent = await user(device, 'nobody', 'deleteUser');
    for (const action of ['deleteUser', 'resetPassword']) {
      const answer = await user(device, username, action);
      assert.deepEqual([answer.status, answer.body], [404, absent.body]);
    }
    refused(await user(device, username), 409);
    assert.equal(await logsIn(device.bmc, { username, password }, 'administrator'), true);
  });

  it("do not include a console session's", async () => {
    await using device = await openDevice();
    const { result } = await created(device, 'anna');
    const opened = await device.legacy('/ipmi/kvm');
    const launcher = Buffer.from(opened.body.result as string, 'base64').toString();
    const name = /<argument>(kvm-[^<]+)</.exec(launcher)![1]!;
    refused(await user(device, name, 'deleteUser'), 404);
    refused(await user(device, name, 'resetPassword'), 404);
    assert.equal(await logsIn(device.bmc, result), true);
  });

  it('are as many as the controller has room for, and one more is a 422 that leaves nothing behind', async () => {
    await using device = await openDevice();
    const names = Array.from({ length: 8 }, (_, index) => `user${index}`);
    for (const name of names) await created(device, name);
    refused(await user(device, 'onemore'), 422);
    refused(await device.legacy('/ipmi/kvm'), 422);
    refused(await user(device, 'onemore', 'deleteUser'), 404);
    succeeds(await user(device, 'user3', 'deleteUser'), 'User Removed');
    assert.equal(await logsIn(device.bmc, (await created(device, 'onemore')).result), true);
  });

  it('who were half made when the controller fell silent can be removed and made again', async () => {
    await using device = await openDevice();
    device.bmc.setFaults({ answersAfterMs: 700 });
    refused(await user(device, 'anna'), 504);
    device.bmc.setFaults({});
    const again = await user(device, 'anna');
    if (again.status === 409) {
      succeeds(await user(device, 'anna', 'deleteUser'), 'User Removed');
      await created(device, 'anna');
    } else assert.equal(again.status, 200);
  });

  it('are given once to a key of idempotency, password and all', async () => {
    await using device = await openDevice();
    const call = () =>
      request<{ result: { password: string } }>(device.yard, 'POST', '/ipmi/user', {
        key: device.yard.lab.customer.key,
        form: { server: device.server, username: 'anna', action: 'createUser' },
        headers: { 'idempotency-key': 'once' },
      });
    const [first, second] = [await call(), await call()];
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.equal(second.body.result.password, first.body.result.password);
  });
});

describe('the reset of a controller', () => {
  it('leaves the server running, and calls meanwhile wait for it', async () => {
    await using device = await openDevice();
    await created(device, 'anna');
    succeeds(await device.legacy('/ipmi/reset'), 'Controller Reset');
    const answers = await Promise.all([
      device.v2('GET', 'power'),
      device.legacy('/ipmi/power', { action: 'checkOn' }),
      device.v2('PUT', 'power', { request: 'pxe' }),
    ]);
    assert.deepEqual(
      answers.map(({ body }) => body.result),
      ['on', 'true', 'Set Boot Device to pxe'],
    );
    assert.equal(device.bmc.chassis.power, 'on');
  });
});
