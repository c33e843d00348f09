// Looks at all machines of each node with one question, so that lists and events know what happened behind our back. A node
// that does not answer makes the power of its machines unknown, never off. Traffic is read now and then, machine by machine;
// and what was ordered and could not be made is tried again.
import type { Hypervisor, MachineUse } from '#drivers/hypervisor/driver.ts';
import { metered } from '#equipment/machine-meter.ts';
import type { Nodes } from '#equipment/nodes.ts';
import type { AppendParts } from '#jobs/event-append.ts';
import { machineSeen } from '#jobs/power-seen.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import * as machines from '#store/devices/machines.ts';
import { machineName, type Machine } from '#store/devices/machines.ts';
import { nodeLooked, nodesToLookAt, type NodeRow } from '#store/devices/nodes.ts';
import type { Queries, Store } from '#store/store.ts';
import type { Reconciler } from './reconciler.ts';

export interface MachineSyncParts extends AppendParts {
  readonly store: Store;
  readonly nodes: Nodes;
  readonly log: Log;
}

const everySeconds = 5;
const lookMs = 20_000;
const steadyMs = 30_000;
const firstSilenceMs = 30_000;
const longestSilenceMs = 300_000;
const meterAgainMs = 600_000;
/** In one look, so that a look at a large node stays short. */
const metersInALook = 50;

/** `awaited` sees to it that a machine that is not there yet is being made. */
export function machineSync(
  parts: MachineSyncParts,
  awaited: (queries: Queries, service: number) => Promise<void>,
): Reconciler {
  return {
    name: 'machine-sync',
    everySeconds,
    deadlineSeconds: 60,
    async run(signal) {
      const { store, clock } = parts;
      const due = await nodesToLookAt(store.queries, clock.now());
      await Promise.all(due.map((node) => look(parts, node, signal)));
      const pending = await machines.machinesPending(store.queries);
      for (const { service_id } of pending) await store.transaction((queries) => awaited(queries, service_id));
      return { backlog: pending.length };
    },
  };
}

async function look(parts: MachineSyncParts, node: NodeRow, signal: AbortSignal): Promise<void> {
  const { store, nodes, clock, log } = parts;
  const { queries } = store;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(lookMs)]);
  try {
    await nodes.use(node.name, async (hypervisor) => {
      await seen(parts, node.name, hypervisor, limit);
      await meter(parts, node.name, hypervisor, limit);
    });
    const at = clock.now();
    await nodeLooked(queries, node.name, { seen_at: at, error: null, next_look_at: at + jittered(steadyMs) });
  } catch (error) {
    // Whatever it is, it is this node's and no other's.
    if (!(error instanceof Fault)) log.error({ err: error, node: node.name }, 'a node could not be looked at');
    const code = error instanceof Fault ? error.code : 'internal_error';
    const at = clock.now();
    const silentForMs = Math.max(0, at - (node.seen_at ?? at));
    const again = at + jittered(Math.min(longestSilenceMs, Math.max(firstSilenceMs, silentForMs)));
    await machines.machinesUnknownOnNode(queries, node.name, code);
    await nodeLooked(queries, node.name, { error: code, next_look_at: again });
  }
}

/** Few statements however many machines there are: only those that are not as they were are written one by one. */
async function seen(parts: MachineSyncParts, node: string, hypervisor: Hypervisor, limit: AbortSignal): Promise<void> {
  const { store, clock } = parts;
  const known = await machines.machinesOfNode(store.queries, node);
  const at = clock.now();
  const found = new Map((await hypervisor.machines.list(limit)).map((each) => [each.name, each]));
  const absent: number[] = [];
  const alike: number[] = [];
  for (const machine of known) {
    const now = found.get(machineName(machine.vmid));
    if (now === undefined) absent.push(machine.service_id);
    else if (now.power === machine.power_state && (now.member ?? null) === machine.member)
      alike.push(machine.service_id);
    else await changed(parts, machine, now.power, now.member ?? null);
  }
  await machines.machinesConfirm(store.queries, alike, at);
  // Somebody removed it behind our back: it is not off, it is not there.
  await machines.machinesUnknown(store.queries, absent, 'absent');
}

async function changed(
  parts: MachineSyncParts,
  { service_id: service, account_id: account, power_seen_at }: Machine,
  state: 'on' | 'off',
  member: string | null,
): Promise<void> {
  await parts.store.transaction(async (queries) => {
    // A command was faster than the answer of the node, which is older than what is on record.
    if ((await machines.machineFind(queries, service))?.power_seen_at !== power_seen_at) return;
    await machines.machineMember(queries, service, member);
    await machineSeen(parts, queries, { account, service }, { state, source: 'sync', at: parts.clock.now() });
  });
}

async function meter(parts: MachineSyncParts, node: string, hypervisor: Hypervisor, limit: AbortSignal): Promise<void> {
  const { store, clock } = parts;
  const due = await machines.machinesToMeter(store.queries, node, clock.now(), metersInALook);
  const now = clock.now();
  const read: { machine: Machine; use: MachineUse }[] = [];
  for (const machine of due)
    read.push({ machine, use: await hypervisor.statistics.read(machineName(machine.vmid), limit) });
  await store.transaction(async (queries) => {
    for (const { machine, use } of read) {
      const next_meter_at = now + jittered(meterAgainMs);
      await machines.machineMetered(queries, machine, { ...metered(machine, use, now), next_meter_at });
    }
  });
}

/** Down to three quarters, so that nodes that were started together are not looked at together for ever. */
function jittered(milliseconds: number): number {
  return Math.round(milliseconds * (0.75 + Math.random() / 4));
}
