// A lab hypervisor in a separate thread of the lowest priority, so that it does not delay the requests that a benchmark measures: a real one
// is another machine.
import { parentPort, workerData } from 'node:worker_threads';
import { startLabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { runWhenIdle } from '#lib/idle-thread.ts';

runWhenIdle();
const { address, port } = await startLabHypervisor(workerData as Parameters<typeof startLabHypervisor>[0]);
parentPort!.postMessage({ address, port });
