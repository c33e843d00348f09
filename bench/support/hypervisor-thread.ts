// A lab hypervisor in a separate thread of low priority, so that it does not delay the requests that a benchmark measures: a real one
// is another machine.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { startLabHypervisor } from '#lab/hypervisor/hypervisor.ts';

// On Linux, this concerns the calling thread only.
setPriority(15);
const { address, port } = await startLabHypervisor(workerData as Parameters<typeof startLabHypervisor>[0]);
parentPort!.postMessage({ address, port });
