// An instance that runs workflows, for workflows.test.ts to kill. Arguments: shelf, data folder, and PostgreSQL's URL.
import { pino } from 'pino';
import { openQueue } from '#queue/open.ts';
import { systemClock } from '#lib/clock.ts';
import { openStore } from '#store/open.ts';
import { fickle } from '#test/support/shelf-fixture.ts';
import { workflowWorker } from '#workflows/engine/worker.ts';

const [folder, dataFolder, database] = process.argv.slice(2);
const store = await openStore({ dataFolder: dataFolder!, database });
const parts = { store, clock: systemClock, log: pino({ level: 'warn' }), instanceId: `node ${process.pid}` };
const queue = await openQueue(parts, database);
await queue.start([workflowWorker({ ...parts, queue, deps: { folder: folder! }, workflows: [fickle] })]);
console.log('works');
