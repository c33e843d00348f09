// Calls of customers that order and delete machines, and that succeed, for the sweeps.
import { dunningHoldInsert } from '#store/billing/dunning-holds.ts';
import { machineDeletionInsert } from '#store/devices/machine-deletions.ts';
import { hypervisorCapacitySet } from '#store/devices/hypervisors.ts';
import { machineChange } from '#store/devices/machines.ts';
import { serviceLoad } from '#store/devices/services.ts';
import type { Example } from './examples.ts';
import type { TestApp } from './app.ts';

const plenty = { memoryMb: 1_000_000, diskGb: 1_000_000 };
let hosts = 0;

/** The input of an operation on machines as a whole, beside its service and group. */
export function machineInputs(operation: string): Example {
  if (operation === 'machineDelete') return { hostname: 'vps1.example.net' };
  if (operation !== 'machineCreate' && operation !== 'machineBackupOrder') return {};
  return {
    plan: 'VPS small',
    ...(operation === 'machineCreate' && { system: 'debian-12' }),
    hostname: `sweep${hosts++}.example.net`,
    location: 'Amsterdam',
    sshkeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 anna'],
    userdata: '#cloud-config\n',
  };
}

/** Puts the lab's machine into the state that the operation needs. Nothing runs jobs, so it stays as it is otherwise. */
export async function prepareForMachines({ lab, parts, equipment }: TestApp, operation: string): Promise<void> {
  const { queries } = parts.store;
  const service = Number(lab.vps.service);
  if (!/^machine(?:Create|Delete|Restore|ProtectionSet|BackupOrder)$/.test(operation)) return;
  const now = parts.clock.now();
  const { account_id } = (await serviceLoad(queries, service))!;
  await queries.deleteFrom('machine_deletions').execute();
  await queries.deleteFrom('service_suspensions').where('service_id', '=', service).execute();
  await queries
    .updateTable('services')
    .set({ status: 'Active', hostname: 'vps1.example.net' })
    .where('id', '=', service)
    .execute();
  await queries
    .updateTable('workflows')
    .set({ ended_at: now, status: 'Completed' })
    .where('service_id', '=', service)
    .where('name', '=', 'machine-delete')
    .execute();
  await machineChange(queries, service, { is_protected: 0 });
  if (operation === 'machineCreate' || operation === 'machineBackupOrder') {
    await hypervisorCapacitySet(queries, equipment.hypervisor.name, { total: plenty, free: plenty }, now);
    await queries.updateTable('nodes').set({ location: 'Amsterdam' }).execute();
    await dunningHoldInsert(queries, { account_id, since: now, operator: 'lab', reason: 'a sweep' } as never);
  }
  if (operation === 'machineRestore') {
    const times = { deleted_at: now, expires_at: now + 3_600_000, until_day: null, otherwise_day: null };
    await machineDeletionInsert(queries, { service_id: service, account_id, ...times });
    await queries.updateTable('services').set({ status: 'Suspended' }).where('id', '=', service).execute();
  }
}
