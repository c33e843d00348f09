// The power sync over a fleet of lab BMCs, some of them dead.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { bmcSealContext, openBmcs, type Bmcs } from '#equipment/bmcs.ts';
import { createLog } from '#lib/log.ts';
import { secretBox } from '#lib/secrets.ts';
import { startLabBmc, type LabBmc } from '#lab/bmc/bmc.ts';
import type { Store } from '#store/store.ts';
import { observePower } from '#store/devices/device-states.ts';
import { serverFind, serverInventory, serverInventorySet, serverPut } from '#store/devices/servers.ts';
import { readFruData } from '#protocols/ipmi/commands/storage.ts';
import { until } from '#test/support/until.ts';
import { powerSync } from './power-sync.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { withResources } from '#test/support/resources.ts';

const admin = { username: 'provider', password: 'secret-enough' };
const nameOf = (index: number): string => `dc01r01ds${String(index).padStart(2, '0')}`;

async function openFleetOf(count: number) {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'power-sync');
  const secrets = secretBox(Buffer.alloc(32));
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const bmcs = openBmcs({ store, clock, secrets, drivers: openBmcDrivers() });
  owned.defer(() => bmcs.close());
  const fleet: LabBmc[] = [];
  for (let index = 0; index < count; index++) {
    const bmc = owned.use(await startLabBmc({ admin }));
    fleet.push(bmc);
    const settings = JSON.stringify({ address: bmc.address, port: bmc.port, ...admin });
    const sealed = secrets.seal(settings, bmcSealContext(nameOf(index)));
    const plain = { bmc_driver: 'ipmi', bmc_model: 'lab', console_host: 'console', parts: '{}' };
    await serverPut(store.queries, { name: nameOf(index), bmc_settings: sealed, ...plain });
  }
  return withResources(owned, {
    store,
    fleet,
    bmcs,
    sync: (through: Bmcs = bmcs) =>
      powerSync({ store, clock, log: createLog('silent'), bmcs: through, queue: { enqueue: async () => '' } }),
    pass: (milliseconds: number) => void (ahead += milliseconds),
    now: clock.now,
  });
}
const forEver = new AbortController().signal;
const rowOf = async (store: Store, index: number) => (await serverFind(store.queries, nameOf(index)))!;

