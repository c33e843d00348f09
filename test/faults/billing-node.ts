// An instance that executes billing runs and kills itself at a given point, for billing-run.test.ts. Arguments: the
// point, the data folder, and PostgreSQL's URL.
import { pino } from 'pino';
import { createBillingActions } from '#app/billing/run.ts';
import { openQueue } from '#queue/open.ts';
import { systemClock } from '#lib/clock.ts';
import { openStore } from '#store/open.ts';
import { billingRun, type BillingActions } from '#workflows/billing/billing-run.ts';
import { workflowWorker } from '#workflows/engine/worker.ts';

const [fatal, dataFolder, database] = process.argv.slice(2);
/** Some runs have finished by then, others are in progress. */
const fatalTime = 3;

const store = await openStore({ dataFolder: dataFolder!, database });
const parts = { store, clock: systemClock, log: pino({ level: 'warn' }), instanceId: `node ${process.pid}` };
const queue = await openQueue(parts, database);
const actions = createBillingActions({ ...parts, queue }) as BillingActions;

let times = 0;
function reach(checkpoint: string): void {
  if (checkpoint === fatal && ++times === fatalTime) process.kill(process.pid, 'SIGKILL');
}

let billed = false;
store.onCommit(() => {
  if (billed) reach('bill is committed');
  billed = false;
});
const mortal: BillingActions = {
  async measure(account, periodDay) {
    reach('before measuring');
    const measured = await actions.measure(account, periodDay);
    reach('after measuring');
    return measured;
  },
  async bill(queries, account, periodDay, measured) {
    reach('before the bill');
    await actions.bill(queries, account, periodDay, measured);
    billed = true;
    reach('bill is written but not committed');
  },
  finishRun: (queries, account) => actions.finishRun(queries, account),
};
await queue.start([workflowWorker({ ...parts, queue, deps: { billing: mortal }, workflows: [billingRun] })]);
console.log('works');
