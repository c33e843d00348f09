// A node that carries out billing runs and shoots itself at a given moment, for billing-run.test.ts. Its arguments: moment, data
// folder, and PostgreSQL's address.
import { pino } from 'pino';
import { billingOffice } from '#app/billing/run.ts';
import { openJobs } from '#jobs/open.ts';
import { systemClock } from '#kernel/clock.ts';
import { openStore } from '#store/open.ts';
import { billingRun, type BillingOffice } from '#workflows/billing-run.ts';
import { workflowWorker } from '#workflows/runner.ts';

const [fatal, dataFolder, database] = process.argv.slice(2);
/** Some runs are through by then, and others under way. */
const fatalTime = 3;

const store = await openStore({ dataFolder: dataFolder!, database });
const parts = { store, clock: systemClock, log: pino({ level: 'warn' }), node: `node ${process.pid}` };
const jobs = await openJobs(parts, database);
const office = billingOffice({ ...parts, jobs }) as BillingOffice;

let times = 0;
function passing(moment: string): void {
  if (moment === fatal && ++times === fatalTime) process.kill(process.pid, 'SIGKILL');
}

let billed = false;
store.onCommit(() => {
  if (billed) passing('bill is committed');
  billed = false;
});
const mortal: BillingOffice = {
  async measure(account, periodDay) {
    passing('before measuring');
    const measured = await office.measure(account, periodDay);
    passing('after measuring');
    return measured;
  },
  async bill(queries, account, periodDay, measured) {
    passing('before the bill');
    await office.bill(queries, account, periodDay, measured);
    billed = true;
    passing('bill is written but not committed');
  },
  runOver: (queries, account) => office.runOver(queries, account),
};
await jobs.start([workflowWorker({ ...parts, jobs, deps: { billing: mortal }, workflows: [billingRun] })]);
console.log('works');