describe('the power sync', () => {
  it('is not delayed by one dead BMC in ten', async () => {
    await using app = await openFleetOf(10);
    app.fleet[0]!.setMalfunctions({ isSilent: true });
    for (const bmc of app.fleet) bmc.chassis.turnOn();
    const running = app.sync().run(forEver);
    const countKnown = async () =>
      (await Promise.all(app.fleet.map((_, index) => rowOf(app.store, index)))).filter(
        ({ power_state }) => power_state === 'on',
      ).length;
    // All others are known before the dead one times out.
    let isOver = false;
    void running.then(() => (isOver = true));
    await until(async () => (await countKnown()) >= 9, { saw: countKnown, pollMs: 10 });
    assert.equal(isOver, false);
    await running;
    const dead = await rowOf(app.store, 0);
    assert.deepEqual([dead.power_state, dead.power_error], [null, 'bmc_unreachable']);
  });

  it('combines the commits of BMCs that fail together', async () => {
    await using app = await openFleetOf(10);
    for (const bmc of app.fleet) bmc.setMalfunctions({ rejectsSessions: true });
    let commits = 0;
    const stop = app.store.onCommit(() => commits++);
    await app.sync().run(forEver);
    stop();
    const rows = await Promise.all(app.fleet.map((_, index) => rowOf(app.store, index)));
    assert.ok(rows.every(({ power_error }) => power_error !== null));
    assert.ok(commits < app.fleet.length, String(commits));
  });

  it('checks changed servers soon, steady ones later and unreachable ones last', async () => {
    await using app = await openFleetOf(3);
    const sync = app.sync();
    for (const bmc of app.fleet) bmc.chassis.turnOn();
    await sync.run(forEver);
    app.pass(45_001);
    app.fleet[0]!.chassis.turnOff();
    app.fleet[2]!.setMalfunctions({ rejectsSessions: true });
    await app.bmcs.use(nameOf(2), async (bmc) => bmc[Symbol.asyncDispose]());
    await sync.run(forEver);
    const delays = await Promise.all(
      [0, 1, 2].map(async (index) => (await rowOf(app.store, index)).next_look_at - app.now()),
    );
    assert.ok(delays[0]! <= 45_000 && delays[0]! < delays[1]!, String(delays));
    // The interval grows with the time without a response, up to five minutes.
    app.pass(3_600_000);
    await sync.run(forEver);
    const silent = (await rowOf(app.store, 2)).next_look_at - app.now();
    assert.ok(silent > 200_000 && silent <= 300_000, String(silent));
    const last = await rowOf(app.store, 2);
    assert.deepEqual(
      [last.power_state, last.power_error === null],
      ['on', false],
      'the last known state stays on record',
    );
  });

  it('drops what a BMC answered before a command that is recorded already', async () => {
    await using app = await openFleetOf(1);
    const { chassis } = app.fleet[0]!;
    chassis.turnOn();
    await app.sync().run(forEver);
    app.pass(60_000);
    chassis.turnOff();
    const use: Bmcs['use'] = async (...call) => {
      const answer = await app.bmcs.use(...call);
      // Once: later calls read the inventory.
      if (chassis.power === 'on') return answer;
      chassis.turnOn();
      const seen = { state: 'on', source: 'command', at: app.now() } as const;
      await observePower(app.store.queries, 'servers', { name: nameOf(0) }, seen);
      return answer;
    };
    await app.sync({ ...app.bmcs, use }).run(forEver);
    const { power_state, power_source } = await rowOf(app.store, 0);
    assert.deepEqual([power_state, power_source], ['on', 'command']);
  });

  it('records hardware and firmware once, of a few servers per run', async () => {
    await using app = await openFleetOf(12);
    const sync = app.sync();
    const inventories = () => Promise.all(app.fleet.map(async (_, index) => (await rowOf(app.store, index)).inventory));
    const count = async () => (await inventories()).filter((inventory) => inventory !== null).length;
    const unsupported = { netFn: readFruData.netFn, code: readFruData.code };
    app.fleet[0]!.setMalfunctions({ unsupportedCommands: [unsupported] });
    app.fleet[1]!.setMalfunctions({ isSilent: true });
    await sync.run(forEver);
    assert.equal(await count(), 0);
    app.pass(60_000);
    await sync.run(forEver);
    assert.equal(await count(), 10);
    app.pass(400_000);
    for (const bmc of app.fleet) bmc.setMalfunctions({ firmware: '6.66' });
    await sync.run(forEver);
    app.pass(60_000);
    await sync.run(forEver);
    const records = (await inventories()).map((inventory) => serverInventory.decode(inventory!));
    const versions = records.map(({ firmware }) => firmware['bmc']);
    assert.equal(versions.filter((version) => version === '2.40 00000001').length, 10, String(versions));
    assert.equal(versions[1], '6.66 00000001');
    assert.match(records[1]!.parts['Motherboard']![0]!, /HY-MB-8/);
  });

  it('limits concurrent checks and checks per run, and reports the rest as backlog', async () => {
    await using app = await openFleetOf(1);
    await serverInventorySet(app.store.queries, nameOf(0), { parts: {}, firmware: {}, memoryMb: null });
    const row = await rowOf(app.store, 0);
    const many = Array.from({ length: 1300 }, (_, index) => ({ ...row, name: `other${index}` }));
    for (let at = 0; at < many.length; at += 100)
      await app.store.queries
        .insertInto('servers')
        .values(many.slice(at, at + 100))
        .execute();
    let atOnce = 0;
    let most = 0;
    let looks = 0;
    const counting: Bmcs = {
      ...app.bmcs,
      async use<T>() {
        looks++;
        most = Math.max(most, ++atOnce);
        await turn();
        atOnce--;
        return 'off' as T;
      },
    };
    const sync = app.sync(counting);
    assert.deepEqual(await sync.run(forEver), { backlog: 1200 });
    assert.deepEqual([looks, most <= 100], [1200, true]);
    assert.deepEqual(await sync.run(forEver), { backlog: 0 });
    assert.equal(looks, 1301);
  });

  it('writes servers that are as they were together, every few minutes', async () => {
    await using app = await openFleetOf(20);
    const sync = app.sync();
    const runFor = async (seconds: number): Promise<void> => {
      for (const end = app.now() + seconds * 1000; app.now() < end; app.pass(20_000)) await sync.run(forEver);
    };
    const seenSince = async (time: number): Promise<number> => {
      const seen = app.store.queries.selectFrom('servers').select('name').where('power_seen_at', '>=', time);
      return (await seen.execute()).length;
    };
    await runFor(100);
    const steadyAt = app.now();
    await runFor(120);
    assert.equal(await seenSince(steadyAt), 0);
    app.fleet[3]!.chassis.turnOn();
    await runFor(60);
    assert.equal((await rowOf(app.store, 3)).power_state, 'on', 'but they are checked');
    await runFor(200);
    assert.equal(await seenSince(steadyAt), 20);
    // Another instance does not wait until they are due in the database.
    app.fleet[4]!.chassis.turnOn();
    const other = app.sync();
    for (let at = 0; at < 80_000; at += 20_000, app.pass(20_000)) await other.run(forEver);
    assert.equal((await rowOf(app.store, 4)).power_state, 'on');
  });

  it('continues if one server cannot be checked because of an internal error', async () => {
    await using app = await openFleetOf(2);
    await app.store.queries.updateTable('servers').set({ bmc_driver: 'gone' }).where('name', '=', nameOf(0)).execute();
    app.fleet[1]!.chassis.turnOn();
    await app.sync().run(forEver);
    assert.equal((await rowOf(app.store, 0)).power_error, 'internal_error');
    assert.equal((await rowOf(app.store, 1)).power_state, 'on');
  });
});
