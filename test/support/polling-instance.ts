// A process that polls the switches in a database as an instance does, and prints each poll as its name and the time that it was
// planned for, which identifies the interval.
//
//   node test/support/polling-instance.ts DATABASE INSTANCE
import { createLog } from '#lib/log.ts';
import { pollingReconciler } from '#reconcilers/poll.ts';
import { startReconcilers } from '#reconcilers/reconciler.ts';
import { switchesToPoll, switchPollSet } from '#store/network/switches.ts';
import { openStore } from '#store/open.ts';

const [database, instanceId] = process.argv.slice(2);
const intervalMs = 2000;
const store = await openStore({ dataFolder: '/nowhere', database });
const clock = { now: Date.now };
await startReconcilers({ store, clock, log: createLog('silent'), instanceId: instanceId! }, [
  pollingReconciler(
    'traffic-poll',
    (limit) => switchesToPoll(store.queries, clock.now(), limit),
    async ({ name, next_poll_at }) => {
      await switchPollSet(store.queries, name, { next_poll_at: clock.now() + intervalMs, poll_error: null });
      console.log(`${name} ${next_poll_at}`);
    },
  ),
]);
