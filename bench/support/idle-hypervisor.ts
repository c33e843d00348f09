// A lab hypervisor as a process of the lowest priority, so that it does not delay the requests that a benchmark measures: a real one is
// another machine.
import { startLabHypervisor } from '#lab/hypervisor/hypervisor.ts';

process.once('message', async (settings: Parameters<typeof startLabHypervisor>[0]) => {
  const { address, port } = await startLabHypervisor(settings);
  process.send!({ address, port });
});
process.once('disconnect', () => process.exit());
