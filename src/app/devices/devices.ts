// Lists devices.
import type { Static } from 'typebox';
import type { Device, ServiceType } from '#contract/shapes/device.ts';
import { serviceLabels, type Service } from '#store/devices/services.ts';
import { legacyNames } from '../servers/names.ts';
import { visibleServices } from '../services/visible-services.ts';
import { serviceOf } from '../services/services.ts';
import type { Context } from '../app.ts';

export async function deviceList(
  context: Context,
  filter: { type?: ServiceType; service?: number; label?: string },
): Promise<Static<typeof Device>[]> {
  const found =
    filter.service === undefined ? await visibleServices(context) : [await serviceOf(context, filter.service)];
  const services = found.filter(({ type }) => type === (filter.type ?? type));
  const aliases = await legacyNames(
    context.queries,
    services.flatMap(({ server }) => server ?? []),
  );
  const { label } = filter;
  return services
    .filter(({ labels }) => label === undefined || serviceLabels.decode(labels).includes(label))
    .map((service) => deviceEntry(service, aliases));
}

export async function deviceType(context: Context, id: number): Promise<ServiceType> {
  return (await serviceOf(context, id)).type;
}

function deviceEntry(service: Service, aliases: ReadonlyMap<string, string>): Static<typeof Device> {
  const { name, hostname, status, ip } = service;
  const labels = serviceLabels.decode(service.labels).join();
  const entry = { service: String(service.id), name, hostname, status, ip, labels };
  return service.type === 'dedicated'
    ? { ...entry, type: service.type, server: service.server ?? '', alias: aliases.get(service.server ?? '') ?? '' }
    : { ...entry, type: service.type, vmid: String(service.vmid) };
}
