// Hypervisors as operators see them: state and capacity as last read, and the machines on each.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Node, NodeMachine, nodeOperator } from '#contract/operator/node.ts';
import { requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import { nodeCapacity } from '#store/devices/hypervisors.ts';
import { machineName } from '#store/devices/machines.ts';
import { machinesOfNode, machineTotals, nodeFind, nodePage } from '#store/operator/operator-nodes.ts';
import type { MachineTotals, NodeRow } from '#store/operator/operator-nodes.ts';
import type { Queries } from '#store/store.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';
import { equipmentCondition, numberText, positionsOf } from './equipment-shapes.ts';

export async function nodeList(
  { app, queries }: Context,
  { limit = pageLength, after = '' }: InputOf<typeof nodeOperator.nodeList>,
): Promise<Static<typeof Node>[]> {
  return describeNodes(queries, await nodePage(queries, after, limit), app.clock.now());
}

export async function nodeGet({ app, queries }: Context, name: string): Promise<Static<typeof Node>> {
  const row = requireFound(await nodeFind(queries, name), 'Hypervisor not found.');
  return (await describeNodes(queries, [row], app.clock.now()))[0]!;
}

async function describeNodes(queries: Queries, rows: readonly NodeRow[], now: number): Promise<Static<typeof Node>[]> {
  const names = rows.map(({ name }) => name);
  const totals = await machineTotals(queries, names);
  const positions = await positionsOf(queries, 'node', names);
  return rows.map((row) => {
    const machines = totals.get(row.name) ?? { machines: 0, vcpus: 0, pendingMb: 0, pendingGb: 0 };
    return {
      name: row.name,
      driver: row.driver,
      ...equipmentCondition({ ...row, seenAt: row.seen_at, nextAt: row.next_look_at }, now),
      machines: String(machines.machines),
      vcpus: String(machines.vcpus),
      ...capacityShape(row, machines),
      ...maintenanceShape(row),
      ...positions(row.name),
    };
  });
}

function maintenanceShape(row: NodeRow) {
  const { maintenance_since, maintenance_reason, evacuation_since, evacuation_ended_at } = row;
  return {
    maintenance: optionalTimeText(maintenance_since),
    maintenancereason: maintenance_reason,
    evacuation:
      evacuation_since === null
        ? ('none' as const)
        : evacuation_ended_at === null
          ? ('running' as const)
          : ('ended' as const),
  };
}

function capacityShape({ capacity, capacity_at }: NodeRow, { pendingMb, pendingGb }: MachineTotals) {
  const { total = undefined, free = undefined } = capacity === null ? {} : nodeCapacity.decode(capacity);
  return {
    version: total?.version ?? '',
    cpus: numberText(total?.cpus),
    memorymb: amountShape(total?.memoryMb, free?.memoryMb, pendingMb),
    diskgb: amountShape(total?.diskGb, free?.diskGb, pendingGb),
    read: capacity === null ? '' : timeText(capacity_at!),
  };
}

function amountShape(total: number | undefined, free: number | undefined, reserved: number) {
  return {
    total: numberText(total),
    used: numberText(total === undefined || free === undefined ? undefined : Math.max(0, total - free)),
    reserved: String(reserved),
    free: numberText(free),
  };
}

export async function machineList(
  { queries }: Context,
  { node, limit = pageLength, after = 0 }: InputOf<typeof nodeOperator.machineList>,
): Promise<Static<typeof NodeMachine>[]> {
  requireFound(await nodeFind(queries, node), 'Hypervisor not found.');
  return (await machinesOfNode(queries, node, after, limit)).map((machine) => ({
    vmid: String(machine.vmid),
    device: machineName(machine.vmid),
    service: String(machine.service_id),
    account: String(machine.account_id),
    hostname: machine.hostname,
    status: machine.status,
    state:
      machine.state === 'pending'
        ? 'pending'
        : machine.power_error === null
          ? (machine.power_state ?? 'unknown')
          : 'unknown',
    seen: optionalTimeText(machine.power_seen_at),
    error: machine.power_error ?? '',
    member: machine.member ?? '',
    vcpus: String(machine.vcpus),
    memorymb: String(machine.memory_mb),
    diskgb: String(machine.disk_gb),
  }));
}
