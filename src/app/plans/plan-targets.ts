// Describes what a planned call affects in words that the approver knows: the server, zone or record instead of its id.
import { requireFound } from '#lib/api-error.ts';
import { contactFind } from '#store/account/contacts.ts';
import { recordFind } from '#store/dns/records.ts';
import { machineImageFind } from '#store/devices/machine-images.ts';
import { serviceFind } from '#store/devices/services.ts';
import { volumeFind } from '#store/devices/volumes.ts';
import { webhookFind } from '#store/work/webhooks.ts';
import { typeName } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { findZoneOrThrow } from '../dns/change.ts';
import { visibleSets } from '../dns/limits.ts';
import { isServiceVisible } from '../services/limits.ts';

type Input = Readonly<Record<string, unknown>>;

interface Targets {
  /** One line for each. */
  readonly texts: string[];
  /** The service that the call is about. */
  readonly service: number | null;
}

/** Rejects ids that do not exist for the caller, because the call would only fail. */
export async function describeTargets(context: Context, operation: string, input: Input): Promise<Targets> {
  const byId = Object.entries(namedById).find(([noun]) => operation.startsWith(noun))?.[1];
  const named = typeof input['id'] === 'number' ? await byId?.(context, input['id']) : undefined;
  const namedTargets = [
    await serviceTarget(context, input['service']),
    await serviceTarget(context, input['target']),
    ...(await zoneTargets(context, input)),
    named?.text,
  ];
  const described = new Set([
    'service',
    'target',
    // Everywhere but in a new zone's name, `domain` is an id.
    ...(typeof input['domain'] === 'number' ? ['domain', 'records'] : []),
    ...(typeof input['record'] === 'number' ? ['record'] : []),
    ...(byId === undefined ? [] : ['id']),
  ]);
  const otherParameters = Object.entries(input)
    .filter(([name]) => !described.has(name))
    .map(([name, value]) => `${name}: ${shorten(value)}`);
  return {
    texts: [...namedTargets.filter((target) => target !== undefined), ...otherParameters],
    service: typeof input['service'] === 'number' ? input['service'] : (named?.service ?? null),
  };
}

async function serviceTarget({ queries, caller }: Context, id: unknown): Promise<string | undefined> {
  if (typeof id !== 'number') return undefined;
  const service = requireFound(
    isServiceVisible(caller.services, id) ? await serviceFind(queries, caller.account, id) : undefined,
  );
  const device = service.server ?? (service.vmid === null ? '' : `machine ${service.vmid}`);
  return [`service ${id}`, service.type, service.name, device, service.hostname, service.ip]
    .filter((part) => part !== '')
    .join(', ');
}

async function zoneTargets(context: Context, { domain, record, records }: Input): Promise<string[]> {
  if (typeof domain !== 'number') return [];
  const { queries, caller } = context;
  const zone = await findZoneOrThrow(context, domain);
  const isVisible = visibleSets(caller.dnsLimits, zone.name);
  const targets = [`zone ${zone.name} with ${zone.record_count} records`];
  const ids = [record, ...(Array.isArray(records) ? records : [])].filter((id) => typeof id === 'number');
  for (const id of ids) {
    const found = await recordFind(queries, zone, id);
    const { name, type, content } = requireFound(found && isVisible(found) ? found : undefined);
    targets.push(`record ${name} ${typeName(type)} ${content}`);
  }
  return targets;
}

interface NamedTarget {
  readonly text: string;
  /** The service that it belongs to. */
  readonly service?: number;
}
/** Describes what `id` refers to, by the first words of the operation. */
const namedById: Readonly<Record<string, (context: Context, id: number) => Promise<NamedTarget>>> = {
  async contact({ queries, caller }, id) {
    const { firstname, lastname, email } = requireFound(await contactFind(queries, caller.account, id));
    return { text: `contact ${firstname} ${lastname}, ${email}` };
  },
  async webhook({ queries, caller }, id) {
    return { text: `webhook to ${requireFound(await webhookFind(queries, caller.account, id)).url}` };
  },
  async volume(context, id) {
    const volume = await volumeFind(context.queries, context.caller.account, id);
    return ofService(context, volume, ({ name, size_gb }) => `volume ${name} of ${size_gb} GB`);
  },
  async machineImage(context, id) {
    const image = await machineImageFind(context.queries, context.caller.account, id);
    return ofService(context, image, ({ name }) => `image ${name}`);
  },
};

/** Rejects what belongs to a service that does not exist for the caller. */
function ofService<Thing extends { readonly service_id: number }>(
  { caller }: Context,
  thing: Thing | undefined,
  describe: (thing: Thing) => string,
): NamedTarget {
  const found = requireFound(thing && isServiceVisible(caller.services, thing.service_id) ? thing : undefined);
  return { text: describe(found), service: found.service_id };
}

/** A whole zone file would make an approval unreadable. */
function shorten(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
