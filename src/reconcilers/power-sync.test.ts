// The power sync over a fleet of lab controllers, some of them dead.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { bmcSealContext, openBmcs, type Bmcs } from '#equipment/bmcs.ts';
import { makeLog } from '#kernel/log.ts';
import { secretBox } from '#kernel/secrets.ts';
import { startLabBmc, type LabBmc } from '#lab/bmc/bmc.ts';
import type { Store } from '#store/store.ts';
import { serverFind, serverPut } from '#store/devices/servers.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { powerSync } from './power-sync.ts';
import { openTestStore } from '#test/support/store.ts';

const admin = { username: 'provider', password: 'secret-enough' };
const nameOf = (index: number): string => `dc01r01ds${String(index).padStart(2, '0')}`;

async function openFleetOf(count: number) {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('power-sync'));
  const store = await openTestStore({ dataFolder: folder.path, database: undefined });
  owned.defer(() => store.close());
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
  const kept = owned.move();
  return {
    store,
    fleet,
    bmcs,
    sync: (through: Bmcs = bmcs) =>
      powerSync({ store, clock, log: makeLog('silent'), bmcs: through, jobs: { enqueue: async () => '' } }),
    pass: (milliseconds: number) => void (ahead += milliseconds),
    now: clock.now,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
const forEver = new AbortController().signal;
const rowOf = async (store: Store, index: number) => (await serverFind(store.queries, nameOf(index)))!;

describe('the power sync', () => {
  it('is not held up by one dead controller in ten', async () => {
    await using yard = await openFleetOf(10);
    yard.fleet[0]!.setFaults({ isSilent: true });
    for (const bmc of yard.fleet) bmc.chassis.turnOn();
    const running = yard.sync().run(forEver);
    const seen = async () =>
      (await Promise.all(yard.fleet.map((_, index) => rowOf(yard.store, index)))).filter(
        ({ power_state }) => power_state === 'on',
      ).length;
    // Before the dead one is given up, all others are known.
    let isOver = false;
    void running.then(() => (isOver = true));
    while ((await seen()) < 9) await sleep(10);
    assert.equal(isOver, false);
    await running;
    const dead = await rowOf(yard.store, 0);
    assert.deepEqual([dead.power_state, dead.power_error], [null, 'bmc_unreachable']);
  });

  it('looks soon again at what has changed, later at what is steady, and latest at what is silent', async () => {
    await using yard = await openFleetOf(3);
    const sync = yard.sync();
    for (const bmc of yard.fleet) bmc.chassis.turnOn();
    await sync.run(forEver);
    yard.pass(45_001);
    yard.fleet[0]!.chassis.turnOff();
    yard.fleet[2]!.setFaults({ refusesSessions: true });
    await yard.bmcs.use(nameOf(2), async (bmc) => bmc[Symbol.asyncDispose]());
    await sync.run(forEver);
    const delays = await Promise.all(
      [0, 1, 2].map(async (index) => (await rowOf(yard.store, index)).next_look_at - yard.now()),
    );
    assert.ok(delays[0]! <= 45_000 && delays[1]! <= 45_000, String(delays));
    // The longer nobody answers, the longer until the next look, but never longer than five minutes.
    yard.pass(3_600_000);
    await sync.run(forEver);
    const silent = (await rowOf(yard.store, 2)).next_look_at - yard.now();
    assert.ok(silent > 200_000 && silent <= 300_000, String(silent));
    const last = await rowOf(yard.store, 2);
    assert.deepEqual([last.power_state, last.power_error === null], ['on', false], 'what was seen stays on record');
  });

  it('has a budget: so many looks at once and in a run, and what is left is the backlog', async () => {
    await using yard = await openFleetOf(1);
    const row = await rowOf(yard.store, 0);
    const many = Array.from({ length: 600 }, (_, index) => ({ ...row, name: `other${index}` }));
    for (let at = 0; at < many.length; at += 100)
      await yard.store.queries
        .insertInto('servers')
        .values(many.slice(at, at + 100))
        .execute();
    let atOnce = 0;
    let most = 0;
    let looks = 0;
    // All of them have the one controller.
    const counting: Bmcs = {
      ...yard.bmcs,
      async use(_, work) {
        looks++;
        most = Math.max(most, ++atOnce);
        return yard.bmcs.use(nameOf(0), work).finally(() => atOnce--);
      },
    };
    const sync = yard.sync(counting);
    assert.deepEqual(await sync.run(forEver), { backlog: 500 });
    assert.deepEqual([looks, most <= 100], [500, true]);
    assert.deepEqual(await sync.run(forEver), { backlog: 0 });
    assert.equal(looks, 601);
  });

  it('goes on though one server cannot be looked at for a reason of ours', async () => {
    await using yard = await openFleetOf(2);
    await yard.store.queries.updateTable('servers').set({ bmc_driver: 'gone' }).where('name', '=', nameOf(0)).execute();
    yard.fleet[1]!.chassis.turnOn();
    await yard.sync().run(forEver);
    assert.equal((await rowOf(yard.store, 0)).power_error, 'internal_error');
    assert.equal((await rowOf(yard.store, 1)).power_state, 'on');
  });
});
