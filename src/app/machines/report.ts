// What the operator is told of virtual machines: where each runs, what was last seen of it, and why one is not there yet.
import { machinesAll } from '#store/devices/machines.ts';
import { nodeList } from '#store/devices/nodes.ts';
import type { Yard } from '../yard.ts';

/** Lines for the command line: nodes, then machines. */
export async function machineReport({ store }: Yard): Promise<string[]> {
  const nodes = (await nodeList(store.queries)).map(({ name, driver, error, seen_at }) => {
    const state = error !== null ? `does not answer (${error})` : seen_at === null ? 'not looked at yet' : 'answers';
    return `node ${name}  ${driver}  ${state}`;
  });
  const machines = (await machinesAll(store.queries)).map((machine) => {
    const { vmid, service_id, node, member, state, reason, power_state, power_error } = machine;
    const place = member === null ? (node ?? '-') : `${node} (${member})`;
    const power = power_error === null ? (power_state ?? 'unknown') : `unknown (${power_error})`;
    const now = state === 'ready' ? power : `Pending: ${reason === '' ? 'it is being made.' : reason}`;
    return `vm-${vmid}  service ${service_id}  ${place}  ${now}`;
  });
  return [...nodes, ...machines];
}
