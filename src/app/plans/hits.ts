// What a planned call is done to, in words that the person who decides on it knows: not an id but the server, the zone, the record.
import { Fault } from '#kernel/fault.ts';
import { contactFind } from '#store/account/contacts.ts';
import { recordFind } from '#store/dns/records.ts';
import { serviceFind } from '#store/devices/services.ts';
import { webhookFind } from '#store/work/webhooks.ts';
import { typeName } from '#wire/dns/types.ts';
import { zoneFind } from '#store/dns/zones.ts';
import type { Context } from '../yard.ts';

type Input = Readonly<Record<string, unknown>>;

/** A fault where something named by its id is not there: such a call would only fail. */
export async function hitsOf(context: Context, operation: string, input: Input): Promise<string[]> {
  const byId = Object.entries(namedById).find(([noun]) => operation.startsWith(noun))?.[1];
  const named = [
    await serviceHit(context, input),
    ...(await zoneHits(context, input)),
    typeof input['id'] === 'number' ? await byId?.(context, input['id']) : undefined,
  ];
  const told = new Set([
    'service',
    // The name of a new zone is the only one that is not an id.
    ...(typeof input['domain'] === 'number' ? ['domain', 'records'] : []),
    ...(typeof input['record'] === 'number' ? ['record'] : []),
    ...(byId === undefined ? [] : ['id']),
  ]);
  const rest = Object.entries(input)
    .filter(([name]) => !told.has(name))
    .map(([name, value]) => `${name}: ${shortened(value)}`);
  return [...named.filter((hit) => hit !== undefined), ...rest];
}

async function serviceHit({ queries, caller }: Context, { service: id }: Input): Promise<string | undefined> {
  if (typeof id !== 'number') return undefined;
  const service = await serviceFind(queries, caller.account, id);
  if (service === undefined) throw new Fault('not_found');
  const device = service.server ?? (service.vmid === null ? '' : `machine ${service.vmid}`);
  return [`service ${id}`, service.type, service.name, device, service.hostname, service.ip]
    .filter((part) => part !== '')
    .join(', ');
}

async function zoneHits({ queries, caller }: Context, { domain, record, records }: Input): Promise<string[]> {
  if (typeof domain !== 'number') return [];
  const zone = await zoneFind(queries, caller.account, domain);
  if (zone === undefined) throw new Fault('not_found');
  const whole = `zone ${zone.name} with ${zone.record_count} records`;
  const ids = [record, ...(Array.isArray(records) ? records : [])].filter((id) => typeof id === 'number');
  const named: string[] = [];
  for (const id of ids) {
    const one = await recordFind(queries, zone, id);
    if (one === undefined) throw new Fault('not_found');
    named.push(`record ${one.name} ${typeName(one.type)} ${one.content}`);
  }
  return [whole, ...named];
}

/** What `id` names, by the first word of the operation. */
const namedById: Readonly<Record<string, (context: Context, id: number) => Promise<string>>> = {
  async contact({ queries, caller }, id) {
    const contact = await contactFind(queries, caller.account, id);
    if (contact === undefined) throw new Fault('not_found');
    return `contact ${contact.firstname} ${contact.lastname}, ${contact.email}`;
  },
  async webhook({ queries, caller }, id) {
    const webhook = await webhookFind(queries, caller.account, id);
    if (webhook === undefined) throw new Fault('not_found');
    return `webhook to ${webhook.url}`;
  },
};

/** A zone file is not read in a question. */
function shortened(value: unknown): string {
  const words = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return words.length > 200 ? `${words.slice(0, 200)}…` : words;
}
