import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { hourMs } from '#lib/time.ts';
import { reconcilerRegister, reconcilerStates } from '#store/work/reconcilers.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { until } from '#test/support/until.ts';
import { openClock, watchClock } from './clock-watch.ts';

test('what was written with the old clock just after a jump back is moved, even if the clock jumps again at once', async () => {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'clock');
  const systemTime = Date.now.bind(Date);
  let aheadMs = 0;
  const setClock = async (ms: number): Promise<void> => {
    aheadMs = ms;
    await until(() => Math.abs(clock.now() - systemTime() - ms) < 1000);
  };
  const faked = mock.method(Date, 'now', () => systemTime() + aheadMs);
  owned.defer(() => faked.mock.restore());
  const clock = await openClock(store);
  const watch = await watchClock({ store, clock, log: createLog('silent') });
  owned.defer(() => watch.stop());
  await reconcilerRegister(store.queries, 'planned');
  const oldNow = clock.now();
  await setClock(-2 * hourMs);
  const lease = { lease_until: oldNow + 20_000 };
  await store.queries.updateTable('reconcilers').set(lease).execute();
  await setClock(-hourMs);
  const leaseMs = async (): Promise<number> => (await reconcilerStates(store.queries))[0]!.lease_until - clock.now();
  await until(async () => (await leaseMs()) < 30_000, { saw: leaseMs, patienceMs: 30_000 });
  assert.ok((await leaseMs()) > 0, 'it lasts as long as it would have without jumps');
});
