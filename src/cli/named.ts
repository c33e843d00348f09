// People call things by name, the API by number: a service by its host name or its place, a zone by its domain.
import type { Client, Device, Zone, ZoneRecord } from '#sdk/v2.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

const isNumber = (text: string): boolean => /^[0-9]+$/.test(text);

export async function serviceId(client: Client, name: string): Promise<string> {
  return isNumber(name) ? name : (await deviceNamed(client, name)).service;
}

export async function deviceNamed(client: Client, name: string): Promise<Device> {
  const devices = await client.deviceList(isNumber(name) ? { service: name } : {});
  const wanted = name.toLowerCase();
  const found = devices.filter((device) =>
    isNumber(name) ? device.service === name : namesOf(device).some((each) => each.toLowerCase() === wanted),
  );
  if (found.length > 1)
    throw new CommandError(`More than one service is called ${name}: use its number.`, exitCodes.usage);
  if (found[0] === undefined) throw new CommandError(`There is no service ${name}.`, exitCodes.notFound);
  return found[0];
}

/** The place of a dedicated server, as the older calls name it. */
export async function serverPlace(client: Client, name: string): Promise<string> {
  const device = await deviceNamed(client, name);
  if ('server' in device) return device.server;
  throw new CommandError(`${device.hostname} is a virtual machine: only a dedicated server has this.`);
}

export async function zoneNamed(client: Client, name: string): Promise<Zone> {
  const wanted = name.toLowerCase().replace(/\.$/, '');
  for await (const zone of client.each.zoneList()) if (zone.name === wanted || zone.domain_id === wanted) return zone;
  throw new CommandError(`There is no zone ${name}.`, exitCodes.notFound);
}

/** Records by their ids, with what they say. */
export async function recordsIn(
  client: Client,
  zone: string,
  ids: readonly string[],
): Promise<{ domain: string; records: ZoneRecord[] }> {
  const { domain_id: domain, name } = await zoneNamed(client, zone);
  const present = await client.recordList({ domain });
  const records = ids.map((id) => {
    const record = present.find((each) => each.id === id);
    if (record === undefined) throw new CommandError(`There is no record ${id} in ${name}.`, exitCodes.notFound);
    return record;
  });
  return { domain, records };
}

/** A record by its id, with what it says. */
export async function recordIn(
  client: Client,
  zone: string,
  id: string,
): Promise<{ domain: string; record: ZoneRecord }> {
  const { domain, records } = await recordsIn(client, zone, [id]);
  return { domain, record: records[0]! };
}

export function namesOf(device: Device): string[] {
  return [device.hostname, device.name, 'server' in device ? device.server : device.vmid];
}
