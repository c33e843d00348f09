// Customers take snapshots of their machines, restore them, make images from them, and change the size of a machine.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startLabHypervisor, type LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { waitForMachines } from '#app/site/machines.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import type { Methods } from '#sdk/v2.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import { usageOfAccount } from '#store/pricing/usage.ts';
import { machineChange, machineFind, machineSizeSet } from '#store/devices/machines.ts';
import type { Queries } from '#store/store.ts';
import { eraseTable } from '#store/privacy/account-rows.ts';
import { waitForLastAction } from '#test/support/actions.ts';
import type { TestApp } from '#test/support/app.ts';
import { adaWithKey } from '#test/support/customer-fixture.ts';
import { assertRejected } from '#test/support/devices.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { machineSite, smallMachine } from '#test/support/machine-site.ts';
import { waitingLocks } from '#test/support/postgres.ts';
import { request, requestResult, type Envelope } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

type Result<Name extends keyof Methods> = Awaited<ReturnType<Methods[Name]>>;
type Snapshot = Result<'machineSnapshotCreate'>;

const token = 'secret-enough';
const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const account = 1 as AccountId;
const strangerService = 2005;
const size = { vcpus: 1, memoryMb: 512, diskGb: 10, bandwidthGb: 1000 };

describeOnEngines('snapshots of machines', { postgres: 'in long runs' }, ({ engine, owned, openApp }) => {
  let app: TestApp;
  let key: string;
  let node: LabHypervisor;
  const stranger = adaWithKey();
  before(async () => {
    node = owned.use(await startLabHypervisor({ token, timing, memoryMb: 8000, diskGb: 1000 }));
    const { address, port } = node;
    const { site, key: own } = machineSite(
      [{ name: 'ams1', driver: 'lab', location: 'Amsterdam', settings: { address, port, token } }],
      Array.from({ length: 5 }, () => smallMachine),
    );
    key = own;
    const changes = ['Small', 'Large', 'Tiny'];
    app = await openApp({
      worksOffJobs: true,
      site: {
        ...site,
        orders: { snapshots: 2, images: 2 },
        plans: [
          { name: 'Small', price: '5.00', cycle: 'monthly', changes, machine: size },
          {
            name: 'Large',
            price: '9.00',
            cycle: 'monthly',
            changes,
            machine: { ...size, vcpus: 2, memoryMb: 1024, diskGb: 20 },
          },
          { name: 'Tiny', price: '3.00', cycle: 'monthly', changes, machine: { ...size, diskGb: 5 } },
        ],
        customers: [...site.customers!, { ...stranger.customer, id: 2, email: 'eve@example.net' }],
        services: site.services!.map((service) => ({
          ...service,
          customer: service.id === strangerService ? 2 : 1,
          plan: 'Small',
        })),
      },
    });
    await waitForMachines(app.parts, 60_000);
  });

  const call = (method: string, path: string, params?: object, as = key) =>
    request<Envelope>(app, method, path, { key: as, ...(params && { params: { ...params } }) });
  const result = <Value>(method: string, path: string, params?: object) =>
    requestResult<Value>(app, method, path, { key, ...(params && { params: { ...params } }) });
  const list = (service: string) => result<Result<'machineSnapshotList'>>('GET', '/v2/machine/snapshot', { service });
  const ended = (service: string) => waitForLastAction(app, key, service);
  const take = async (service: string, name: string): Promise<Snapshot> => {
    const snapshot = await result<Snapshot>('POST', '/v2/machine/snapshot', { service, name });
    const { status, error } = await ended(service);
    assert.deepEqual([status, error], ['Completed', '']);
    return snapshot;
  };
  /** The hypervisor that vanished is there again once the workflow has given up. */
  const returnsDuringRollback = async (): Promise<void> => {
    const running = () =>
      app.parts.store.queries.selectFrom('workflows').select('direction').where('ended_at', 'is', null).execute();
    await until(async () => (await running()).some(({ direction }) => direction === 'back'));
    node.setMalfunctions({});
  };
  const machine = (vmid: number) => node.machines.get(`vm-${vmid}`)!;
  const tidy = () => machineTidy(app.parts).run(AbortSignal.timeout(60_000));
  const events = async (service: string) =>
    (await result<{ events: { type: string }[] }>('GET', '/v2/event', { service })).events.map(({ type }) => type);

  test('a machine returns to a snapshot, and one that was on is on again', async () => {
    const service = '2001';
    machine(101).system().content = 'before';
    const { id, state, action } = await take(service, 'before the upgrade');
    assert.equal(state, 'creating');
    assert.match(action, /^\S+$/);
    const [taken] = await list(service);
    assert.deepEqual([taken!.state, taken!.consistent, taken!.size], ['ready', 'yes', String(2 * 2 ** 30)]);
    const [usage] = await usageOfAccount(app.parts.store.queries, account, { from: 0, until: 99_999 });
    assert.deepEqual([usage!.item, usage!.quantity], ['snapshots', 2148]);
    machine(101).system().content = 'after';
    await result('POST', '/v2/machine/snapshot/restore', { service, id });
    assert.equal((await ended(service)).status, 'Completed');
    assert.deepEqual([machine(101).system().content, machine(101).state.power], ['before', 'on']);
    await tidy();
    assert.equal(Object.keys(machine(101).state.systems).length, 1);
    await result('DELETE', '/v2/machine/snapshot', { service, id });
    assertRejected(await call('POST', '/v2/machine/snapshot/restore', { service, id }), 409, 'state_conflict');
    await tidy();
    assert.deepEqual([await list(service), Object.keys(machine(101).state.snapshots!)], [[], []]);
    const seen = (await events(service)).filter((type) => type.startsWith('machine.snapshot')).toSorted();
    const kinds = ['completed', 'deleted', 'restored', 'restoring', 'started'];
    assert.deepEqual(
      seen,
      kinds.map((kind) => `machine.snapshot.${kind}`),
    );
  });

  test('a machine has as many snapshots as the provider allows, also with two calls at once', async () => {
    const service = '2002';
    await take(service, 'one');
    const calls = ['two', 'three'].map((name) => call('POST', '/v2/machine/snapshot', { service, name }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 409]);
    assert.equal((await ended(service)).status, 'Completed');
    const rejected = await call('POST', '/v2/machine/snapshot', { service, name: 'four' });
    assert.match(assertRejected(rejected, 409, 'state_conflict'), /2 snapshots/);
    assert.equal((await list(service)).length, 2);
  });

  test('a machine that is busy rejects snapshots, and a restore waits for no other work', async () => {
    const service = '2002';
    const [one] = await list(service);
    node.setMalfunctions({ responseDelayMs: 500 });
    await result('POST', '/v2/machine/snapshot/restore', { service, id: one!.id });
    const busy = await call('POST', '/v2/machine/snapshot/restore', { service, id: one!.id });
    assert.match(assertRejected(busy, 409, 'device_busy'), /restoration of a snapshot is running/);
    assertRejected(await call('PUT', '/v2/machine/size', { service, plan: 'Large' }), 409, 'device_busy');
    node.setMalfunctions({});
    assert.equal((await ended(service)).status, 'Completed');
  });

  test('a full pool fails the snapshot, which says why and exists nowhere', async () => {
    const service = '2003';
    node.setMalfunctions({ isDiskFull: true });
    await result('POST', '/v2/machine/snapshot', { service, name: 'too much' });
    const action = await ended(service);
    node.setMalfunctions({});
    assert.deepEqual([action.status, action.code], ['Failed', 'nothing_free']);
    const [failed] = await list(service);
    assert.deepEqual([failed!.state, failed!.reason], ['failed', action.error]);
    assert.equal(machine(103).state.snapshots?.['snap-1'], undefined);
    await take(service, 'now it fits');
    assert.deepEqual(
      (await list(service)).map(({ name }) => name),
      ['now it fits'],
    );
  });

  test('a hypervisor that vanishes in the middle of a restore leaves the machine unchanged', async () => {
    const service = '2003';
    const [snapshot] = await list(service);
    const old = machine(103).state.current;
    node.setMalfunctions({ crashesAt: 'restore' });
    await result('POST', '/v2/machine/snapshot/restore', { service, id: snapshot!.id });
    const ticking = setInterval(() => app.pass(5000), 20);
    await returnsDuringRollback();
    const action = await ended(service).finally(() => clearInterval(ticking));
    assert.equal(action.status, 'Failed');
    assert.deepEqual([machine(103).state.current, machine(103).state.power], [old, 'on']);
    assert.deepEqual(Object.keys(machine(103).state.systems), [old]);
  });

  test('a snapshot of a running machine without a guest agent is not called consistent', async () => {
    node.setMalfunctions({ hasNoAgent: true });
    const { id } = await take('2001', 'crash');
    node.setMalfunctions({});
    assert.equal((await list('2001')).find((snapshot) => snapshot.id === id)!.consistent, 'no');
  });

  test('an image installs other machines of the account, and no other account sees it', async () => {
    machine(101).system().content = 'golden';
    const image = await result<Result<'machineImageCreate'>>('POST', '/v2/machine/image', {
      service: '2001',
      name: 'Golden',
    });
    assert.equal((await ended('2001')).status, 'Completed');
    const [ready] = await result<Result<'machineImageList'>>('GET', '/v2/machine/image');
    assert.deepEqual([ready!.state, ready!.node, ready!.location], ['ready', 'ams1', 'Amsterdam']);
    assert.deepEqual(
      Object.keys(machine(101).state.snapshots!).filter((id) => id.startsWith('for-')),
      [],
    );
    const offered = await result<{ value: string; name: string }[]>('GET', '/v2/device/reload/2002');
    assert.deepEqual(offered.at(-1), { name: 'Golden', value: image.system });
    await result('POST', '/v2/device/reload', { service: '2002', value: image.system });
    assert.equal((await ended('2002')).status, 'Completed');
    assert.equal(machine(102).system().content, 'golden');
    assert.equal((await machineFind(app.parts.store.queries, 2002))!.template, 'debian-12');
    const asStranger = (method: string, path: string, params?: object) => call(method, path, params, stranger.key);
    assert.deepEqual((await asStranger('GET', '/v2/machine/image')).body.result, []);
    assertRejected(await asStranger('DELETE', '/v2/machine/image', { id: image.id }), 404);
    const reload = { service: strangerService, value: image.system };
    assertRejected(await asStranger('POST', '/v2/device/reload', reload), 422, 'not_in_catalogue');
    await result('DELETE', '/v2/machine/image', { id: image.id });
    assertRejected(await call('POST', '/v2/device/reload', { service: '2002', value: image.system }), 422);
    await tidy();
    assert.deepEqual([await result('GET', '/v2/machine/image'), Object.keys(node.images)], [[], []]);
  });

  test('a machine changes its size and its price together, and its disk never shrinks', async () => {
    const service = '2004';
    const sizes = await result<Result<'machineSizeGet'>>('GET', `/v2/machine/size/${service}`);
    assert.deepEqual([sizes.plan, sizes.downtime, sizes.memorymb], ['Small', 'restart', '512']);
    const offers = sizes.sizes.map(({ plan, difference, possible }) => [plan, difference, possible]);
    assert.deepEqual(offers, [
      ['Large', '4.00', true],
      ['Tiny', '-2.00', false],
    ]);
    assertRejected(await call('PUT', '/v2/machine/size', { service, plan: 'Tiny' }), 409, 'state_conflict');
    assertRejected(await call('PUT', '/v2/machine/size', { service, plan: 'Huge' }), 422, 'not_in_catalogue');
    const byPrice = await call('PUT', '/v2/device/plan', { service, plan: 'Large' });
    assert.match(assertRejected(byPrice, 409, 'state_conflict'), /Resize/);
    const plan = async () => (await termsOfService(app.parts.store.queries, account, Number(service))).at(-1)!.plan;
    node.setMalfunctions({ crashesAt: 'resize' });
    await result('PUT', '/v2/machine/size', { service, plan: 'Large' });
    const ticking = setInterval(() => app.pass(5000), 20);
    await returnsDuringRollback();
    assert.equal((await ended(service)).status, 'Failed');
    assert.deepEqual([machine(104).state.shape.memoryMb, machine(104).state.power, await plan()], [512, 'on', 'Small']);
    await result('PUT', '/v2/machine/size', { service, plan: 'Large' });
    assert.equal((await ended(service).finally(() => clearInterval(ticking))).status, 'Completed');
    const { vcpus, memoryMb, diskGb } = machine(104).state.shape;
    assert.deepEqual([vcpus, memoryMb, diskGb, machine(104).state.power], [2, 1024, 20, 'on']);
    const row = (await machineFind(app.parts.store.queries, 2004))!;
    assert.deepEqual([row.vcpus, row.memory_mb, row.disk_gb, await plan()], [2, 1024, 20, 'Large']);
  });

  if (engine === 'postgres')
    test('a machine that is changing its size is resized from its new size only', async () => {
      const { store } = app.parts;
      const setDisk = (queries: Queries, disk_gb: number): Promise<void> =>
        machineSizeSet(queries, 2002, { vcpus: 1, memory_mb: 512, disk_gb, bandwidth_gb: 1000 });
      const { asked } = await store.transaction(async (changing) => {
        await billingAccountLock(changing, account);
        const started = call('PUT', '/v2/machine/size', { service: '2002', plan: 'Large' });
        await until(async () => (await waitingLocks(changing)) > 0);
        await setDisk(changing, 40);
        return { asked: started };
      });
      assertRejected(await asked, 409, 'state_conflict');
      await setDisk(store.queries, size.diskGb);
    });

  test('what belongs to a machine goes with it, and images go with their account', async () => {
    const { queries } = app.parts.store;
    await machineChange(queries, 2003, { untidy: 2 });
    await tidy();
    assert.deepEqual([await machineFind(queries, 2003), node.machines.has('vm-103')], [undefined, false]);
    assert.deepEqual(
      await queries.selectFrom('machine_snapshots').selectAll().where('service_id', '=', 2003).execute(),
      [],
    );
    await result('POST', '/v2/machine/image', { service: '2001', name: 'Golden' });
    assert.equal((await ended('2001')).status, 'Completed');
    await eraseTable(app.parts.store, 'machine_images', account);
    await tidy();
    assert.deepEqual(
      [await queries.selectFrom('machine_images').selectAll().execute(), Object.keys(node.images)],
      [[], []],
    );
  });
});
