// The operator's report on hypervisors and virtual machines: where each machine runs, its last known state, and why
// a machine is pending.
import { machineProblem, machinesAll } from '#store/devices/machines.ts';
import { hypervisorList } from '#store/devices/hypervisors.ts';
import type { App } from '../app.ts';

/** Returns lines for the command line: hypervisors, then machines. */
export async function machineReport({ store }: App): Promise<string[]> {
  const hypervisors = (await hypervisorList(store.queries)).map(({ name, driver, error, seen_at }) => {
    const state = error !== null ? `does not respond (${error})` : seen_at === null ? 'not checked yet' : 'responds';
    return `hypervisor ${name}  ${driver}  ${state}`;
  });
  const machines = (await machinesAll(store.queries)).map((machine) => {
    const { vmid, service_id, node, member, state, power_state, power_error, hypervisor_name, unfiltered } = machine;
    const reason = machineProblem(machine);
    const place = member === null ? (node ?? '-') : `${node} (${member})`;
    const power = power_error === null ? (power_state ?? 'unknown') : `unknown (${power_error})`;
    const now = state === 'ready' ? power : `Pending: ${reason === '' ? 'being created.' : reason}`;
    const problem = state === 'ready' && reason !== '' ? `  ${reason}` : '';
    const name = hypervisor_name === null ? `vm-${vmid}` : `vm-${vmid} (${hypervisor_name})`;
    const filter = unfiltered === 0 ? '' : '  not filtered';
    return `${name}  service ${service_id}  ${place}  ${now}${problem}${filter}`;
  });
  return [...hypervisors, ...machines];
}
