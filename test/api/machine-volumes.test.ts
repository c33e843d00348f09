// Volumes of virtual machines through the API: created, attached, detached, resized and deleted, with a hypervisor that is full, does
// not respond or whose machine does not release a volume, and across accounts.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { maxVolumeGb, maxVolumesGb } from '#contract/shapes/volume.ts';
import { dayOf } from '#lib/time.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { volumeTidy } from '#reconcilers/volume-tidy.ts';
import { machineChange } from '#store/devices/machines.ts';
import { volumeInsert } from '#store/devices/volumes.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { usageOfAccount } from '#store/pricing/usage.ts';
import type { AccountId } from '#store/account-id.ts';
import type { EndedAction } from '#test/support/actions.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { openMachine, type TestMachine } from '#test/support/machines.ts';
import { waitingLocks } from '#test/support/postgres.ts';
import { createKey, request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

interface Volume {
  readonly id: string;
  readonly name: string;
  readonly size: string;
  readonly state: string;
  readonly service: string;
  readonly attached: boolean;
  readonly path: string;
  readonly action: string;
}

// One after the other, because they share a hypervisor.
describeOnEngines('volumes of machines', { postgres: 'in long runs', concurrency: 1 }, ({ engine, newDatabase }) => {
  const [first, second] = ['2001', '3001'];
  let machine: TestMachine;
  let key: string;
  before(async () => {
    machine = await openMachine(await newDatabase());
    key = machine.app.lab.customer.key;
  });
  after(() => machine[Symbol.asyncDispose]());

  const call = (method: string, path: string, params: Record<string, unknown>, as = key) =>
    request<Envelope<Volume & ErrorResult>>(machine.app, method, `/v2/machine/volume${path}`, { key: as, params });
  /** Waits for the action. Returns the volume, and why it failed. */
  const change = async (
    method: string,
    path: string,
    params: Record<string, unknown>,
  ): Promise<{ readonly volume: Volume | undefined; readonly error: string }> => {
    const { status, body } = await call(method, path, params);
    assert.equal(status, 200, JSON.stringify(body));
    const { id, action } = body.result;
    let ended: EndedAction | undefined;
    const hasEnded = async (): Promise<boolean> => {
      ended = await requestResult<EndedAction>(machine.app, 'GET', `/v2/action/${action}`, { key });
      return ended.ended !== '';
    };
    await until(hasEnded, { saw: () => ended });
    return { volume: (await list()).find((volume) => volume.id === id), error: ended!.code };
  };
  const changed = async (...args: Parameters<typeof change>): Promise<Volume> => {
    const { volume, error } = await change(...args);
    assert.equal(error, '');
    return volume!;
  };
  const errorOf = async (...args: Parameters<typeof call>): Promise<string> => {
    const { status, body } = await call(...args);
    return `${status} ${body.result.code}`;
  };
  const list = (): Promise<Volume[]> => requestResult(machine.app, 'GET', '/v2/machine/volume', { key });
  const create = (name: string, size: number, service = first) => changed('POST', '', { service, name, size });
  const runTidy = () => volumeTidy(machine.app.parts).run(new AbortController().signal);
  const deleteVolume = async ({ id, name, attached }: Volume): Promise<void> => {
    if (attached) await changed('POST', '/detach', { id });
    await requestResult(machine.app, 'DELETE', '/v2/machine/volume', { key, params: { id, name } });
    await runTidy();
  };
  /** In thousandths of a gigabyte, today. */
  const metered = async (service: string): Promise<number | undefined> => {
    const today = dayOf(machine.app.parts.clock.now());
    const usage = await usageOfAccount(machine.app.parts.store.queries, 1 as AccountId, {
      from: today,
      until: today + 1,
    });
    return usage.find((row) => row.service_id === Number(service) && row.item === 'volumes')?.quantity;
  };

  it('live from their creation to their deletion, metered and with events', async () => {
    const volume = await create('data', 10);
    const { created: _, ...known } = volume as Volume & { created: string };
    const disk = `/dev/disk/by-id/virtio-vol-${volume.id}`;
    const expected = { id: volume.id, name: 'data', size: '10', state: 'Ready', service: first, attached: true };
    assert.deepEqual(known, { ...expected, path: disk });
    const onNode = () => machine.node.volumes[`vol-${volume.id}`];
    assert.deepEqual(onNode(), { sizeGb: 10, machine: 'vm-101' });
    assert.equal(await metered(first), 10_000);
    assert.equal((await changed('PUT', '', { id: volume.id, size: 25 })).size, '25');
    assert.equal(onNode()?.sizeGb, 25);
    assert.equal(await errorOf('PUT', '', { id: volume.id, size: 24 }), '400 invalid_parameter');
    assert.equal(await errorOf('POST', '/attach', { id: volume.id, service: second }), '409 state_conflict');
    assert.equal(await errorOf('DELETE', '', { id: volume.id, name: 'data' }), '409 state_conflict');
    assert.equal((await changed('POST', '/detach', { id: volume.id })).attached, false);
    assert.equal(await errorOf('POST', '/detach', { id: volume.id }), '409 state_conflict');
    const moved = await changed('POST', '/attach', { id: volume.id, service: second });
    assert.deepEqual([moved.service, moved.attached, onNode()?.machine], [second, true, 'vm-201']);
    assert.deepEqual([await metered(first), await metered(second)], [0, 25_000]);
    await changed('POST', '/detach', { id: volume.id });
    assert.equal(await errorOf('DELETE', '', { id: volume.id, name: 'date' }), '400 invalid_parameter');
    await requestResult(machine.app, 'DELETE', '/v2/machine/volume', { key, params: { id: volume.id, name: 'data' } });
    assert.equal(await errorOf('POST', '/attach', { id: volume.id, service: first }), '404 not_found');
    assert.ok(onNode() !== undefined);
    await runTidy();
    assert.equal(onNode(), undefined);
    assert.deepEqual(await list(), []);
    assert.equal(await metered(second), 0);
    assert.deepEqual(
      (await machine.events('volume.')).map(({ type }) => type),
      ['volume.created', 'volume.resized', 'volume.detached'],
    );
  });

  if (engine === 'postgres')
    it('keep the size that they grow to while a smaller one is asked for', async () => {
      const volume = await create('growing', 5);
      const { store } = machine.app.parts;
      const { resize } = await store.transaction(async (growing) => {
        await billingAccountLock(growing, 1 as AccountId);
        const asked = errorOf('PUT', '', { id: volume.id, size: 7 });
        await until(async () => (await waitingLocks(growing)) > 0);
        await growing.updateTable('volumes').set({ size_gb: 9 }).where('id', '=', Number(volume.id)).execute();
        return { resize: asked };
      });
      assert.equal(await resize, '409 state_conflict');
      await deleteVolume(volume);
    });

  it('do not exceed the quota if several machines ask at the same time', async () => {
    const { queries } = machine.app.parts.store;
    const full = { account_id: 1 as AccountId, service_id: Number(first), node: 'gone', size_gb: maxVolumeGb };
    const rows = Array.from({ length: maxVolumesGb / maxVolumeGb - 1 }, (_, index) => `full ${index}`);
    for (const name of rows)
      await volumeInsert(queries, { ...full, name, state: 'Ready', is_attached: 0, created_at: 0 });
    for (let round = 0; round < 5; round++) {
      const calls = [first, second].map((service) =>
        call('POST', '', { service, name: `last ${service}`, size: maxVolumeGb }),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      assert.deepEqual(statuses.toSorted(), [200, 409]);
      // The hypervisor has no room for it.
      await until(async () => (await list()).length === rows.length);
    }
    await queries.deleteFrom('volumes').where('node', '=', 'gone').execute();
  });

  it('do not exceed the quota while several grow', async () => {
    const { queries } = machine.app.parts.store;
    const volumes = [await create('left', 5), await create('right', 5, second)];
    const size = maxVolumeGb - 5;
    const full = { account_id: 1 as AccountId, service_id: Number(first), node: 'gone', size_gb: maxVolumeGb };
    for (let count = 1; count < maxVolumesGb / maxVolumeGb; count++)
      await volumeInsert(queries, { ...full, name: `full ${count}`, state: 'Ready', is_attached: 0, created_at: 0 });
    assert.equal((await call('PUT', '', { id: volumes[0]!.id, size })).status, 200);
    assert.equal(await errorOf('PUT', '', { id: volumes[1]!.id, size }), '409 state_conflict');
    await queries.deleteFrom('volumes').where('node', '=', 'gone').execute();
    await until(async () => (await list()).every(({ state }) => state === 'Ready'));
    for (const volume of await list()) await deleteVolume(volume);
  });

  it('are rejected for a server, a size that does not exist, a name that is taken, and beyond the quota', async () => {
    const volume = await create('taken', 5);
    const params = { service: first, name: 'other', size: 5 };
    assert.equal(await errorOf('POST', '', { ...params, service: '1001' }), '422 capability_missing');
    assert.equal(await errorOf('POST', '', { ...params, size: 0 }), '400 invalid_parameter');
    assert.equal(await errorOf('POST', '', { ...params, name: 'taken' }), '409 already_exists');
    for (const size of [4096, 4096, 4096]) {
      const { queries } = machine.app.parts.store;
      const row = { account_id: 1 as AccountId, service_id: 3001, node: 'elsewhere', size_gb: size } as const;
      await queries
        .insertInto('volumes')
        .values({ ...row, name: crypto.randomUUID(), state: 'Ready', is_attached: 0, created_at: 0 })
        .execute();
    }
    assert.equal(await errorOf('POST', '', { ...params, size: 4096 }), '409 state_conflict');
    const elsewhere = (await list()).find(({ service }) => service === second);
    assert.equal(await errorOf('POST', '/attach', { id: elsewhere!.id, service: first }), '409 state_conflict');
    await machine.app.parts.store.queries.deleteFrom('volumes').where('node', '=', 'elsewhere').execute();
    await deleteVolume(volume);
  });

  it('leave nothing behind if the pool is full, and stay attached if the machine keeps them', async () => {
    machine.node.setMalfunctions({ isDiskFull: true });
    const failure = await change('POST', '', { service: first, name: 'large', size: 5 });
    assert.deepEqual([failure.volume, failure.error], [undefined, 'nothing_free']);
    machine.node.setMalfunctions({});
    assert.deepEqual([await list(), { ...machine.node.volumes }], [[], {}]);
    const volume = await create('kept', 5);
    machine.node.setMalfunctions({ keepsVolumes: true });
    assert.equal((await change('POST', '/detach', { id: volume.id })).error, 'state_conflict');
    machine.node.setMalfunctions({});
    assert.deepEqual(
      (await list()).map(({ state, attached }) => [state, attached]),
      [['Ready', true]],
    );
    await deleteVolume(volume);
  });

  it('are as before if the hypervisor crashes in the middle', async () => {
    const volume = await create('steady', 5);
    machine.node.setMalfunctions({ crashesAt: 'volume' });
    const before = machine.node.events.length;
    const failing = change('POST', '/detach', { id: volume.id });
    await until(() => machine.node.events.length > before);
    assert.equal(machine.node.volumes[`vol-${volume.id}`]?.machine, undefined);
    machine.node.setMalfunctions({});
    machine.app.pass(60_000);
    const { error, volume: after } = await failing;
    assert.deepEqual([error, after?.attached, after?.state], ['node_unreachable', true, 'Ready']);
    assert.equal(machine.node.volumes[`vol-${volume.id}`]?.machine, 'vm-101');
    await deleteVolume(volume);
  });

  it('are changed by one of two concurrent calls', async () => {
    const volume = await create('raced', 5);
    const answers = await Promise.all([
      call('PUT', '', { id: volume.id, size: 7 }),
      call('POST', '/detach', { id: volume.id }),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, 409], JSON.stringify(answers.map(({ body }) => body)));
    await until(async () => (await list())[0]?.state === 'Ready');
    await deleteVolume((await list())[0]!);
  });

  it('are metered correctly when several are deleted at once', async () => {
    const { queries } = machine.app.parts.store;
    const row = { account_id: 1 as AccountId, service_id: Number(first), node: 'gone', size_gb: 5 } as const;
    for (let round = 0; round < 5; round++) {
      const names = Array.from({ length: 4 }, (_, index) => `deleted ${round} ${index}`);
      const volumes = await Promise.all(
        names.map((name) => volumeInsert(queries, { ...row, name, state: 'Ready', is_attached: 0, created_at: 0 })),
      );
      const deletions = await Promise.all(
        volumes.map((volume) => call('DELETE', '', { id: volume!.id, name: volume!.name })),
      );
      assert.deepEqual(
        deletions.map(({ status }) => status),
        [200, 200, 200, 200],
      );
      assert.equal(await metered(first), 0);
      await queries.deleteFrom('volumes').where('node', '=', 'gone').execute();
    }
  });

  it('do not exist for others: another account, and a key limited to other servers', async () => {
    const volume = await create('secret', 5);
    const { key: stranger } = machine.app.lab.stranger;
    const limited = (await createKey(machine.app, key, { scopes: ['all'], services: [second] })).key;
    for (const other of [stranger, limited]) {
      assert.deepEqual((await call('GET', '', {}, other)).body.result, []);
      assert.equal(await errorOf('PUT', '', { id: volume.id, size: 9 }, other), '404 not_found');
      assert.equal(await errorOf('POST', '/detach', { id: volume.id }, other), '404 not_found');
      assert.equal(await errorOf('DELETE', '', { id: volume.id, name: 'secret' }, other), '404 not_found');
    }
    const reader = (await createKey(machine.app, key, { scopes: ['device:read'] })).key;
    assert.equal(await errorOf('POST', '/detach', { id: volume.id }, reader), '403 scope_missing');
    await deleteVolume(volume);
  });

  it('outlive their machine, and can be attached to another', async () => {
    const volume = await create('survivor', 5, second);
    await machineChange(machine.app.parts.store.queries, Number(second), { untidy: 2 });
    await machineTidy(machine.app.parts).run(new AbortController().signal);
    assert.equal(machine.node.machines.get('vm-201'), undefined);
    assert.equal((await list())[0]?.attached, false);
    assert.equal((await changed('POST', '/attach', { id: volume.id, service: first })).attached, true);
    assert.deepEqual(machine.node.volumes[`vol-${volume.id}`], { sizeGb: 5, machine: 'vm-101' });
    assert.deepEqual([await metered(first), await metered(second)], [5000, 0]);
    await deleteVolume((await list())[0]!);
  });
});
