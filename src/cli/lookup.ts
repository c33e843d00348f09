// Resolves the names that people use to the ids of the API: a service by hostname or server, a zone by domain, an invoice
// by number.
import type { Client, Device, Zone, ZoneRecord } from '#sdk/v2.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

const isId = (text: string): boolean => /^[0-9]+$/.test(text);

export async function resolveServiceId(client: Client, name: string): Promise<string> {
  return isId(name) ? name : (await findDevice(client, name)).service;
}

/** Returns an optional service as a filter: `{}` if none is named. */
export async function serviceFilter(client: Client, name: string | undefined): Promise<{ service?: string }> {
  return name === undefined ? {} : { service: await resolveServiceId(client, name) };
}

export async function findDevice(client: Client, name: string): Promise<Device> {
  const devices = await client.deviceList(isId(name) ? { service: name } : {});
  const matches = devices.filter((device) =>
    isId(name) ? device.service === name : namesOf(device).some((own) => isSameText(own, name)),
  );
  if (matches.length > 1)
    throw new CommandError(`Several services are named ${name}. Use the service id.`, exitCodes.usage);
  if (matches[0] === undefined) throw notFound('Service', name);
  return matches[0];
}

/** Returns a dedicated server with its name in the legacy API. */
export async function findLegacyServer(client: Client, name: string): Promise<Extract<Device, { alias: string }>> {
  const device = await findDevice(client, name);
  if ('server' in device) return device;
  throw new CommandError(`${device.hostname} is a virtual machine. This command is for dedicated servers only.`);
}

export async function findZone(client: Client, name: string): Promise<Zone> {
  const domain = name.toLowerCase().replace(/\.$/, '');
  for await (const zone of client.each.zoneList()) if (zone.name === domain || zone.domain_id === domain) return zone;
  throw notFound('Zone', name);
}

/** Returns the id of an invoice by its number; digits alone are an id. */
export async function resolveInvoiceId(client: Client, name: string): Promise<string> {
  if (isId(name)) return name;
  const invoices = await client.invoiceGet();
  const matches = 'invoiceid' in invoices ? [] : invoices.filter(({ invoicenum }) => isSameText(invoicenum, name));
  if (matches[0] === undefined) throw notFound('Invoice', name);
  return matches[0].id;
}

/** An id takes precedence over the same name of another. */
export function findByIdOrName<Item extends { readonly id: string; readonly name: string }>(
  items: readonly Item[],
  noun: string,
  name: string,
): Item {
  const found = items.find(({ id }) => id === name) ?? items.find((item) => item.name === name);
  if (found === undefined) throw notFound(noun, name);
  return found;
}

export async function findRecords(
  client: Client,
  zone: string,
  ids: readonly string[],
): Promise<{ domain: string; records: ZoneRecord[] }> {
  const { domain_id: domain, name } = await findZone(client, zone);
  const zoneRecords = await client.recordList({ domain });
  const records = ids.map((id) => {
    const record = zoneRecords.find((candidate) => candidate.id === id);
    if (record === undefined) throw notFound('Record', `${id} in ${name}`);
    return record;
  });
  return { domain, records };
}

function isSameText(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

export function notFound(noun: string, name: string): CommandError {
  return new CommandError(`${noun} ${name} not found.`, exitCodes.notFound);
}

function namesOf(device: Device): string[] {
  return [device.hostname, device.name, ...('server' in device ? [device.server, device.alias] : [device.vmid])];
}
