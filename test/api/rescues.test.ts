// The rescue system of a dedicated server and password resets through it, driven as in reloads.test.ts.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cryptMatches } from '#lib/crypt-hash.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { runningFromDisk, openReloadFixture, type Installer, type ReloadFixture } from '#test/support/reloads.ts';
import { until } from '#test/support/until.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

const hashIn = async (installer: Installer): Promise<string> =>
  /\$6\$[./0-9A-Za-z]+\$[./0-9A-Za-z]+/.exec((await installer.fetch('init')).text)?.[0] ?? '';

describeOnEngines('rescue', { postgres: 'in long runs', concurrency: true }, ({ newDatabase }) => {
  const open = async (): Promise<ReloadFixture> => openReloadFixture(await newDatabase());

  it('a server runs the rescue system until the customer ends it', async () => {
    await using story = await open();
    const { v2 } = story;
    const rescue = async (): Promise<unknown> => (await v2('GET', 'rescue')).body.result;
    assert.equal(await rescue(), 'No rescue system in use');
    assertRejected(await v2('DELETE', 'rescue'), 409, 'state_conflict');

    const password = await story.begin('rescue');
    const system = await story.booted();
    assert.ok(cryptMatches(password, await hashIn(system)));
    await system.report('Completed');
    await until(async () => (await rescue()) === 'Active');
    assert.deepEqual(await story.look(), { ...runningFromDisk, runs: 'pxe' });
    const { soft, off } = story.bmc.chassis.counts;
    assert.deepEqual({ soft, off }, { soft: 1, off: 0 }, 'the running system was shut down, not cut off');
    assertRejected(await v2('POST', 'rescue'), 409, 'state_conflict');
    assert.match(
      assertRejected(await v2('POST', 'reload', { value: 'debian-12' }), 409),
      /rescue system is in progress: Active/,
    );
    assertResult(await v2('PUT', 'reload'), 'No reload in progress');

    assertResult(await v2('DELETE', 'rescue'), 'Rescue Ended');
    assert.equal(await rescue(), 'Completed');
    assert.deepEqual(await story.look(), runningFromDisk);
    assertRejected(await v2('DELETE', 'rescue'), 409, 'state_conflict');

    await story.begin('rescue');
    await story.booted();
    assertResult(await v2('DELETE', 'rescue'), 'Rescue Ended');
    assert.equal(await rescue(), 'Cancelled');
    await until(async () => !(await story.look()).locked);
    assert.deepEqual(await story.look(), runningFromDisk);
    assert.deepEqual(
      (await story.events()).map(({ type }) => type).filter((type) => type.startsWith('device.rescue')),
      [
        'device.rescue.started',
        'device.rescue.completed',
        'device.rescue.ended',
        'device.rescue.started',
        'device.rescue.cancelled',
      ],
    );
  });

  it('the rescue system resets the root password, and the server boots back', async () => {
    await using story = await open();
    const { v2 } = story;
    assertRejected(await v2('PUT', 'password'), 409, 'state_conflict');
    assert.equal(await story.begin('password'), '');
    assertRejected(await v2('POST', 'password'), 409, 'state_conflict');
    const message = assertRejected(await v2('POST', 'reload', { value: 'debian-12' }), 409, 'state_conflict');
    assert.match(message, /^A password reset is in progress/);
    const system = await story.booted();
    const hash = await hashIn(system);
    assert.match(assertRejected(await v2('PUT', 'password'), 409), /not set yet/);
    await system.report('Completed');
    await until(async () => !(await story.look()).locked);
    assert.deepEqual(await story.look(), runningFromDisk);
    assert.equal((await system.fetch('init')).status, 404);
    const { status, body } = await v2('PUT', 'password');
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(cryptMatches(body.result as string, hash));
    assertRejected(await v2('PUT', 'password'), 409, 'state_conflict');
    const types = new Set((await story.events()).map(({ type }) => type));
    assert.ok(types.has('device.password.started') && types.has('device.password.completed'));
  });

  it('a password that could not be set is not returned, and a system that ignores a shutdown is powered off', async () => {
    await using story = await open();
    const { v2 } = story;
    story.bmc.setMalfunctions({ ignoresSoftShutdown: true });
    await story.allow({ shutdown: 1 });
    assert.equal(await story.begin('password'), '');
    await (await story.booted()).report('Failed', { message: 'no root file system' });
    await until(async () => !(await story.look()).locked);
    assert.deepEqual(await story.look(), runningFromDisk);
    assertRejected(await v2('PUT', 'password'), 409, 'state_conflict');
    const failed = (await story.events()).find(({ type }) => type === 'device.password.failed');
    assert.match(String(failed?.data['reason']), /no root file system/);
  });
});
