// A node that works on workflows, for workflows.test.ts to kill. Its arguments: shelf, data folder, and PostgreSQL's address.
import { pino } from 'pino';
import { openJobs } from '#jobs/open.ts';
import { systemClock } from '#kernel/clock.ts';
import { openStore } from '#store/open.ts';
import { fickle } from '#test/support/shelf.ts';
import { workflowWorker } from '#workflows/runner.ts';

const [folder, dataFolder, database] = process.argv.slice(2);
const store = await openStore({ dataFolder: dataFolder!, database });
const parts = { store, clock: systemClock, log: pino({ level: 'warn' }), node: `node ${process.pid}` };
const jobs = await openJobs(parts, database);
await jobs.start([workflowWorker({ ...parts, jobs, deps: { folder: folder! }, workflows: [fickle] })]);
console.log('works');
