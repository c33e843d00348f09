// A device with its history, for the staff who work on it.
import type { Static } from 'typebox';
import type { OperatorDeviceDetail } from '#contract/shapes/operator-service.ts';
import { requireFound } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { certificatesOfServer } from '#store/devices/certificates.ts';
import { deviceHolds } from '#store/devices/device-holds.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { machineFind, machineName } from '#store/devices/machines.ts';
import { tenantsBefore } from '#store/devices/reclaims.ts';
import { serverFind, serverInventory } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import { rackMountOf } from '#store/devices/racks.ts';
import type { Context } from '../app.ts';
import { deviceList } from './devices.ts';
import { serviceOfDevice, vmidOf } from './device-operations.ts';

const historyLength = 100;

export async function deviceGet(context: Context, name: string): Promise<Static<typeof OperatorDeviceDetail>> {
  const { queries, app } = context;
  const device = name.toLowerCase();
  const service = await serviceOfDevice(context, device);
  const isServer = vmidOf(device) === undefined;
  const listed = requireFound(await findListed(context, device), 'Device not found.');
  const server = isServer ? await serverFind(queries, device) : undefined;
  const row = server ?? (service && (await machineFind(queries, service.id)));
  const lock = await deviceLockFind(queries, device, app.clock.now());
  const mount = isServer ? await rackMountOf(queries, 'server', device) : undefined;
  const former = isServer ? await tenantsBefore(queries, device, historyLength) : [];
  const certificates = isServer ? await certificatesOfServer(queries, device, historyLength) : [];
  const firmware = server?.inventory == null ? {} : serverInventory.decode(server.inventory).firmware;
  return {
    ...listed,
    hostname: service?.hostname ?? '',
    type: service?.type ?? 'dedicated',
    status: service?.status ?? '',
    ip: service?.ip ?? '',
    rack: mount?.rack ?? '',
    unit: mount === undefined ? '' : String(mount.unit),
    seen: row?.power_seen_at == null ? '' : timeText(row.power_seen_at),
    error: row?.power_error ?? '',
    lock: lock === undefined ? [] : [{ purpose: lock.purpose, holder: lock.holder, until: timeText(lock.held_until) }],
    holds: (await deviceHolds(queries, device)).map(({ kind, reason, operator, since }) => ({
      kind,
      reason,
      operator,
      since: timeText(since),
    })),
    firmware: Object.entries(firmware).map(([component, version]) => ({ component, version })),
    tenants: [
      ...(service === undefined ? [] : [{ ...tenantOf(service), until: '' }]),
      ...former.map((tenant) => ({
        ...tenantOf(tenant),
        until: timeText(tenant.ended_at),
      })),
    ],
    certificates: certificates.map(({ id, issued_at, former_service_id, service_id }) => ({
      id,
      issued: timeText(issued_at),
      formerservice: numberText(former_service_id),
      service: numberText(service_id),
    })),
  };
}

/** Returns the device as the list has it. Of machines, it is the first after the number before its own. */
async function findListed(context: Context, device: string) {
  const vmid = vmidOf(device);
  const [listed] = await (vmid === undefined
    ? deviceList(context, { limit: 1 }, device)
    : deviceList(context, { kind: 'machine', limit: 1, after: machineName(vmid - 1) }));
  return listed?.device === device ? listed : undefined;
}

function tenantOf({ id, account_id, hostname }: Pick<Service, 'id' | 'account_id' | 'hostname'>) {
  return { service: String(id), account: String(account_id), hostname };
}

function numberText(id: number | null): string {
  return id === null ? '' : String(id);
}
