// An account's machines with what their customers manage: group, protection and deletion.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { OwnMachine } from '#contract/shapes/machine.ts';
import type { machineV2 } from '#contract/v2/machine.ts';
import { optionalTimeText } from '#lib/time.ts';
import { machineChange, ownMachinePage } from '#store/devices/machines.ts';
import { requireMachine, serviceOf } from '../services/services.ts';
import type { Context } from '../app.ts';

const pageLength = 100;

export async function machineList(
  { queries, caller }: Context,
  { limit = pageLength, after = 0 }: InputOf<typeof machineV2.machineList>,
): Promise<Static<typeof OwnMachine>[]> {
  const services = caller.services === undefined ? undefined : [...caller.services];
  if (services?.length === 0) return [];
  return (await ownMachinePage(queries, caller.account, { after, limit, services })).map((machine) => ({
    service: String(machine.service_id),
    vmid: String(machine.vmid),
    hostname: machine.hostname,
    status: machine.status,
    ip: machine.ip,
    system: machine.template,
    type: machine.kind,
    location: machine.location ?? '',
    vcpus: String(machine.vcpus),
    memorymb: String(machine.memory_mb),
    diskgb: String(machine.disk_gb),
    group: machine.group_id === null ? '' : String(machine.group_id),
    protection: machine.is_protected === 1 ? ('enabled' as const) : ('disabled' as const),
    deleted: optionalTimeText(machine.deleted_at),
    restorableto: optionalTimeText(machine.expires_at),
  }));
}

export async function machineProtectionSet(
  context: Context,
  { service: id, protection }: InputOf<typeof machineV2.machineProtectionSet>,
): Promise<void> {
  const service = requireMachine(await serviceOf(context, id));
  await machineChange(context.queries, service.id, { is_protected: protection === 'enabled' ? 1 : 0 });
  context.emit('machine.protection.changed', { protection }, service.id);
}
